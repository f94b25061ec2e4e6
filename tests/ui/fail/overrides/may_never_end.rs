use retry::{retry_with, stop};

fn main() {
    retry_with().stop(stop::when(|state| state.attempt() > 3)).sync_scope(|| ());
}
