use super::*;

#[test]
fn a_preview_takes_no_time_and_reads_like_the_policy() {
    let policy = policy! {
        stop = attempts(5) | within(1h),
        wait = exponential(10m).cap(30m) + fixed(1m).full_jitter(),
    };
    assert_eq!(
        policy.preview().to_string(),
        "\
attempt    delay  earliest  latest
      1        –        0s      0s
      2  10m–11m       10m     11m  ██████████████░░
      3  20m–21m       30m     32m  █████████████████████████████░
at most 3 attempts, waits of 30m–32m in total, within 1h
"
    );
    assert_eq!(policy.preview(), policy.preview());
}

#[test]
fn a_boxed_policy_has_the_preview_of_what_it_was_made_from() {
    let policy = policy! { stop = attempts(3), wait = decorrelated(1s, 10s) };
    let boxed: BoxedPolicy<ApiError> = policy.boxed();
    assert_eq!(boxed.preview(), policy.preview());
    let preview = policy.preview();
    let last = preview.rows().last().unwrap();
    assert_eq!((last.attempt, last.low, last.high), (3, ms(1000), Some(ms(9000))));
    assert_eq!((preview.attempts(), preview.limit()), (Some(3), None));
}

#[test]
fn policies_from_values_are_named_and_judged_alike() {
    let made = Policy::new(stop::attempts(3), wait::none(), on::error(ApiError::is_busy));
    assert_eq!(calls(&made, ApiError::Busy), 3);
    assert_eq!(calls(&made, ApiError::NotFound), 1);
    assert!(format!("{made:?}").starts_with("Policy { name: \"retry::Policy\", stop: "));
    let named = policy! { stop = attempts(2), wait = none(), name = "orders" };
    assert!(format!("{named:?}").starts_with("Policy { name: \"orders\", stop: "));
}

#[test]
fn a_deadline_ends_a_preview_as_a_limit_of_the_stop_does() {
    let wait = || wait::exponential(Duration::from_secs(1));
    let plain = Policy::new(stop::attempts(9), wait(), on::any_error());
    let limited = plain.with_deadline(Duration::from_secs(10)).preview();
    assert_eq!(limited.attempts(), Some(4));
    assert_eq!(limited.limit(), Some(Duration::from_secs(10)));
    let stop = stop::attempts(9) | stop::within(Duration::from_secs(10));
    assert_eq!(limited, Policy::new(stop, wait(), on::any_error()).preview());
    assert!(limited.to_string().ends_with("within 10s\n"));
    let shorter = Policy::new(stop, wait(), on::any_error()).with_deadline(Duration::from_secs(3));
    assert_eq!(
        (shorter.preview().attempts(), shorter.preview().limit()),
        (Some(2), Some(ms(3000)))
    );
    let endless = policy! { forever, wait = fixed(1s), on = any_error(), deadline = 5s };
    assert_eq!(endless.preview().attempts(), Some(5));
}

#[test]
fn what_the_time_cuts_off_alike_however_numbers_fall_has_one_sum() {
    let exact = policy! { stop = within(10s), wait = fixed(3s) }.preview();
    assert_eq!(exact.total_wait(), Some((ms(9_000), ms(9_000))));
    // Ten attempts of 0 s or two of 6 s: what is left may be used up to the limit.
    let drawn = policy! { stop = within(10s) | attempts(9), wait = fixed(6s).full_jitter() };
    assert_eq!(drawn.preview().total_wait(), Some((ms(0), ms(10_000))));
    // Without the limit in number nobody knows how many waits of 0 s there will be.
    let endless = policy! { stop = within(10s), wait = fixed(6s).full_jitter() }.preview();
    assert_eq!((endless.attempts(), endless.total_wait()), (None, Some((ms(0), ms(10_000)))));
}
