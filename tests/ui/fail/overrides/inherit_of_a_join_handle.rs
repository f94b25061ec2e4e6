use retry::Inherit;

async fn fetch() -> Result<(), ()> {
    Ok(())
}

async fn test() {
    tokio::spawn(fetch()).inherit().await.unwrap().unwrap();
}

fn main() {}

// errors: 1
