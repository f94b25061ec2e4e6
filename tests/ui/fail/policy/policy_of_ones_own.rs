use retry::on::ByTransient;
use retry::{AsPolicy, stop, wait};

pub struct Mine {
    stop: stop::Attempts,
    wait: wait::Fixed,
}

impl AsPolicy for Mine {
    type Stop = stop::Attempts;
    type Wait = wait::Fixed;
    type On = ByTransient;

    fn stop(&self) -> &stop::Attempts {
        &self.stop
    }
    fn wait(&self) -> &wait::Fixed {
        &self.wait
    }
    fn on(&self) -> &ByTransient {
        &ByTransient
    }
}

fn main() {}
