//! Whether a future, or another value, can go to another thread.

pub const fn assert_send<T: Send>(_: &T) {}

/// The same on the way to where the value is used.
pub const fn sendable<T: Send>(value: T) -> T {
    assert_send(&value);
    value
}

/// Whether the type of a value is `Send`, found out without asking for it, so that both answers
/// compile.
macro_rules! is_send {
    ($value:expr) => {{
        struct Of<T>(::std::marker::PhantomData<T>);
        impl<T: Send> Of<T> {
            // An inherent method is found before a trait's.
            #[allow(dead_code)] // unused where the value is not `Send`
            fn is_send(&self) -> bool {
                true
            }
        }
        #[allow(dead_code)] // unused where it is
        trait Otherwise {
            fn is_send(&self) -> bool {
                false
            }
        }
        impl<T> Otherwise for Of<T> {}
        fn of<T>(_: &T) -> Of<T> {
            Of(::std::marker::PhantomData)
        }
        of(&$value).is_send()
    }};
}
pub(crate) use is_send;
