//! Whatever bytes a server answers with.

use proptest::collection::vec;
use proptest::prelude::*;
use retry::reqwest::{RequestBuilderExt, RequestError};
use retry::{StopReason, policy, record, retry_with};
use std::time::Duration;

use crate::server::{Server, Step, answer, client};

const NAMES: [&str; 4] = ["Retry-After", "retry-after", "Retry-After-Ms", "Date"];

fn value() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        vec(any::<u8>(), 0..30),
        "[ \t]?[-+]?[0-9]{0,24}[ \t,;.]?[0-9]?".prop_map(String::into_bytes),
        "Sun, 0[0-9] Nov (1994|2994) [0-9]{2}:[0-9]{2}:[0-9]{2} (GMT|UTC)?"
            .prop_map(String::into_bytes),
        (0..600_u32).prop_map(|seconds| seconds.to_string().into_bytes()),
    ]
}

/// An answer with these headers, which need not be any.
fn busy(status: u16, headers: &[(usize, Vec<u8>)]) -> Step {
    let mut bytes = format!("HTTP/1.1 {status} X\r\nContent-Length: 0\r\n").into_bytes();
    for (name, value) in headers {
        bytes.extend_from_slice(NAMES[*name].as_bytes());
        bytes.extend_from_slice(b": ");
        bytes.extend_from_slice(value);
        bytes.extend_from_slice(b"\r\n");
    }
    bytes.extend_from_slice(b"\r\n");
    Step::Bytes(bytes)
}

fn on_this_thread<T>(future: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.expect("a runtime").block_on(future)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(300) })]

    #[test]
    fn no_answer_on_the_wire_makes_a_call_wait_longer_than_it_may(
        status in prop_oneof![Just(429), Just(503)],
        headers in vec((0..NAMES.len(), value()), 0..4),
        most in 1..300_u64,
    ) {
        let most = Duration::from_secs(most);
        let (outcome, reports) = on_this_thread(async {
            let server = Server::of([busy(status, &headers), answer(200, "")]).await;
            let policy = policy! { stop = attempts(2), wait = fixed(1s), max_hint = most };
            let policy = policy.boxed::<RequestError>();
            let request = client().get(&server.url).send_retrying(&policy);
            record(retry_with().virtual_time().scope(request.into_future())).await
        });
        let [report] = &reports[..] else { panic!("{reports:?}") };
        prop_assert!(report.delays().all(|delay| delay <= most), "{report:?}");
        match report.reason() {
            // The answer itself is returned at once, or it was none.
            StopReason::HintTooLong => {
                prop_assert_eq!(outcome.expect("an answer").status().as_u16(), status);
                prop_assert_eq!(report.attempts(), 1);
            }
            StopReason::Success => prop_assert_eq!(outcome.expect("an answer").status().as_u16(), 200),
            StopReason::Permanent => prop_assert!(outcome.is_err()),
            other => prop_assert!(false, "{other:?}"),
        }
    }

    #[test]
    fn bytes_that_are_no_answer_do_no_harm(bytes in vec(any::<u8>(), 0..200)) {
        let (outcome, reports) = on_this_thread(async {
            let server = Server::of([Step::Bytes(bytes.clone()), Step::Bytes(bytes)]).await;
            let policy = policy! { stop = attempts(2), wait = fixed(1s) }.boxed::<RequestError>();
            let request = client().get(&server.url).send_retrying(&policy);
            record(retry_with().virtual_time().scope(request.into_future())).await
        });
        prop_assert!(outcome.is_err());
        prop_assert!(matches!(reports[0].reason(), StopReason::Attempts | StopReason::Permanent));
    }
}
