//! Lints about macro calls, which clippy believes to be the user's own by what they stand in.

use async_trait::async_trait;
use futures::future::BoxFuture;
use retry::retry;

use crate::{Busy, ask, ask_slowly};

#[expect(
    clippy::dbg_macro,
    clippy::exit,
    clippy::expect_used,
    clippy::manual_assert,
    clippy::missing_assert_message,
    clippy::panic,
    clippy::print_stderr,
    clippy::print_stdout,
    clippy::todo,
    clippy::unimplemented,
    clippy::unreachable,
    clippy::unwrap_used
)]
#[retry(stop = attempts(3), wait = none(), on = any_error())]
pub(crate) fn sync(text: &str) -> Result<usize, Busy> {
    println!("{text}");
    eprintln!("{text}");
    dbg!(text);
    assert!(!text.is_empty());
    text.parse::<u32>().unwrap();
    text.parse::<u32>().expect("a number");
    if text == "1" {
        todo!();
    }
    if text == "2" {
        unimplemented!();
    }
    if text == "3" {
        unreachable!();
    }
    if text == "4" {
        std::process::exit(1);
    }
    if text == "5" {
        panic!("five");
    }
    ask(text)
}

#[expect(
    clippy::dbg_macro,
    clippy::exit,
    clippy::expect_used,
    clippy::manual_assert,
    clippy::missing_assert_message,
    clippy::panic,
    clippy::print_stderr,
    clippy::print_stdout,
    clippy::todo,
    clippy::unimplemented,
    clippy::unreachable,
    clippy::unwrap_used
)]
#[retry(stop = attempts(3), wait = none(), on = any_error())]
pub(crate) async fn asynchronous(text: &str) -> Result<usize, Busy> {
    println!("{text}");
    eprintln!("{text}");
    dbg!(text);
    assert!(!text.is_empty());
    text.parse::<u32>().unwrap();
    text.parse::<u32>().expect("a number");
    if text == "1" {
        todo!();
    }
    if text == "2" {
        unimplemented!();
    }
    if text == "3" {
        unreachable!();
    }
    if text == "4" {
        std::process::exit(1);
    }
    if text == "5" {
        panic!("five");
    }
    ask_slowly(text).await
}

#[expect(
    clippy::dbg_macro,
    clippy::exit,
    clippy::expect_used,
    clippy::manual_assert,
    clippy::missing_assert_message,
    clippy::panic,
    clippy::print_stderr,
    clippy::print_stdout,
    clippy::todo,
    clippy::unimplemented,
    clippy::unreachable,
    clippy::unwrap_used
)]
#[retry(stop = attempts(3), wait = none(), on = any_error())]
pub(crate) fn boxed(text: &str) -> BoxFuture<'_, Result<usize, Busy>> {
    Box::pin(async move {
        println!("{text}");
        eprintln!("{text}");
        dbg!(text);
        assert!(!text.is_empty());
        text.parse::<u32>().unwrap();
        text.parse::<u32>().expect("a number");
        if text == "1" {
            todo!();
        }
        if text == "2" {
            unimplemented!();
        }
        if text == "3" {
            unreachable!();
        }
        if text == "4" {
            std::process::exit(1);
        }
        if text == "5" {
            panic!("five");
        }
        ask_slowly(text).await
    })
}

#[async_trait]
pub(crate) trait Asking {
    #[expect(
        clippy::dbg_macro,
        clippy::expect_used,
        clippy::manual_assert,
        clippy::missing_assert_message,
        clippy::panic,
        clippy::print_stderr,
        clippy::print_stdout,
        clippy::todo,
        clippy::unimplemented,
        clippy::unreachable,
        clippy::unwrap_used
    )]
    #[retry(stop = attempts(3), wait = none(), on = any_error())]
    async fn method(&self, text: &str) -> Result<usize, Busy> {
        println!("{text}");
        eprintln!("{text}");
        dbg!(text);
        assert!(!text.is_empty());
        text.parse::<u32>().unwrap();
        text.parse::<u32>().expect("a number");
        if text == "1" {
            todo!();
        }
        if text == "2" {
            unimplemented!();
        }
        if text == "3" {
            unreachable!();
        }
        if text == "4" {
            std::process::exit(1);
        }
        if text == "5" {
            panic!("five");
        }
        ask_slowly(text).await
    }
}

#[async_trait]
impl Asking for () {}

#[expect(
    clippy::dbg_macro,
    clippy::exit,
    clippy::expect_used,
    clippy::manual_assert,
    clippy::missing_assert_message,
    clippy::panic,
    clippy::print_stderr,
    clippy::print_stdout,
    clippy::todo,
    clippy::unimplemented,
    clippy::unreachable,
    clippy::unwrap_used
)]
pub(crate) fn block(text: &str) -> Result<usize, Busy> {
    retry::block!(stop = attempts(3), wait = none(), on = any_error(), || -> Result<usize, Busy> {
        println!("{text}");
        eprintln!("{text}");
        dbg!(text);
        assert!(!text.is_empty());
        text.parse::<u32>().unwrap();
        text.parse::<u32>().expect("a number");
        if text == "1" {
            todo!();
        }
        if text == "2" {
            unimplemented!();
        }
        if text == "3" {
            unreachable!();
        }
        if text == "4" {
            std::process::exit(1);
        }
        if text == "5" {
            panic!("five");
        }
        ask(text)
    })
}

#[expect(
    clippy::dbg_macro,
    clippy::exit,
    clippy::expect_used,
    clippy::manual_assert,
    clippy::missing_assert_message,
    clippy::panic,
    clippy::print_stderr,
    clippy::print_stdout,
    clippy::todo,
    clippy::unimplemented,
    clippy::unreachable,
    clippy::unwrap_used
)]
pub(crate) async fn async_block(text: &str) -> Result<usize, Busy> {
    retry::block!(
        stop = attempts(3),
        wait = none(),
        on = any_error(),
        async || -> Result<usize, Busy> {
            println!("{text}");
            eprintln!("{text}");
            dbg!(text);
            assert!(!text.is_empty());
            text.parse::<u32>().unwrap();
            text.parse::<u32>().expect("a number");
            if text == "1" {
                todo!();
            }
            if text == "2" {
                unimplemented!();
            }
            if text == "3" {
                unreachable!();
            }
            if text == "4" {
                std::process::exit(1);
            }
            if text == "5" {
                panic!("five");
            }
            ask_slowly(text).await
        }
    )
}

#[expect(clippy::todo)]
#[retry(stop = attempts(3), wait = none(), on = any_error())]
pub(crate) fn not_yet(_text: &str) -> Result<usize, Busy> {
    todo!()
}

#[expect(clippy::panic)]
#[retry(stop = attempts(3), wait = none(), on = any_error())]
pub(crate) async fn never(_text: &str) -> Result<usize, Busy> {
    panic!("never")
}
