use retry::retry;

#[derive(Debug)]
pub struct Busy;

#[retry(stop = attempts(3), wait = none(), on = any_error())]
async fn call(list: &mut Vec<u32>) -> Result<u32, Busy> {
    let first = &list[0];
    list.push(2);
    Ok(*first)
}

fn main() {}
