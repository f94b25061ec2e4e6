async fn call() {
    let _ = retry::block!(stop = attempts(3), wait = none(), async || -> anyhow::Result<u32> { Ok(1) });
}

fn main() {}
