use std::error::Error;

use retry::Mark;

fn call(error: Box<dyn Error>) -> Result<u32, Box<dyn Error>> {
    Err(error.permanent())
}

fn main() {}
