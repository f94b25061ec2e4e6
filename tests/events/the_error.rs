use super::*;

/// The error field of the only retry of a call that fails with `$error` once.
macro_rules! error_of {
    ($outcome:ty, $failure:expr, $success:expr, $($on:tt)+) => {{
        #[retry(stop = attempts(2), wait = none(), on = $($on)+)]
        fn call(calls: &mut u32) -> $outcome {
            *calls += 1;
            if *calls == 1 { $failure } else { $success }
        }
        let events = events(|| call(&mut 0));
        assert_eq!(events.len(), 2);
        assert_eq!(events[1].get("error"), None, "a success has no error");
        events[0].get("error").cloned()
    }};
}

#[derive(Debug)]
struct Loud {
    #[allow(dead_code)] // seen by `Debug` only
    code: u32,
}

struct Both;
impl fmt::Debug for Both {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("by debug")
    }
}
impl fmt::Display for Both {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("by display")
    }
}
impl std::error::Error for Both {}

struct Mute;

#[test]
fn is_what_it_displays() {
    assert_eq!(
        error_of!(Result<(), Both>, Err(Both), Ok(()), any_error()),
        Some(text("by display"))
    );
    assert_eq!(
        error_of!(Result<(), &'static str>, Err("plain"), Ok(()), any_error()),
        Some(text("plain"))
    );
    let io = || std::io::Error::from(std::io::ErrorKind::ConnectionRefused);
    assert_eq!(
        error_of!(
            std::io::Result<()>,
            Err(std::io::ErrorKind::ConnectionRefused.into()),
            Ok(()),
            any_error()
        ),
        Some(text(&io().to_string()))
    );
}

#[test]
fn is_what_a_boxed_error_displays() {
    type Boxed = Box<dyn std::error::Error + Send + Sync>;
    assert_eq!(
        error_of!(Result<(), Boxed>, Err(Both.into()), Ok(()), any_error()),
        Some(text("by display"))
    );
    assert_eq!(
        error_of!(anyhow::Result<()>, Err(anyhow::Error::new(Both)), Ok(()), any_error()),
        Some(text("by display"))
    );
}

#[test]
fn is_else_its_debug_form() {
    assert_eq!(
        error_of!(Result<(), Loud>, Err(Loud { code: 7 }), Ok(()), any_error()),
        Some(text("Loud { code: 7 }"))
    );
    assert_eq!(error_of!(Result<(), ()>, Err(()), Ok(()), any_error()), Some(text("()")));
}

#[test]
fn is_else_the_name_of_its_type() {
    assert_eq!(
        error_of!(Result<(), Mute>, Err(Mute), Ok(()), any_error()),
        Some(text("events::the_error::Mute"))
    );
}

#[test]
fn of_a_generic_type_is_described_by_what_its_bounds_allow() {
    #[retry(stop = attempts(2), wait = none(), on = any_error())]
    fn shown<E: fmt::Display>(make: impl Fn() -> E) -> Result<(), E> {
        Err(make())
    }
    #[retry(stop = attempts(2), wait = none(), on = any_error())]
    fn unknown<E>(make: impl Fn() -> E) -> Result<(), E> {
        Err(make())
    }
    assert_eq!(events(|| shown(|| Both))[0].get("error"), Some(&text("by display")));
    assert_eq!(events(|| unknown(|| Both))[0].get("error"), Some(&text("events::the_error::Both")));
}

#[test]
fn of_an_option_is_that_there_is_no_value() {
    assert_eq!(error_of!(Option<Mute>, None, Some(Mute), any_error()), Some(text("no value")));
}

#[test]
fn is_absent_where_a_value_was_judged() {
    assert_eq!(error_of!(Result<bool, Both>, Ok(false), Ok(true), ok(|ready| !ready)), None);
    assert_eq!(error_of!(u16, 503, 200, output(|status| *status >= 500)), None);
    assert_eq!(error_of!(u16, 503, 200, matches(500..)), None);
    // Giving up on a value has a reason, but no error either.
    #[retry(stop = attempts(2), wait = none(), on = ok(|ready| !ready))]
    fn never() -> Result<bool, Both> {
        Ok(false)
    }
    let events = events(never);
    assert_eq!(events[1].get("error"), None);
    assert_eq!(reason(&events), "attempts");
}

#[test]
fn is_not_looked_for_in_a_final_value_that_is_not_a_result() {
    #[retry(stop = attempts(3), wait = none(), on = output(|n| *n < 2))]
    fn call(calls: &mut u32) -> u32 {
        *calls += 1;
        *calls
    }
    assert_eq!(reason(&events(|| call(&mut 0))), "success");
}

#[test]
fn is_that_of_an_inner_layer() {
    assert_eq!(
        error_of!(Result<Result<(), Both>, Loud>, Ok(Err(Both)), Ok(Ok(())), matches(Ok(Err(_)))),
        Some(text("by display"))
    );
    assert_eq!(
        error_of!(Result<Result<(), Both>, Loud>, Err(Loud { code: 7 }), Ok(Ok(())), any_error()),
        Some(text("Loud { code: 7 }"))
    );
    assert_eq!(
        error_of!(Option<Result<(), Both>>, Some(Err(Both)), None, matches(Some(Err(_)))),
        Some(text("by display"))
    );
    assert_eq!(
        error_of!(
            Result<Option<Result<(), Mute>>, Both>,
            Ok(Some(Err(Mute))),
            Ok(None),
            matches(Ok(Some(Err(_))))
        ),
        Some(text("events::the_error::Mute"))
    );
}

#[test]
fn of_an_item_that_was_given_up_is_told_and_its_end_is_a_success() {
    #[retry(stop = attempts(2), wait = none(), on = matches(Some(Err(_))))]
    fn next(mut items: impl Iterator<Item = Result<(), Both>>) -> Option<Result<(), Both>> {
        items.next()
    }
    let lost = events(|| next([Err(Both), Err(Both)].into_iter()));
    assert_eq!(
        (lost[1].get("error"), reason(&lost)),
        (Some(&text("by display")), "attempts".to_owned())
    );
    let ended = events(|| next([Err(Both)].into_iter()));
    assert_eq!(
        (ended[1].message(), reason(&ended)),
        ("succeeded after retrying", "success".to_owned())
    );
}

#[test]
fn of_a_final_item_after_a_retry_is_told_where_it_gives_up() {
    #[retry(stop = attempts(9), wait = none(), on = matches(Some(Err(Loud { code: 503 }))))]
    fn next(mut items: impl Iterator<Item = Result<(), Loud>>) -> Option<Result<(), Loud>> {
        items.next()
    }
    let codes = [503, 404].map(|code| Err(Loud { code }));
    let events = events(|| next(codes.into_iter()));
    assert_eq!((events[1].message(), reason(&events)), ("giving up", "permanent".to_owned()));
    assert_eq!(events[1].get("error"), Some(&text("Loud { code: 404 }")));
}

#[test]
fn is_told_with_its_sources() {
    use std::error::Error;

    #[derive(Debug)]
    struct Connect;
    impl fmt::Display for Connect {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("cannot connect")
        }
    }
    impl Error for Connect {
        fn source(&self) -> Option<&(dyn Error + 'static)> {
            Some(&Refused)
        }
    }
    #[derive(Debug)]
    struct Refused;
    impl fmt::Display for Refused {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("refused")
        }
    }
    impl Error for Refused {}

    let whole = Some(text("cannot connect: refused"));
    assert_eq!(error_of!(Result<(), Connect>, Err(Connect), Ok(()), any_error()), whole);
    assert_eq!(
        error_of!(Result<(), Box<dyn Error>>, Err(Connect.into()), Ok(()), any_error()),
        whole
    );
    assert_eq!(
        error_of!(anyhow::Result<()>, Err(anyhow::Error::new(Connect)), Ok(()), any_error()),
        whole
    );
    // In the layers too.
    type Timed<T> = Result<T, Both>;
    assert_eq!(
        error_of!(Timed<Result<(), Connect>>, Ok(Err(Connect)), Ok(Ok(())), ok(Result::is_err)),
        whole
    );
    assert_eq!(
        error_of!(
            Timed<Timed<Result<(), Connect>>>,
            Ok(Ok(Err(Connect))),
            Ok(Ok(Ok(()))),
            ok(|inner| matches!(inner, Ok(Err(_))))
        ),
        whole
    );
    assert_eq!(
        error_of!(
            Timed<anyhow::Result<()>>,
            Ok(Err(anyhow::Error::new(Connect))),
            Ok(Ok(())),
            ok(Result::is_err)
        ),
        whole
    );
}

#[test]
fn of_a_report_is_told_with_its_sources_too() {
    #[retry(stop = attempts(2), wait = none(), on = any_error())]
    fn call() -> anyhow::Result<()> {
        Err(anyhow::anyhow!("refused").context("cannot connect"))
    }
    let (_, reports) = retry::record_sync(call);
    assert!(reports[0].history().iter().all(|it| it.error() == Some("cannot connect: refused")));
}
