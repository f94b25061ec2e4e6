use super::*;

/// The name in both events of a call that never succeeds.
fn name_of<T>(call: impl FnOnce() -> T) -> String {
    let events = events(call);
    assert_eq!(events.len(), 2);
    assert_eq!(events[0].name(), events[1].name());
    events[0].name().to_owned()
}

fn name_of_future<T>(future: impl Future<Output = T>) -> String {
    let events = paused(future);
    assert_eq!(events.len(), 2);
    assert_eq!(events[0].name(), events[1].name());
    events[0].name().to_owned()
}

#[retry(stop = attempts(2), wait = none(), on = any_error())]
fn free() -> Result<(), u32> {
    Err(1)
}

#[retry(stop = attempts(2), wait = none(), on = any_error())]
async fn free_async() -> Result<(), u32> {
    Err(1)
}

#[test]
fn of_a_function_is_its_path() {
    assert_eq!(name_of(free), "events::the_name::free");
    assert_eq!(name_of_future(free_async()), "events::the_name::free_async");
}

#[test]
fn given_by_the_user_is_used_as_it_is() {
    #[retry(name = "orders: fetch", stop = attempts(2), wait = none(), on = any_error())]
    fn call() -> Result<(), u32> {
        Err(1)
    }
    #[retry(name = "orders: store", stop = attempts(2), wait = none(), on = any_error())]
    async fn call_async() -> Result<(), u32> {
        Err(1)
    }
    assert_eq!(name_of(call), "orders: fetch");
    assert_eq!(name_of_future(call_async()), "orders: store");
    let block = name_of(|| {
        retry::block!(
            name = "a block",
            stop = attempts(2),
            wait = none(),
            on = any_error(),
            || -> Result<(), u32> { Err(1) }
        )
    });
    assert_eq!(block, "a block");
}

struct Orders;
struct Users;

impl Orders {
    #[retry(stop = attempts(2), wait = none(), on = any_error())]
    fn fetch(&self) -> Result<(), u32> {
        Err(1)
    }

    #[retry(stop = attempts(2), wait = none(), on = any_error())]
    async fn fetch_async(&self) -> Result<(), u32> {
        Err(1)
    }
}

impl Users {
    #[retry(stop = attempts(2), wait = none(), on = any_error())]
    fn fetch(&self) -> Result<(), u32> {
        Err(1)
    }

    #[retry(stop = attempts(2), wait = none(), on = any_error())]
    async fn fetch_async(&self) -> Result<(), u32> {
        Err(1)
    }
}

#[test]
fn of_a_method_tells_the_types_apart() {
    assert_eq!(name_of(|| Orders.fetch()), "events::the_name::Orders::fetch");
    assert_eq!(name_of(|| Users.fetch()), "events::the_name::Users::fetch");
    assert_eq!(name_of_future(Orders.fetch_async()), "events::the_name::Orders::fetch_async");
    assert_eq!(name_of_future(Users.fetch_async()), "events::the_name::Users::fetch_async");
}

trait Fetch {
    fn get(&self) -> Result<(), u32>;
    async fn get_async(&self) -> Result<(), u32>;
    #[retry(stop = attempts(2), wait = none(), on = any_error())]
    fn provided(&self) -> Result<(), u32> {
        Err(1)
    }
}

macro_rules! fetch {
    ($($ty:ident),+) => {$(
        impl Fetch for $ty {
            #[retry(stop = attempts(2), wait = none(), on = any_error())]
            fn get(&self) -> Result<(), u32> {
                Err(1)
            }
            #[retry(stop = attempts(2), wait = none(), on = any_error())]
            async fn get_async(&self) -> Result<(), u32> {
                Err(1)
            }
        }
    )+};
}
fetch!(Orders, Users);

#[test]
fn of_a_trait_method_tells_the_implementing_types_apart() {
    assert_eq!(
        name_of(|| Orders.get()),
        "<events::the_name::Orders as events::the_name::Fetch>::get"
    );
    assert_eq!(
        name_of(|| Users.get()),
        "<events::the_name::Users as events::the_name::Fetch>::get"
    );
    assert_eq!(
        name_of_future(Orders.get_async()),
        "<events::the_name::Orders as events::the_name::Fetch>::get_async"
    );
    assert_ne!(name_of_future(Orders.get_async()), name_of_future(Users.get_async()));
    assert_eq!(name_of(|| Orders.provided()), "events::the_name::Fetch::provided");
}

