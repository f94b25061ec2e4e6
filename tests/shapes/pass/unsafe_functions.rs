//! `unsafe` functions, methods and bodies.

use std::cell::Cell;

#[retry::retry(stop = attempts(5), wait = none(), on = any_error())]
unsafe fn function(counter: *mut u32) -> Result<u32, String> {
    unsafe {
        *counter += 1;
        if *counter < 3 { Err(format!("{}", *counter)) } else { Ok(*counter) }
    }
}

#[retry::retry(stop = attempts(5), wait = none(), on = any_error())]
async unsafe fn asynchronous(counter: *mut u32) -> Result<u32, String> {
    let n = unsafe {
        *counter += 1;
        *counter
    };
    if n < 3 { Err(n.to_string()) } else { Ok(n) }
}

#[retry::retry(stop = attempts(5), wait = none(), on = any_error())]
#[allow(improper_ctypes_definitions)] // called from Rust only
unsafe extern "C" fn foreign(counter: *mut u32) -> Result<u32, String> {
    unsafe { function(counter) }
}

struct Counter(Cell<u32>);

impl Counter {
    #[retry::retry(stop = attempts(5), wait = none(), on = any_error())]
    unsafe fn method(&self) -> Result<u32, String> {
        unsafe { function(self.0.as_ptr()) }
    }
}

fn main() {
    let mut n = 0;
    assert_eq!(unsafe { function(&raw mut n) }, Ok(3));
    let mut n = 0;
    assert_eq!(unsafe { foreign(&raw mut n) }, Ok(3));
    assert_eq!(unsafe { Counter(Cell::new(0)).method() }, Ok(3));

    let mut n = 0;
    let mut future = std::pin::pin!(unsafe { asynchronous(&raw mut n) });
    let mut cx = std::task::Context::from_waker(std::task::Waker::noop());
    let result = loop {
        if let std::task::Poll::Ready(result) = future.as_mut().poll(&mut cx) {
            break result;
        }
    };
    assert_eq!(result, Ok(3));
}
