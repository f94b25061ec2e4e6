//! Modules that a macro writes, with everything in them.

macro_rules! client {
    ($module:ident, $client:ident, $($method:ident($($arg:ident: $ty:ty),*) -> $output:ty = $attempts:literal;)*) => {
        mod $module {
            use super::super::{Busy, Flaky};
            use retry::retry;

            pub(super) struct $client {
                pub(super) flaky: Flaky,
            }

            impl $client {
                $(
                    #[retry(
                        stop = attempts($attempts) | within(1h),
                        wait = fixed(1us),
                        on = |error| Self::is_busy(error),
                        clone($($arg),*),
                    )]
                    pub(super) async fn $method(&self, $($arg: $ty),*) -> Result<$output, Busy> {
                        let call = ($($arg),*);
                        self.flaky.ask()?;
                        Ok(call)
                    }
                )*

                fn is_busy(error: &Busy) -> bool {
                    *error == Busy
                }
            }
        }
    };
}

client! { first, First, get(key: String) -> String = 5; }
client! { second, Second, put(key: String, value: u8) -> (String, u8) = 3; few(key: u8) -> u8 = 2; }

#[tokio::test]
async fn of_a_macro_do_not_meet_each_other() {
    use super::{Busy, Flaky};
    let first = first::First { flaky: Flaky::third() };
    assert_eq!(first.get("key".to_owned()).await, Ok("key".to_owned()));
    let second = second::Second { flaky: Flaky::third() };
    assert_eq!(second.put("key".to_owned(), 1).await, Ok(("key".to_owned(), 1)));
    let second = second::Second { flaky: Flaky::third() };
    assert_eq!(second.few(1).await, Err(Busy));
}
