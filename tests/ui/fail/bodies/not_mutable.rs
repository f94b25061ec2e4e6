use retry::retry;

#[derive(Debug)]
pub struct Busy;

#[retry(stop = attempts(3), wait = none(), on = any_error())]
async fn call(list: &Vec<u32>) -> Result<u32, Busy> {
    list.push(2);
    Err(Busy)
}

fn main() {}
