use retry::{Policy, State, on, stop, wait};

fn main() {
    let stop = stop::when(|state: &State| state.attempt() > 3);
    let _ = Policy::new(stop, wait::none(), on::any_error());
}
