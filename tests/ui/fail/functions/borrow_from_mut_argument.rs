use retry::retry;

#[retry(stop = attempts(3), wait = none(), on = any_error())]
async fn call(list: &mut Vec<u32>) -> Result<&mut u32, ()> {
    Ok(&mut list[0])
}

fn main() {}
