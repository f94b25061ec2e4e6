//! Limits in time, guards, and what other libraries call them. The function is a sync one.

use super::Mistake;

pub(super) const MISTAKES: &[Mistake] = &[
    ("stop = attempts(3), wait = none(), attempt_timeout = 2s", &["a sync attempt cannot be cut"]),
    (
        "stop = attempts(3), wait = fixed(2s), deadline = 2s",
        &["nothing is ever retried before a deadline of 2s"],
    ),
    (
        "stop = attempts(3), wait = none(), deadline = Some(Some(0s))",
        &["a `deadline` of zero leaves no time"],
    ),
    (
        r#"stop = attempts(3), wait = none(), deadline = "soon""#,
        &["`deadline` takes a duration, not a text"],
    ),
    (
        "stop = attempts(3), wait = none(), deadline = until(then)",
        &["`deadline` takes the time itself, not `until`: write `deadline = 20s`"],
    ),
    (
        "stop = attempts(3), wait = none(), deadline = 20s, interrupted = f",
        &["a sync attempt is not cut by its deadline"],
    ),
    (
        "stop = attempts(3), wait = none(), budget = &BUDGET, nested = once, interrupted = f",
        &["nothing can interrupt this call"],
    ),
    (
        "stop = attempts(3), wait = none(), cancel = |token| token.is_cancelled()",
        &["the closure of `cancel` is given nothing: write `cancel = || …`"],
    ),
    (
        "stop = attempts(3), wait = none(), cancel = [a, b]",
        &["`cancel` takes what says that the call is cancelled"],
    ),
    (
        "stop = attempts(3), wait = none(), budget = &Budget::new(0)",
        &["write `budget = &BUDGET`, with `static BUDGET: Budget = Budget::new(160);`"],
    ),
    (
        "stop = attempts(3), wait = none(), budget = &Budget::new(500).cost(7)",
        &["with `static BUDGET: Budget = Budget::new(500).cost(7);`"],
    ),
    (
        "stop = attempts(3), wait = none(), breaker = &Breaker::ratio(1.5).min_throughput(9)",
        &["with `static BREAKER: Breaker = Breaker::consecutive(5);`"],
    ),
    (
        "stop = attempts(3), wait = none(), breaker = Breaker::ratio(0.5)",
        &["with `static BREAKER: Breaker = Breaker::ratio(0.5);`"],
    ),
    ("stop = attempts(3), wait = none(), timeout = 3s", &["`attempt_timeout` cuts each"]),
    ("wait = none(), timeout = 3", &["write `stop = within(3s)`, after which no attempt starts"]),
    (
        "stop = attempts(3), wait = none(), time_limit = 3, idle = limit",
        &["write `deadline = 3s`", "write `attempt_timeout = idle(limit)`"],
    ),
    (
        "stop = attempts(3), wait = none(), circuit_breaker, retry_budget = 5",
        &["write `breaker = &BREAKER`", "write `budget = &BUDGET`"],
    ),
    (
        "stop = attempts(3), wait = none(), cancellation_token = self.stop, shutdown = rx.recv()",
        &["write `cancel = self.stop.cancelled()`", "write `cancel = rx.recv()`"],
    ),
    ("stop = attempts(3), wait = none(), once", &["write `nested = once`"]),
    (
        "B: stop = attempts(3), wait = none(), attempt_timeout = 2s, async { f().await }",
        &["an attempt that is cut may have taken effect"],
    ),
    (
        "B: stop = attempts(3), wait = none(), idempotent, attempt_timeout = 30s, reset = 30s, async { f().await }",
        &["would count as healthy after 30s"],
    ),
    (
        "B: stop = attempts(3), wait = none(), deadline = 9s, interrupted = async |it| it, async { f().await }",
        &["`interrupted` makes an error on the spot"],
    ),
];
