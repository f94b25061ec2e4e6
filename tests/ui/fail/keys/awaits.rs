use retry::retry;

struct Flags;

impl Flags {
    async fn get(&self, _: &str) -> bool {
        true
    }

    #[retry(
        stop = attempts(3),
        wait = none(),
        on = any_error(),
        enabled = self.get("retries").await,
        gate = async |_, _| self.get("gate").await,
    )]
    async fn call(&self) -> Result<u32, String> {
        Err("busy".to_owned())
    }
}

fn main() {}
