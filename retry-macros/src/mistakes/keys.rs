//! What parts the keys, what stands in place of one, and the names of other libraries.

use super::Mistake;

pub(super) const MISTAKES: &[Mistake] = &[
    ("stop = attempts(3) wait = none()", &["a `,` is missing before `wait`"]),
    ("stop = attempts(3); wait = none()", &["a `,` parts the keys, not a `;`"]),
    ("stop attempts(3), wait = none()", &["write `stop = attempts(3)`"]),
    ("stop: attempts(3), wait: none()", &["write `stop = attempts(3)`", "write `wait = none()`"]),
    ("stop == attempts(3), wait = none()", &["write `stop = attempts(3)`"]),
    ("stop => attempts(3), wait = none()", &["write `stop = attempts(3)`"]),
    ("stop(attempts(3)), wait(none())", &["write `stop = attempts(3)`", "write `wait = none()`"]),
    (
        ", stop = attempts(3), wait = none()",
        &["one separator too many: a single `,` parts two keys"],
    ),
    ("stop, wait = none()", &["`stop` needs a value: `stop = …`"]),
    (
        "stop = attempts(3) wait none()",
        &["a `,` is missing before `wait`", "write `wait = none()`"],
    ),
    ("stop = attempts(3). wait = none()", &["a `,` parts `stop` and `wait`, not a `.`"]),
    ("stop = attempts(3) | wait = none()", &["a `,` parts `stop` and `wait`, not a `|`"]),
    ("3", &["write `stop = attempts(3), wait = exponential(100ms).cap(10s).full_jitter()`"]),
    (r#""3""#, &["write `stop = attempts(3), wait = exponential(100ms).cap(10s).full_jitter()`"]),
    (
        "attempts(3)",
        &["write `stop = attempts(3), wait = exponential(100ms).cap(10s).full_jitter()`"],
    ),
    (
        "attempts = 3",
        &["write `stop = attempts(3), wait = exponential(100ms).cap(10s).full_jitter()`"],
    ),
    ("attempts(3), none()", &["write `stop = attempts(3)`", "write `wait = none()`"]),
    ("exponential(100ms)", &["write `stop = attempts(5), wait = exponential(100ms)`"]),
    ("attempts(3), wait = none()", &["write `stop = attempts(3)`"]),
    ("3, 100ms", &["write `stop = attempts(3)`", "write `wait = fixed(100ms)`"]),
    ("attempts = 3, delay = 100ms", &["write `stop = attempts(3)`", "write `wait = fixed(100ms)`"]),
    (
        "max_retries = 3, delay_ms = 100",
        &["write `stop = attempts(4)`", "write `wait = fixed(100ms)`"],
    ),
    (
        "retries(3), backoff(100ms)",
        &["write `stop = attempts(4)`", "write `wait = exponential(100ms).cap(10s).full_jitter()`"],
    ),
    (
        "times = 3, timeout = 30s, max_delay = 3s, jitter, factor = 2",
        &[
            "write `stop = attempts(4)`",
            "write `stop = within(30s)`",
            "write `wait = exponential(100ms).cap(3s)`",
            "write `wait = exponential(100ms).full_jitter()`",
            "write `wait = exponential(100ms).factor(2)`",
        ],
    ),
    (
        "stop = attempts(3), wait = exponential(base = 100ms, factor = 2)",
        &["write `exponential(100ms).factor(2)`"],
    ),
    ("stpo = attempts(3), wiat = none()", &["write `stop = attempts(3)`", "write `wait = none()`"]),
    (
        "stop = attempts(3), stop = attempts(4), wait = none()",
        &["`stop` is given twice; remove one"],
    ),
    (
        "stop = attempts(0), wait = fixed(10), on = is_transient()",
        &[
            "`attempts(0)` would never call the function; `attempts`",
            "write `10s`",
            "did you mean `transient`",
        ],
    ),
    (
        "stop = attempts(3), wait = wait_random_exponential(multiplier = 1, max = 60)",
        &["write `exponential(1s).cap(60s).full_jitter()`"],
    ),
    (
        "initial_interval = 1s, multiplier = 2, max_interval = 10s, randomization_factor = 0.5, max_elapsed_time = 30s",
        &[
            "write `wait = exponential(1s)`",
            "write `wait = exponential(100ms).factor(2)`",
            "write `wait = exponential(100ms).cap(10s)`",
            "write `wait = exponential(100ms).jitter_factor(0.5)`",
            "write `stop = within(30s)`",
        ],
    ),
    ("forever = true, wait = none()", &["write `forever`"]),
    ("forever = 3, wait = none()", &["write `forever`"]),
    ("forever(), wait = none()", &["write `forever`"]),
    ("forever(true), wait = none()", &["write `forever`"]),
    (
        "forever, stop = attempts(3), wait = none()",
        &["this ends the call, and `forever` says that nothing does:"],
    ),
    (
        "forever, stop = attempts(3) | within(3s), wait = none()",
        &["this ends the call, and `forever` says that nothing does:"],
    ),
    (
        "forever, stop = within(3s) | |s| s.x(), wait = none()",
        &["this ends the call, and `forever` says that nothing does:"],
    ),
    (
        "forever, stop = if a { attempts(3) } else { within(3s) }, wait = none()",
        &["this ends the call, and `forever` says that nothing does:"],
    ),
    ("forever", &["write `wait = exponential(100ms).cap(10s).full_jitter()`"]),
    (r#"policy = "x""#, &["`policy` takes a `Policy`: write its name, or"]),
    ("policy = attempts(3)", &["this is no policy but one part of it: write the key `stop ="]),
    ("policy = { stop = attempts(3) }", &["keys in brackets are no policy; write `policy ="]),
    (
        "policy = (stop = attempts(3), wait = none())",
        &["keys in brackets are no policy; write `policy ="],
    ),
    (
        "policy(stop = attempts(3), wait = none())",
        &["keys in brackets are no policy; write `policy ="],
    ),
    (
        "policy = attempts(3) | within(3s)",
        &["this is no policy but one part of it: write the key `stop ="],
    ),
    (
        "stop = attempts(3), wait = exponential(min = 1s, max = 10s)",
        &["write `exponential(100ms).floor(1s).cap(10s)`"],
    ),
    (
        r#"stop = attempts(3) wait = none() on = any_error() name = "x""#,
        &[
            "a `,` is missing before `wait`",
            "a `,` is missing before `on`",
            "a `,` is missing before `name`",
        ],
    ),
    (
        "stop = attempts(3); wait = none(); on = any_error();",
        &[
            "a `,` parts the keys, not a `;`",
            "a `,` parts the keys, not a `;`",
            "a `,` parts the keys, not a `;`",
        ],
    ),
    ("stop = attempts(3), wait = none() + , on = f", &["something is missing after this `+`"]),
    (
        "stop = attempts(3), wait = exponential(1ms), on = any_error() + transient()",
        &["expected `,` after the value of `on`, not `+`"],
    ),
    (
        "stop = attempts(3), wait = exponential(100ms), cap = 10s",
        &["write `wait = exponential(100ms).cap(10s)`"],
    ),
    ("STOP = attempts(3), WAIT = none()", &["write `stop = attempts(3)`", "write `wait = none()`"]),
    ("Stop = attempts(3), Wait = none()", &["write `stop = attempts(3)`", "write `wait = none()`"]),
    (
        "stop attempts = 3, wait none",
        &[
            "`stop` needs a value: `stop = …`",
            "`attempts` belongs to the key `stop`, which is there: write",
            "write `wait = none`",
        ],
    ),
    (r#""stop = attempts(3), wait = none()""#, &["the keys stand without quotes"]),
    ("attempts: 3, delay: 100ms", &["write `stop = attempts(3)`", "write `wait = fixed(100ms)`"]),
    (
        "3 attempts",
        &["write `stop = attempts(3), wait = exponential(100ms).cap(10s).full_jitter()`"],
    ),
    (
        "attempts(3) | within(30s), exponential(100ms)",
        &["write `stop = attempts(3) | within(30s)`", "write `wait = exponential(100ms)`"],
    ),
    (
        "exponential(100ms).cap(10s)",
        &["write `stop = attempts(5), wait = exponential(100ms).cap(10s)`"],
    ),
    ("fixed", &["`fixed` belongs to the key `wait`: write `stop ="]),
    ("retry(3)", &["write `stop = attempts(4), wait = exponential(100ms).cap(10s).full_jitter()`"]),
    ("5, fixed(1s)", &["write `stop = attempts(5)`", "write `wait = fixed(1s)`"]),
    ("n = 3", &["write `stop = attempts(3), wait = exponential(100ms).cap(10s).full_jitter()`"]),
    (
        "count = 3, sleep = 1s",
        &[
            "write `stop = attempts(3), wait = exponential(100ms).cap(10s).full_jitter()`",
            "`sleep` says how to sleep: write the function alone, as in",
        ],
    ),
    ("max = 3", &["write `stop = attempts(3), wait = exponential(100ms).cap(10s).full_jitter()`"]),
    (
        "backoff = exponential(100ms), attempts = 5",
        &["write `wait = exponential(100ms)`", "write `stop = attempts(5)`"],
    ),
    (
        "delay = exponential(100ms), retries = 5",
        &["write `wait = exponential(100ms)`", "write `stop = attempts(6)`"],
    ),
    ("policy = my_policy, on = f, max_retries = 3", &["write `stop = attempts(4)`"]),
    ("policy my_policy", &["write `policy = my_policy`"]),
    ("policy = my_policy stop = attempts(3)", &["a `,` is missing before `stop`"]),
    (
        "maxRetries = 3, onRetry = f",
        &[
            "write `stop = attempts(4), wait = exponential(100ms).cap(10s).full_jitter()`",
            "unknown key `onRetry`; write `before_sleep = |attempt,",
        ],
    ),
    (
        "max_retries: 3, delay: 100ms",
        &["write `stop = attempts(4)`", "write `wait = fixed(100ms)`"],
    ),
    (
        "delay = exponential(100ms).cap(3s), retries = 5",
        &["write `wait = exponential(100ms).cap(3s)`", "write `stop = attempts(6)`"],
    ),
    (
        "retry = 3",
        &["write `stop = attempts(4), wait = exponential(100ms).cap(10s).full_jitter()`"],
    ),
    ("error = f, stop = attempts(3), wait = none()", &["write `on = f`"]),
    ("ExponentialBackoff = 3", &["write `stop = attempts(5), wait = exponential(3ms)`"]),
    ("waits = fixed(1s)", &["write `stop = attempts(5), wait = fixed(1s)`"]),
    ("forever, forever, wait = none()", &["`forever` is given twice; remove one"]),
];
