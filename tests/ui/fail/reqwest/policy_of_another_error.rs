//! What is sent again fails with a `RequestError`, which the policy must be able to judge.

use retry::BoxedPolicy;
use retry::reqwest::RequestBuilderExt;

async fn fetch(client: &reqwest::Client, policy: &BoxedPolicy<reqwest::Error>) {
    let _ = client.get("http://localhost/").send_retrying(policy).await;
}

fn main() {}