#[async_trait::async_trait]
trait Boxed {
    async fn boxed(&self) -> Result<(), u32>;
}

#[async_trait::async_trait]
impl Boxed for Orders {
    #[retry(stop = attempts(2), wait = none(), on = any_error())]
    async fn boxed(&self) -> Result<(), u32> {
        Err(1)
    }
}

#[test]
fn of_an_async_trait_method_ends_with_its_own_name() {
    assert_eq!(
        name_of_future(Orders.boxed()),
        "<events::the_name::Orders as events::the_name::Boxed>::boxed"
    );
}

#[test]
fn of_a_function_that_returns_a_future_is_its_path() {
    #[retry(stop = attempts(2), wait = none(), on = any_error())]
    fn by_hand() -> impl Future<Output = Result<(), u32>> {
        async { Err(1) }
    }
    assert!(name_of_future(by_hand()).ends_with("_is_its_path::by_hand"));
}

#[test]
fn of_a_block_is_the_function_around_it() {
    fn around() -> Result<(), u32> {
        retry::block!(stop = attempts(2), wait = none(), on = any_error(), || -> Result<(), u32> {
            Err(1)
        })
    }
    async fn around_async() -> Result<(), u32> {
        retry::block!(stop = attempts(2), wait = none(), on = any_error(), async { Err(1) })
    }
    assert!(name_of(around).ends_with("_the_function_around_it::around"));
    assert!(name_of_future(around_async()).ends_with("_the_function_around_it::around_async"));
    // Within closures, it is the function around all of them.
    let closure = || {
        let inner = || {
            retry::block!(
                stop = attempts(2),
                wait = none(),
                on = any_error(),
                || -> Result<(), u32> { Err(1) }
            )
        };
        inner()
    };
    assert!(name_of(closure).ends_with("::of_a_block_is_the_function_around_it"));
}

#[test]
fn of_a_block_that_only_a_success_ends_is_the_function_around_it() {
    fn around() -> u32 {
        let mut calls = 0;
        retry::block!(forever, wait = none(), on = any_error(), || {
            calls += 1;
            if calls == 1 { Err("once") } else { Ok(calls) }
        })
    }
    let events = events(around);
    assert_eq!(events.len(), 2);
    assert!(events[0].name().ends_with("::around"), "{}", events[0].name());
    assert_eq!(events[0].get("error"), Some(&text("once")));
    assert_eq!(reason(&events), "success");
}

struct Generic<T>(T);
impl<T> Generic<T> {
    #[retry(stop = attempts(2), wait = none(), on = any_error())]
    fn fetch<U>(&self, _: U) -> Result<(), u32> {
        Err(1)
    }

    #[retry(stop = attempts(2), wait = none(), on = any_error())]
    async fn fetch_async<U>(&self, _: U) -> Result<(), u32> {
        Err(1)
    }
}

#[test]
fn of_a_generic_function_is_its_path() {
    #[retry(stop = attempts(2), wait = none(), on = any_error())]
    fn generic<T>(_: T) -> Result<(), u32> {
        Err(1)
    }
    assert!(name_of(|| generic(1_u8)).contains("_is_its_path::generic"));
    let method = name_of(|| Generic(1_u8).fetch("x"));
    assert!(method.starts_with("events::the_name::Generic<"), "{method}");
    assert!(method.contains("::fetch"), "{method}");
    assert!(!method.contains("inside"), "{method}");
    let method = name_of_future(Generic(1_u8).fetch_async("x"));
    assert!(method.starts_with("events::the_name::Generic<"), "{method}");
    assert!(method.ends_with("::fetch_async"), "{method}");
}

#[test]
fn of_a_function_within_a_function_holds_both() {
    fn outer() -> Result<(), u32> {
        #[retry(stop = attempts(2), wait = none(), on = any_error())]
        fn inner() -> Result<(), u32> {
            Err(1)
        }
        inner()
    }
    assert!(name_of(outer).ends_with("_holds_both::outer::inner"));
}
