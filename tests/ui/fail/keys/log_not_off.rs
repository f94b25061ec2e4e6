use retry::retry;

#[retry(stop = attempts(3), wait = none(), on = any_error(), log = false)]
fn by_a_bool() -> Result<u32, String> {
    Err("busy".to_owned())
}

#[retry(stop = attempts(3), wait = none(), on = any_error(), log = "off")]
fn by_a_text() -> Result<u32, String> {
    Err("busy".to_owned())
}

#[retry(stop = attempts(3), wait = none(), on = any_error(), log)]
fn without_a_value() -> Result<u32, String> {
    Err("busy".to_owned())
}

#[retry(stop = attempts(3), wait = none(), on = any_error(), silent)]
fn as_others_say() -> Result<u32, String> {
    Err("busy".to_owned())
}

fn main() {}

// errors: 4
