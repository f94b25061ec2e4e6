//! The values of `stop` and `wait`.

use super::Mistake;

pub(super) const MISTAKES: &[Mistake] = &[
    ("stop = attempts(3), wait = none() on = f", &["a `,` is missing before `on`"]),
    (
        "stop = attempts(3), wait = none() garbage",
        &["expected `,` after the value of `wait`, not `garbage`"],
    ),
    (
        "stop = attempts(3), wait = none() forever",
        &[
            "a `,` is missing before `forever`",
            "this ends the call, and `forever` says that nothing does:",
        ],
    ),
    (
        "stop = attempts(3),, wait = none()",
        &["one separator too many: a single `,` parts two keys"],
    ),
    ("stop = attempts(3) | , wait = none()", &["something is missing after this `|`"]),
    ("stop = , wait = none()", &["`stop` needs a value after the `=`"]),
    ("stop = 3, wait = 1", &["write `attempts(3)`", "write `fixed(1ms)`"]),
    ("stop = attempts(3), wait = fixed(100 ms)", &["write `100ms`"]),
    ("stop = attempts(3), wait = fixed(1.5 s)", &["write `1.5s`"]),
    ("stop = within(30 s), wait = none()", &["write `30s`"]),
    ("stop = attempts(3), wait = fixed(10)", &["write `10s`"]),
    (r#"stop = attempts(3), wait = fixed("1s")"#, &["a duration is written without quotes: `1s`"]),
    ("stop = attempts(3), wait = fixed()", &["`fixed` takes a duration: `fixed(1s)`"]),
    ("stop = attempts(3), wait = fixed(1s, 2s)", &["write `sequence([1s, 2s])`"]),
    ("stop = attempts(3), wait = fixed(true)", &["write `fixed(1s)`"]),
    ("stop = attempts(3), wait = random(1s, 2s)", &["`random` takes a range: `random(1s..2s)`"]),
    ("stop = attempts(3), wait = random(1s)", &["write `random(0s..1s)`"]),
    (
        "stop = attempts(3), wait = random(1s..=2s)",
        &["`random` takes a range of two ends without `=`:"],
    ),
    ("stop = attempts(3), wait = random()", &["`random` takes a range: `random(50ms..200ms)`"]),
    (
        "stop = attempts(3), wait = random(1s - 2s)",
        &["a range is written with two dots: `random(1s..2s)`"],
    ),
    (
        "stop = attempts(3), wait = exponential(100ms, 2)",
        &["`exponential` takes one duration, and the rest is written"],
    ),
    (
        "stop = attempts(3), wait = exponential(100ms, 2.0, 10s)",
        &["`exponential` takes one duration, and the rest is written"],
    ),
    (
        "stop = attempts(3), wait = exponential(100ms, 10s)",
        &["`exponential` takes one duration, and the rest is written"],
    ),
    (
        "stop = attempts(3), wait = exponential()",
        &["`exponential` takes a duration: `exponential(100ms)`"],
    ),
    (
        "stop = attempts(3), wait = exponential",
        &["`exponential` is a function: write `exponential(…)`"],
    ),
    ("stop = attempts(3), wait = exponential(base = 100ms)", &["write `exponential(100ms)`"]),
    (
        "stop = attempts(3), wait = exponential(base: 100ms)",
        &["arguments have no names here; write the value alone,"],
    ),
    ("stop = attempts(3), wait = exponential(2)", &["write `2s`"]),
    (
        "stop = attempts(3), wait = sequence(1s, 2s)",
        &["`sequence` takes a list: `sequence([1s, 2s])`"],
    ),
    ("stop = attempts(3), wait = sequence([1, 2])", &["write `sequence([1s, 2s])`"]),
    ("stop = attempts(3), wait = sequence(1s)", &["write `sequence([1s])`"]),
    ("stop = attempts(3), wait = sequence[1s, 2s]", &["write `sequence([1s, 2s])`"]),
    ("stop = attempts(3), wait = [1s, 2s]", &["write `sequence([1s, 2s])`"]),
    ("stop = attempts(3), wait = 1s..2s", &["write `random(1s..2s)`"]),
    (
        "stop = attempts(3), wait = linear(1s)",
        &["`linear` takes two durations: `linear(1s, 500ms)`"],
    ),
    ("stop = attempts(3), wait = linear(1s, 2)", &["write `2s`"]),
    ("stop = attempts(3), wait = none(1s)", &["`none` takes no argument: `none()`"]),
    ("stop = attempts(3), wait = fibonacci(1)", &["write `1s`"]),
    (
        "stop = attempts(3), wait = decorrelated(1s)",
        &["`decorrelated` takes two durations: `decorrelated(100ms, 10s)`"],
    ),
    ("stop = attempts(3), wait = by()", &["`by` takes a function: `by(|state| …)`"]),
    (
        "stop = attempts(3), wait = by(1s)",
        &["`by` takes a function of the state; a duration is written"],
    ),
    (
        "stop = attempts(3), wait = by(fixed(1s))",
        &[
            "`by` takes a function of the state, and this is a strategy: write it alone, `fixed(1s)`",
        ],
    ),
    (
        "stop = attempts(3) | when(within(30s)), wait = none()",
        &["and this is a strategy: write it alone, `within(30s)`"],
    ),
    ("stop = attempts(3), wait = sequence([1])", &["`1` has no unit"]),
    ("stop = attempts(3), wait = sequence([1, 2s, 3])", &["write `1s`", "write `3s`"]),
    ("stop = attempts(3), wait = random(1..2)", &["write `random(1s..2s)`"]),
    ("stop = attempts(3), wait = linear(1, 0.5)", &["write `linear(1s, 0.5s)`"]),
    ("stop = attempts(3), wait = decorrelated(1, 60)", &["write `decorrelated(1s, 60s)`"]),
    (
        "stop = attempts(3), wait = exponential(100ms).cap()",
        &["`cap` takes a duration: `.cap(10s)`"],
    ),
    (
        "stop = attempts(3), wait = exponential(100ms).cap(1s, 2s)",
        &["`cap` takes a duration: `.cap(10s)`"],
    ),
    ("stop = attempts(3), wait = exponential(100ms).cap", &["`cap` is a method: write `.cap(…)`"]),
    ("stop = attempts(3), wait = exponential(100ms).cap(10)", &["write `10s`"]),
    (
        r#"stop = attempts(3), wait = exponential(100ms).cap("10s")"#,
        &["a duration is written without quotes: `10s`"],
    ),
    ("stop = attempts(3), wait = exponential(100ms).full_jitter", &["write `.full_jitter()`"]),
    (
        "stop = attempts(3), wait = exponential(100ms).full_jitter(0.5)",
        &["write `.jitter_factor(0.5)`"],
    ),
    (
        "stop = attempts(3), wait = exponential(100ms).full_jitter(true)",
        &["`full_jitter` takes no argument: `.full_jitter()`"],
    ),
    ("stop = attempts(3), wait = exponential(100ms).jitter()", &["write `.jitter(100ms)`"]),
    (
        "stop = attempts(3), wait = exponential(100ms).jitter(0.5)",
        &["`jitter` takes a duration; a part of the delay is written"],
    ),
    ("stop = attempts(3), wait = exponential(100ms).jitter(1s..2s)", &["write `.jitter(100ms)`"]),
    (
        "stop = attempts(3), wait = exponential(100ms).jitter_factor(20)",
        &["a jitter factor of 20 is outside 0..=1; with 0.2 a wait"],
    ),
    (
        "stop = attempts(3), wait = exponential(100ms).jitter_factor(100ms)",
        &["write `.jitter(100ms)`"],
    ),
    ("stop = attempts(3), wait = exponential(100ms).factor(2s)", &["write `.factor(2)`"]),
    (r#"stop = attempts(3), wait = exponential(100ms).factor("2")"#, &["write `.factor(2)`"]),
    (
        "stop = attempts(3), wait = fixed(100ms).factor(2)",
        &["`fixed` has no factor; what grows by one is"],
    ),
    (
        "stop = attempts(3), wait = exponential(100ms).times(3s).then(none())",
        &["write `.times(3).then(fixed(1m))`"],
    ),
    (
        "stop = attempts(3), wait = exponential(100ms).then(none())",
        &["write `first.times(3).then(next)`"],
    ),
    (
        "stop = attempts(3), wait = exponential(100ms) full_jitter()",
        &["a `.` is missing before `full_jitter`: write `.full_jitter(…)`"],
    ),
    (
        "stop = attempts(3), wait = exponential(100ms)->full_jitter()",
        &["a method is called with `.`, not with `->`"],
    ),
    (
        "stop = attempts(3), wait = exponential(100ms) | full_jitter()",
        &["`full_jitter` shapes a wait and stands behind it:"],
    ),
    (
        "stop = attempts(3), wait = exponential(100ms) + full_jitter()",
        &["`full_jitter` shapes a wait and stands behind it:"],
    ),
    (
        "stop = attempts(3), wait = full_jitter()",
        &["`full_jitter` shapes a wait and stands behind it:"],
    ),
    (
        "stop = attempts(3), wait = exponential(100ms).full_jitter().cap(10s).jitter(true)",
        &["`jitter` takes how much it adds at most; the usual one is"],
    ),
    (
        "stop = attempts(-1), wait = none()",
        &["`attempts` counts calls, and `-1` is below zero; if there"],
    ),
    (
        "stop = attempts(3s), wait = none()",
        &["`attempts` takes a number of calls; a time limit is written"],
    ),
    ("stop = attempts(1.5), wait = none()", &["write `attempts(5)`"]),
    (
        "stop = attempts(0), wait = none()",
        &["`attempts(0)` would never call the function; `attempts`"],
    ),
    (r#"stop = attempts("3"), wait = none()"#, &["write `attempts(3)`"]),
    ("stop = attempts(), wait = none()", &["`attempts` takes a number: `attempts(5)`"]),
    ("stop = attempts, wait = none()", &["`attempts` is a function: write `attempts(…)`"]),
    ("stop = attempts(3, 4), wait = none()", &["`attempts` takes a number: `attempts(5)`"]),
    (
        "stop = attempts(99999999999), wait = none()",
        &["`attempts` takes a number of 32 bits, at most 4294967295"],
    ),
    ("stop = attempts(3u64), wait = none()", &["write `attempts(3)`"]),
    ("stop = attempts(3usize), wait = none()", &["write `attempts(3)`"]),
    ("stop = attempts(1..3), wait = none()", &["write `attempts(5)`"]),
    ("stop = within(3), wait = none()", &["write `3s`"]),
    ("stop = within(), wait = none()", &["`within` takes a duration: `within(30s)`"]),
    ("stop = within(-3s), wait = none()", &["a duration cannot be negative"]),
    (r#"stop = within("30s"), wait = none()"#, &["a duration is written without quotes: `30s`"]),
    ("stop = until(30s), wait = none()", &["write `within(30s)`"]),
    (r#"stop = until("12:00"), wait = none()"#, &["write `until(self.closes_at)`"]),
    ("stop = until(), wait = none()", &["`until` takes an `Instant`: `until(self.closes_at)`"]),
    ("stop = elapsed(3), wait = none()", &["write `3s`"]),
    (
        "stop = within(Instant::now()), wait = none()",
        &["`within` takes a duration; a point in time is written"],
    ),
    ("stop = within(..30s), wait = none()", &["write `within(30s)`"]),
    (
        "stop = when(3), wait = none()",
        &["`when` takes a function of the state: write `when(|state| …)`"],
    ),
    ("stop = retry::attempts(3), wait = none()", &["write `attempts(3)`"]),
    (
        "stop = attempts(3) within(30s), wait = none()",
        &["the two are joined with `|` (either) or `&` (both): write"],
    ),
    (
        "stop = attempts(3), within(30s), wait = none()",
        &["`within` belongs to the key `stop`, which is there: write"],
    ),
    (
        "stop = attempts(3) || within(30s), wait = none()",
        &["stop strategies are joined with a single `|`"],
    ),
    (
        "stop = attempts(3) && within(30s), wait = none()",
        &["stop strategies are joined with a single `&`"],
    ),
    ("stop = attempts(3) and within(30s), wait = none()", &["write `&`"]),
    ("stop = attempts(3) or within(30s), wait = none()", &["write `|`"]),
    (
        "stop = attempts(3) + within(30s), wait = none()",
        &["stop strategies are joined with `|` (give up when either"],
    ),
    ("stop = (attempts(3), within(30s)), wait = none()", &["write `attempts(3) | within(30s)`"]),
    ("stop = [attempts(3), within(30s)], wait = none()", &["write `attempts(3) | within(30s)`"]),
    (
        "stop = attempts(3).or(within(30s)), wait = none()",
        &["stop strategies are joined with `|` (give up when either"],
    ),
    (
        "stop = attempts(3).within(30s), wait = none()",
        &["stop strategies are joined with `|` (give up when either"],
    ),
    ("stop = any(attempts(3), within(30s)), wait = none()", &["write `attempts(3) | within(30s)`"]),
    ("stop = or(attempts(3), within(30s)), wait = none()", &["write `attempts(3) | within(30s)`"]),
    (
        "stop = { attempts: 3 }, wait = none()",
        &["arguments have no names here; write the value alone,"],
    ),
    (
        "stop = !attempts(3), wait = none()",
        &["a stop strategy has no opposite; write the one that is meant"],
    ),
    ("stop = exponential(100ms), wait = none()", &["write `wait = exponential(100ms)`"]),
    ("stop = attempts(3), wait = attempts(3)", &["write `stop = attempts(3)`"]),
    (
        "stop = attempts(3), wait = any_error()",
        &["`any_error` is a condition and belongs to `on`, not to `wait`"],
    ),
    (
        "stop = attempts(3), wait = fixed(1s) | exponential(1s)",
        &["wait strategies are joined with `+`, `.max(…)`, `.min(…)`"],
    ),
    (
        "stop = atempts(3) | witin(30s), wait = none()",
        &["did you mean `attempts`", "did you mean `within`"],
    ),
    (
        "stop = atempts(3), wait = exponental(100ms)",
        &["did you mean `attempts`", "did you mean `exponential`"],
    ),
    (
        "stop = attempts(3), wait = exponental(100ms).ful_jitter()",
        &["did you mean `exponential`", "did you mean `full_jitter`"],
    ),
    (
        "stop = attempts(3), wait = exponential(100ms).capp(1s).ful_jitter()",
        &["did you mean `cap`", "did you mean `full_jitter`"],
    ),
    ("stop = attempts(3), wait = exponential(100ms).with_max_delay(10s)", &["write `.cap(10s)`"]),
    (
        "stop = attempts(3), wait = exponential(100ms).with_min_delay(10ms).with_factor(2.0).with_jitter().with_max_times(3)",
        &[
            "the first delay is the argument of the strategy:",
            "write `.factor(2.0)`",
            "write `.full_jitter()`",
            "`with_max_times` says when to give up, which is a key of",
        ],
    ),
    ("stop = attempts(3), wait = ExponentialBuilder::default()", &["write `exponential(100ms)`"]),
    (
        "stop = attempts(3), wait = ExponentialBuilder::default().with_jitter()",
        &["write `exponential(100ms)`"],
    ),
    (
        "stop = attempts(3), wait = ExponentialBackoff::from_millis(10).map(jitter).take(3)",
        &["write `exponential(10ms)`"],
    ),
    ("stop = attempts(3), wait = FixedInterval::from_millis(10)", &["write `fixed(10ms)`"]),
    ("stop = attempts(3), wait = ConstantBuilder::default()", &["write `fixed(100ms)`"]),
    (
        "stop = attempts(3), wait = wait_exponential_jitter(1s)",
        &["write `exponential(1s).cap(60s).jitter(1s)`"],
    ),
    (
        "stop = stop_after_attempt(3) | stop_after_delay(30s) | stop_before_delay(30s), wait = wait_fixed(3)",
        &[
            "write `attempts(3)`",
            "write `elapsed(30s)`",
            "write `within(30s)`",
            "write `fixed(3s)`",
        ],
    ),
    (
        "stop = attempts(3), wait = wait_fixed(3) + wait_random(0, 2)",
        &["write `fixed(3s)`", "write `random(least..most)`"],
    ),
    (
        "stop = attempts(3), wait = wait_chain(fixed(1s), fixed(2s))",
        &["write `first.times(n).then(next)`"],
    ),
    ("stop = attempts(3), wait = exponential(initial_interval = 1s)", &["write `exponential(1s)`"]),
    ("stop = forever, wait = none()", &["write the flag `forever` alone, in place of `stop = …`"]),
    (
        "stop = forever(), wait = none()",
        &["write the flag `forever` alone, in place of `stop = …`"],
    ),
    (
        "stop = attempts(3), wait = fixed(1s).max(fixed(2s), fixed(3s))",
        &["`max` takes one strategy; join several there: `(fixed(1s) +"],
    ),
    (
        "stop = attempts(3), wait = fixed(1s).factor(2)",
        &["`fixed` has no factor; what grows by one is"],
    ),
    (
        "stop = attempts(3), wait = exponential(1s).cap(3s).factor(2)",
        &["`factor` stands right behind `exponential(…)`, before the"],
    ),
    ("stop = attempts(3), wait = fixed(1s).then(none())", &["write `first.times(3).then(next)`"]),
    (
        "stop = attempts(3), wait = backon::ExponentialBuilder::default()",
        &["write `exponential(100ms)`"],
    ),
    (
        "stop = attempts(3), wait = tokio_retry::strategy::ExponentialBackoff::from_millis(10)",
        &["write `exponential(10ms)`"],
    ),
    (
        "stop = attempts(3), wait = exponential(base: 100ms, max: 10s)",
        &["arguments have no names here; write the value alone,"],
    ),
    ("stop = attempts(max = 3), wait = none()", &["write `attempts(3)`"]),
    (
        "stop = attempts(n = 3) | within(secs = 3), wait = none()",
        &["write `attempts(3)`", "write `within(3s)`"],
    ),
    (
        "stop = attempts(3) | within(30), wait = exponential(100).cap(10)",
        &["write `30s`", "write `100s`", "write `10s`"],
    ),
    ("stop = 3 + 2, wait = 100ms + 3s", &["write `attempts(3 + 2)`", "write `fixed(100ms + 3s)`"]),
    ("stop = if n > 3 { 5 } else { attempts(3) }, wait = none()", &["write `attempts(5)`"]),
    (
        "stop = match n { 0 => atempts(3), _ => witin(3s) }, wait = none()",
        &["did you mean `attempts`", "did you mean `within`"],
    ),
    (
        "stop = || true, wait = none()",
        &["the closure of `stop` is given the state: write `stop = |state| …`"],
    ),
    (
        "stop = |s, t| true, wait = || 3s",
        &[
            "the closure of `stop` is given the state: write `stop = |state| …`",
            "the closure of `wait` is given the state, and the outcome if it wants it: write `wait = |state| …` or `wait = |state, outcome| …`",
        ],
    ),
    (
        "stop = attempts(3), wait = |a, b, c| 3s",
        &[
            "the closure of `wait` is given the state, and the outcome if it wants it: write `wait = |state| …` or `wait = |state, outcome| …`",
        ],
    ),
    ("stop = async |s| true, wait = none()", &["`stop` awaits nothing; remove `async`"]),
    (
        "stop = attempts(3), wait = none(),;",
        &["one separator too many: a single `,` parts two keys"],
    ),
    (
        "stop = attempts(3), wait = fixed(1s).unless_hinted(2s)",
        &["`unless_hinted` takes no argument"],
    ),
    ("stop = attempts(3), wait = fixed(1s).unless_hint()", &["did you mean `unless_hinted`"]),
    ("stop = attempts(3), wait = fixed(1s).throttle(fixed(2s))", &["did you mean `throttled`"]),
    (
        "stop = attempts(3), wait = fixed(1s).max(2s)",
        &["`max` takes a strategy and gives the longer of two; the"],
    ),
    (
        "stop = attempts(3), wait = linear(1s).cap(1)",
        &["`linear` takes two durations: `linear(1s, 500ms)`", "write `1s`"],
    ),
    ("stop = attempts 3, wait = none()", &["write `attempts(3)`"]),
    ("stop = attempts = 3, wait = none()", &["write `stop = attempts(3)`"]),
    ("stop = attempts[3], wait = none()", &["write `attempts(3)`"]),
    ("stop = attempts{3}, wait = none()", &["write `attempts(3)`"]),
    (
        "stop = attempts!(3), wait = none()",
        &["a strategy is written without the `!`: `attempts(3)`"],
    ),
    ("stop = Attempts(3), wait = none()", &["did you mean `attempts`"]),
    (
        r#"stop = "attempts(3)", wait = "exponential""#,
        &["write `attempts(3)`", "write `fixed(100ms)`"],
    ),
    (r#"stop = "3", wait = "1s""#, &["write `attempts(3)`", "write `fixed(1s)`"]),
    ("stop = 3s, wait = 3", &["write `within(3s)`", "write `fixed(3ms)`"]),
    ("stop = true, wait = false", &["write `attempts(5)`", "write `fixed(100ms)`"]),
    (
        "stop = Duration::from_secs(3), wait = Duration::from_secs(1)",
        &["write `within(Duration::from_secs(3))`", "write `fixed(Duration::from_secs(1))`"],
    ),
    (
        "stop = attempts(3), wait = exponential(100ms) cap(10s)",
        &["a `.` is missing before `cap`: write `.cap(…)`"],
    ),
    (
        "stop = attempts(3), wait = exponential(100ms), cap(10s), full_jitter()",
        &[
            "write `wait = exponential(100ms).cap(10s)`",
            "write `wait = exponential(100ms).full_jitter()`",
        ],
    ),
    (
        "stop = attempts(3), wait = exponential(100ms), full_jitter",
        &["write `wait = exponential(100ms).full_jitter()`"],
    ),
    (
        "stop = attempts(3), wait = exponential(100ms).jitter",
        &["`jitter` is a method: write `.jitter(…)`"],
    ),
    (
        "stop = attempts(3), wait = exponential.cap(10s)",
        &["`exponential` is a function: write `exponential(…)`"],
    ),
    (
        "stop = attempts(3), wait = exponential(100ms).cap(10s).retries(3)",
        &["`retries` says when to give up, which is a key of its own:"],
    ),
    (
        "stop = attempts(3), wait = exponential(100ms) * 2",
        &["wait strategies are joined with `+`, `.max(…)`, `.min(…)`"],
    ),
    (
        "stop = attempts(3), wait = 2 * fixed(1s)",
        &["wait strategies are joined with `+`, `.max(…)`, `.min(…)`"],
    ),
    (
        "stop = attempts(3), wait = fixed(1s) - fixed(1s)",
        &["wait strategies are joined with `+`, `.max(…)`, `.min(…)`"],
    ),
    ("stop = attempts(3), wait = none", &["write `none()`"]),
    ("stop = attempts(3), wait = 0", &["write `fixed(0ms)`"]),
    ("stop = attempts(3), wait = ()", &["write `none()`"]),
    ("stop = attempts(3), wait = fixed(1 second)", &["write `1s`"]),
    ("stop = attempts(3), wait = fixed(1sec)", &["write `1s`"]),
    ("stop = attempts(3), wait = fixed(1m30s)", &["write `90s`"]),
    ("stop = attempts(3), wait = fixed(.5s)", &["write `0.5s`"]),
    ("stop = attempts(3), wait = fixed(0.5)", &["write `0.5s`"]),
    ("stop = attempts(3), wait = random(2s..1s)", &["the range from 2s to 1s is empty"]),
    ("stop = attempts(3), wait = random(1s..2)", &["write `2s`"]),
    (
        "stop = attempts(3), wait = random(..2s)",
        &["`random` takes a range of two ends without `=`:"],
    ),
    ("stop = attempts(3), wait = random([1s, 2s])", &["write `random(1s..2s)`"]),
    ("stop = attempts(3), wait = random((1s, 2s))", &["write `random(1s..2s)`"]),
    (
        r#"stop = attempts(3), wait = sequence([1s, "2s"])"#,
        &["a duration is written without quotes: `2s`"],
    ),
    ("stop = attempts(3), wait = sequence((1s, 2s))", &["write `sequence([1s, 2s])`"]),
    ("stop = attempts(3), wait = sequence([])", &["write `none()`"]),
    ("stop = attempts(3), wait = sequence()", &["`sequence` takes a list: `sequence([1s, 5s])`"]),
    ("stop = attempts(3), wait = sequence([1s 2s])", &["a `,` is missing before `2s`"]),
    ("stop = attempts(3), wait = exponential(-100ms)", &["a duration cannot be negative"]),
    ("stop = attempts(3), wait = exponential(0ms)", &["write `none()`"]),
    (
        "stop = attempts(3), wait = exponential(100ms).factor(0.5)",
        &["a factor of 0.5 would make the waits shorter and shorter;"],
    ),
    (
        "stop = attempts(3), wait = exponential(100ms).factor(-2)",
        &["a factor of -2 would make the waits shorter and shorter; it"],
    ),
    (
        "stop = attempts(3), wait = exponential(100ms).cap(50ms)",
        &["the cap of 50ms is below the base of 100ms"],
    ),
    (
        "stop = attempts(3), wait = exponential(100ms).jitter(true)",
        &["`jitter` takes how much it adds at most; the usual one is"],
    ),
    (
        r#"stop = attempts(3), wait = exponential(100ms).jitter_factor("20%")"#,
        &["write `.jitter_factor(0.2)`"],
    ),
    (
        "stop = within(30s) | attempts(3) | , wait = none()",
        &["something is missing after this `|`"],
    ),
    ("stop = | attempts(3), wait = none()", &["no `|` stands before the first"]),
    (
        "stop = attempts(3) | within(30s) attempts(5), wait = none()",
        &["the two are joined with `|` (either) or `&` (both): write"],
    ),
    (
        "stop = attempts(3) within 30s, wait = none()",
        &["the two are joined with `|` (either) or `&` (both): write"],
    ),
    ("stop = attempts(3) | 30s, wait = none()", &["write `within(30s)`"]),
    ("stop = 3 | 30s, wait = none()", &["write `attempts(3)`", "write `within(30s)`"]),
    ("stop = attempts(3) | timeout(30s), wait = none()", &["write `within(30s)`"]),
    ("stop = max_attempts(3), wait = constant(1s)", &["write `attempts(3)`", "write `fixed(1s)`"]),
    ("stop = attempts(1), wait = none()", &["write `attempts(2)`"]),
    ("stop = None, wait = None", &["the flag `forever`", "write `none()`"]),
];
