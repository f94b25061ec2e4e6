use std::cell::{Cell, RefCell};
use std::future::Future;
use std::marker::PhantomData;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::{Arc, MutexGuard, mpsc};

use async_trait::async_trait;
use futures::future::BoxFuture;
use retry::retry;
use tokio::task::yield_now;

use crate::support::send::{assert_send, is_send};

#[derive(Debug, PartialEq, Eq)]
struct Busy;

/// Fails until the third time it is asked.
#[derive(Default)]
struct Flaky(AtomicU32);

impl Flaky {
    fn ask(&self) -> Result<u32, Busy> {
        let n = self.0.fetch_add(1, Relaxed) + 1;
        if n < 3 { Err(Busy) } else { Ok(n) }
    }
}

/// The same with a cell: `Send`, but not `Sync`.
#[derive(Default)]
struct FlakyCell(Cell<u32>);

impl FlakyCell {
    fn ask(&self) -> Result<u32, Busy> {
        let n = self.0.get() + 1;
        self.0.set(n);
        if n < 3 { Err(Busy) } else { Ok(n) }
    }
}

/// Runs a future on another thread, which needs it to be `Send + 'static`.
async fn spawned<T: Send + 'static>(future: impl Future<Output = T> + Send + 'static) -> T {
    assert_send(&future);
    tokio::spawn(future).await.unwrap()
}

/// Every function twice: annotated, and plain in a module of its own.
macro_rules! both {
    ($plain:ident: $(async fn $name:ident $([$($generics:tt)*])? ($($args:tt)*) -> $output:ty $body:block)*) => {
        $(
            #[retry(stop = attempts(5), wait = fixed(1ms), on = any_error())]
            async fn $name $(<$($generics)*>)? ($($args)*) -> $output $body
        )*
        mod $plain {
            #[allow(unused_imports)]
            use super::*;
            $(
                pub(super) async fn $name $(<$($generics)*>)? ($($args)*) -> $output $body
            )*
        }
    };
}

mod arguments;
mod keys;
mod methods;
mod not_send;
mod promises;
