use core::marker::PhantomData;

pub(crate) struct Probe<T>(pub(crate) PhantomData<T>);

pub(crate) trait Maybe<T> {
    fn of(&self, value: &T) -> Probe<T>;
}

impl<T> Maybe<T> for Probe<T> {
    fn of(&self, _: &T) -> Probe<T> {
        Probe(PhantomData)
    }
}

impl<T: Send> Probe<T> {
    // An inherent method is found before a trait's.
    pub(crate) fn is_send(&self) -> bool {
        let _ = self;
        true
    }
}

pub(crate) trait No {
    fn is_send(&self) -> bool;
}

impl<T> No for Probe<T> {
    fn is_send(&self) -> bool {
        false
    }
}
