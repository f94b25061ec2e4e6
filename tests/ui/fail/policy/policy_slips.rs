fn main() {
    let _ = retry::policy! { stop = attempts(3) wait = none() };
    let _ = retry::policy! { stop: attempts(3), wait = none() };
    let _ = retry::policy! { attempts(3) };
    let _ = retry::policy! { stop = atempts(3), wait = fixed(1, 2), on = Err(3) };
    let _ = retry::policy! { max_retries = 3, delay = 100ms };
    let _ = retry::policy! { forever, stop = within(30s), wait = none() };
}

// errors: 9
