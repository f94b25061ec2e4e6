use retry::{Outcome, retry};

pub enum Answer {
    Done(u32),
    Busy,
}

impl Outcome for Answer {
    type Ok = u32;
    type Error = ();

    fn as_result(&self) -> Result<&u32, &()> {
        match self {
            Self::Done(value) => Ok(value),
            Self::Busy => Err(&()),
        }
    }

    fn into_result(self) -> Result<u32, ()> {
        match self {
            Self::Done(value) => Ok(value),
            Self::Busy => Err(()),
        }
    }
}

#[retry(stop = attempts(3), wait = none(), on = any_error())]
pub fn ask() -> Answer {
    Answer::Busy
}

fn main() {
    ask();
}
