//! The value of `on`.

use super::Mistake;

pub(super) const MISTAKES: &[Mistake] = &[
    (
        r#"stop = attempts(3), wait = none(), on = is_busy name = "x""#,
        &["a `,` is missing before `name`"],
    ),
    (
        r#"stop = attempts(3), wait = none(), on = |e| e.busy() name = "x""#,
        &["a `,` is missing before `name`"],
    ),
    (r#"stop = attempts(3), wait = none(), on = |e| e.busy(), "x""#, &[r#"write `name = "x"`"#]),
    (
        "stop = attempts(3), wait = none(), on = attempts(3)",
        &["`attempts` is a stop strategy and belongs to `stop`, not to `on`"],
    ),
    (
        "stop = attempts(3), wait = none(), on = exponential(3s)",
        &["`exponential` is a wait strategy and belongs to `wait`, not"],
    ),
    (
        "stop = attempts(3), wait = none(), on = retry_if_exception_type(IOError)",
        &["write `on = is::<IOError>()`"],
    ),
    ("stop = attempts(3), wait = none(), on = retry_if_result(f)", &["write `on = ok(f)`"]),
    (
        "stop = attempts(3), wait = none(), on = retry_if_not_result(f), reraise = true, before_sleep_log = x, retry_error_callback = f",
        &[
            "unknown key `reraise`; the function returns its own last",
            "unknown key `before_sleep_log`; every retry is logged as it",
            "unknown key `retry_error_callback`; write `fallback =",
            "`retry_if_not_result` is not known to `on`; write `on =",
        ],
    ),
    ("stop = attempts(3), wait = none(), on = Err(E::Busy)", &["write `matches(Err(E::Busy))`"]),
    ("stop = attempts(3), wait = none(), on = Err(_)", &["write `matches(Err(_))`"]),
    ("stop = attempts(3), wait = none(), on = None", &["write `any_error()`"]),
    ("stop = attempts(3), wait = none(), on = Ok(3)", &["write `matches(Ok(3))`"]),
    ("stop = attempts(3), wait = none(), on = Some(x)", &["write `matches(Some(x))`"]),
    ("stop = attempts(3), wait = none(), on = E::Busy", &["write `matches(Err(E::Busy))`"]),
    (
        "stop = attempts(3), wait = none(), on = E::Busy | E::Down",
        &["write `matches(Err(E::Busy))`", "write `matches(Err(E::Down))`"],
    ),
    (
        "stop = attempts(3), wait = none(), on = E::Status(503)",
        &["write `matches(Err(E::Status(503)))`"],
    ),
    (
        "stop = attempts(3), wait = none(), on = E::Status { code: 3 }",
        &["write `matches(Err(E::Status { code: 3 }))`"],
    ),
    (
        "stop = attempts(3), wait = none(), on = E::Status { .. }",
        &["write `matches(Err(E::Status { .. }))`"],
    ),
    ("stop = attempts(3), wait = none(), on = matches(A, B)", &["write `matches(A | B)`"]),
    (
        "stop = attempts(3), wait = none(), on = matches(Err(A), Err(B))",
        &["write `matches(Err(A) | Err(B))`"],
    ),
    (
        "stop = attempts(3), wait = none(), on = matches(e, Err(B))",
        &["the outcome is not named here: write the pattern alone,"],
    ),
    (
        "stop = attempts(3), wait = none(), on = matches(Err(e) => e.busy())",
        &["a guard is written with `if`: `matches(Err(e) if …)`"],
    ),
    (
        "stop = attempts(3), wait = none(), on = matches(Err(e) && e.busy())",
        &["a guard is written with `if`: `matches(Err(e) if …)`"],
    ),
    (
        "stop = attempts(3), wait = none(), on = matches(Err(e), if e.busy())",
        &["no `,` stands before the guard: `matches(Err(error) if …)`"],
    ),
    (
        "stop = attempts(3), wait = none(), on = matches()",
        &["say what: `matches(Err(MyError::Busy))`, as in `matches!`"],
    ),
    (
        "stop = attempts(3), wait = none(), on = matches(|e| e.busy())",
        &["`matches` takes a pattern; a closure stands by itself: `on"],
    ),
    (
        "stop = attempts(3), wait = none(), on = matches(Err(E::Busy) || Err(E::Down))",
        &["patterns are joined with a single `|`"],
    ),
    (
        "stop = attempts(3), wait = none(), on = matches!(Err(E::Busy))",
        &["in `on` it is written without the `!`: `matches(Err(…))`"],
    ),
    (
        "stop = attempts(3), wait = none(), on = matches(e.busy())",
        &["`matches` takes a pattern, as `matches!` does; what is"],
    ),
    ("stop = attempts(3), wait = none(), on = self.ok", &["write `error(self.ok)`"]),
    ("stop = attempts(3), wait = none(), on = self.ok()", &["write `|error| self.ok(error)`"]),
    ("stop = attempts(3), wait = none(), on = self.ok(3)", &["write `error(self.ok(3))`"]),
    ("stop = attempts(3), wait = none(), on = e.is_busy()", &["write `|e| e.is_busy()`"]),
    (
        "stop = attempts(3), wait = none(), on = async |e| e.busy()",
        &["`on` judges what is there and awaits nothing; find it out"],
    ),
    (
        "stop = attempts(3), wait = none(), on = async { true }",
        &["`on` judges what is there and awaits nothing; find it out"],
    ),
    (
        "stop = attempts(3), wait = none(), on = |e, n| e.busy()",
        &["the closure is given one argument: write `|error| …`"],
    ),
    (
        "stop = attempts(3), wait = none(), on = || true",
        &["the closure is given one argument: write `|error| …`"],
    ),
    ("stop = attempts(3), wait = none(), on = [a, b]", &["write `a | b`"]),
    ("stop = attempts(3), wait = none(), on = (a, b)", &["write `a | b`"]),
    ("stop = attempts(3), wait = none(), on = any(a, b)", &["write `a | b`"]),
    ("stop = attempts(3), wait = none(), on = a or b", &["write `|`"]),
    (
        "stop = attempts(3), wait = none(), on = a || b",
        &["conditions are joined with a single `|`"],
    ),
    ("stop = attempts(3), wait = none(), on = not a", &["write `!`"]),
    ("stop = attempts(3), wait = none(), on = not(a)", &["write `!`"]),
    (
        "stop = attempts(3), wait = none(), on = a, b",
        &["`b` is no key; if it is another condition, write `on = … | b`"],
    ),
    (
        r#"stop = attempts(3), wait = none(), on = "busy""#,
        &[r#"write `|error| error.to_string().contains("busy")`"#],
    ),
    (
        "stop = attempts(3), wait = none(), on = 503",
        &["`on` judges an outcome; write what is to be that: `|error|"],
    ),
    (
        "stop = attempts(3), wait = none(), on = 500..=599",
        &["`on` judges an outcome; write what is in that range:"],
    ),
    ("stop = attempts(3), wait = none(), on = true", &["write `on = any_error()`"]),
    (
        "stop = attempts(3), wait = none(), on = 'x'",
        &["`on` judges an outcome; write what is to be that: `|error|"],
    ),
    (
        "stop = attempts(3), wait = none(), on = !ok(f)",
        &["`!` turns a verdict on errors around; of values it would"],
    ),
    (
        "stop = attempts(3), wait = none(), on = !matches(E)",
        &["`!` turns a verdict on errors around; of values it would"],
    ),
    ("stop = attempts(3), wait = none(), on = -f", &["write `f`"]),
    ("stop = attempts(3), wait = none(), on = &f", &["write `f`"]),
    ("stop = attempts(3), wait = none(), on = *f", &["write `f`"]),
    (
        "stop = attempts(3), wait = none(), on = { f }",
        &["a condition is no expression; decide in a closure: `|error|"],
    ),
    (
        "stop = attempts(3), wait = none(), on = if x { a } else { b }",
        &["a condition is no expression; decide in a closure: `|error|"],
    ),
    (
        "stop = attempts(3), wait = none(), on = match x { _ => a }",
        &["a condition is no expression; decide in a closure: `|error|"],
    ),
    (
        "stop = attempts(3), wait = none(), on = e == E::Busy",
        &["`on` compares nothing itself; write a closure: `|error| …`,"],
    ),
    (
        "stop = attempts(3), wait = none(), on = E::is_busy == true",
        &["`on` compares nothing itself; write a closure: `|error| …`,"],
    ),
    (
        "stop = attempts(3), wait = none(), on = e.kind() == io::ErrorKind::NotFound",
        &["write `|e| e.kind() == io::ErrorKind::NotFound`"],
    ),
    (
        "stop = attempts(3), wait = none(), on = io::ErrorKind::TimedOut",
        &["write `|error| error.kind() == io::ErrorKind::TimedOut`"],
    ),
    (
        "stop = attempts(3), wait = none(), on = StatusCode::BAD_GATEWAY",
        &["write `|error| error.status() == StatusCode::BAD_GATEWAY`"],
    ),
    ("stop = attempts(3), wait = none(), on = io::Error", &["write `is::<io::Error>()`"]),
    (
        "stop = attempts(3), wait = none(), on = is(io::Error)",
        &["say which type of error: `is::<MyError>()`"],
    ),
    ("stop = attempts(3), wait = none(), on = is<io::Error>()", &["write `is::<MyError>()`"]),
    ("stop = attempts(3), wait = none(), on = is::<io::Error>", &["write `is::<io::Error>()`"]),
    (
        "stop = attempts(3), wait = none(), on = is::<io::Error, E>()",
        &["say which type of error: `is::<MyError>()`"],
    ),
    ("stop = attempts(3), wait = none(), on = transient", &["write `transient()`"]),
    ("stop = attempts(3), wait = none(), on = transient(f)", &["write `transient()`"]),
    ("stop = attempts(3), wait = none(), on = marked", &["write `marked()`"]),
    ("stop = attempts(3), wait = none(), on = marked(E::Busy)", &["write `marked()`"]),
    ("stop = attempts(3), wait = none(), on = markd()", &["did you mean `marked`"]),
    ("stop = attempts(3), wait = none(), on = !marked()", &["write `any_error()`"]),
    ("stop = attempts(3), wait = none(), on = marked().at_most(2)", &["it grants no retry"]),
    ("stop = attempts(3), wait = none(), on = f & marked()", &["leave it out"]),
    ("stop = attempts(3), wait = none(), on = any_error", &["write `any_error()`"]),
    ("stop = attempts(3), wait = none(), on = any_error(E)", &["write `any_error()`"]),
    (
        "stop = attempts(3), wait = none(), on = error",
        &["`error` is a condition: write `error(|it| …)` (a function"],
    ),
    ("stop = attempts(3), wait = none(), on = error()", &["write `any_error()`"]),
    (
        "stop = attempts(3), wait = none(), on = error(a, b)",
        &["`error` takes one function; several conditions are joined"],
    ),
    (
        "stop = attempts(3), wait = none(), on = ok",
        &["`ok` is a condition: write `ok(|it| …)` (a function of your"],
    ),
    (
        "stop = attempts(3), wait = none(), on = ok()",
        &["say what is worth another attempt: `ok(|it| …)`"],
    ),
    (
        "stop = attempts(3), wait = none(), on = ok(3)",
        &["`ok` takes a function: write `ok(|value| …)`"],
    ),
    ("stop = attempts(3), wait = none(), on = error(E::Busy)", &["write `matches(Err(E::Busy))`"]),
    (
        "stop = attempts(3), wait = none(), on = error(true)",
        &["`error` takes a function: write `error(|error| …)`"],
    ),
    (
        "stop = attempts(3), wait = none(), on = error(_)",
        &["`error` takes a function: write `error(|error| …)`"],
    ),
    (
        "stop = attempts(3), wait = none(), on = f.at_most()",
        &["say how many retries: `….at_most(3)`"],
    ),
    ("stop = attempts(3), wait = none(), on = f.at_most(3, 4)", &["write `.at_most(3)`"]),
    (
        "stop = attempts(3), wait = none(), on = f.at_most",
        &["say how many retries: `….at_most(3)`"],
    ),
    ("stop = attempts(3), wait = none(), on = f.at_most(3s)", &["write `.at_most(3)`"]),
    ("stop = attempts(3), wait = none(), on = f.at_most(-1)", &["write `.at_most(3)`"]),
    (
        "stop = attempts(3), wait = none(), on = f.at_most(0)",
        &["`at_most(0)` grants no retry; remove the condition instead"],
    ),
    ("stop = attempts(3), wait = none(), on = f.atmost(3)", &["did you mean `at_most`"]),
    (
        "stop = attempts(3), wait = none(), on = f.or(g)",
        &["conditions are joined with `|` (either) and `&` (both):"],
    ),
    ("stop = attempts(3), wait = none(), on = f.not()", &["write `!`"]),
    (
        "stop = attempts(3), wait = none(), on = any_eror() | tranient()",
        &["did you mean `any_error`", "did you mean `transient`"],
    ),
    ("stop = attempts(3), wait = none(), on =", &["`on` needs a value after the `=`"]),
    ("stop = attempts(3), wait = none(), on = f |", &["something is missing after this `|`"]),
    ("stop = attempts(3), wait = none(), on = | f", &["no `|` stands before the first condition"]),
    (
        "stop = attempts(3), wait = none(), on = f g",
        &["expected `,` after the value of `on`, not `g`"],
    ),
    (
        "stop = attempts(3), wait = none(), on = io::Error | E::Busy",
        &["write `is::<io::Error>()`", "write `matches(Err(E::Busy))`"],
    ),
    ("stop = attempts(3), wait = none(), on = |e|", &["something is missing after this `|`"]),
    (
        "stop = attempts(3), wait = none(), on = |e e.busy()",
        &["no `|` stands before the first condition"],
    ),
    (
        "stop = attempts(3), wait = none(), on = retry_if_exception_type(IOError) | retry_if_result(f) | retry_if_not_result(f)",
        &[
            "write `on = is::<IOError>()`",
            "write `on = ok(f)`",
            "`retry_if_not_result` is not known to `on`; write `on =",
        ],
    ),
    (
        "stop = attempts(3), wait = none(), on = any_error(), on = f",
        &["`on` is given twice; remove one"],
    ),
    (
        "stop = attempts(3), wait = none(), on = ok(|v| v.x), error(f)",
        &["`error` belongs to the key `on`, which is there: write `on"],
    ),
    (
        "stop = attempts(3), wait = none(), on = |e: &E| e.busy(), retries = 3",
        &["write `stop = attempts(4)`"],
    ),
    ("stop = attempts(3), wait = none(), on = matches(E::Busy if x, y)", &["this is one too many"]),
    ("stop = attempts(3), wait = none(), on = matchs(Err(E::Busy))", &["did you mean `matches`"]),
    (
        "stop = attempts(3), wait = none(), on = Err(E::Busy) | Err(E::Down)",
        &["write `matches(Err(E::Busy))`", "write `matches(Err(E::Down))`"],
    ),
    (
        "stop = attempts(3), wait = none(), on = Err(E::Busy | E::Down)",
        &["write `matches(Err(E::Busy | E::Down))`"],
    ),
    (
        "stop = attempts(3), wait = none(), on = Err(e) if e.busy()",
        &["a pattern stands in `matches`, and its guard too:"],
    ),
    (
        "stop = attempts(3), wait = none(), on = Err(e) => e.busy()",
        &["a pattern stands in `matches`, and its guard too:"],
    ),
    ("stop = attempts(3), wait = none(), on = Err", &["write `matches(Err(_))`"]),
    (
        "stop = attempts(3), wait = none(), on = _",
        &["`on` takes a path, a closure or a condition; write `|error|"],
    ),
    ("stop = attempts(3), wait = none(), on = E::Busy()", &["write `matches(Err(E::Busy()))`"]),
    ("stop = attempts(3), wait = none(), on = E", &["write `is::<E>()`"]),
    ("stop = attempts(3), wait = none(), on = &E::is_busy", &["write `E::is_busy`"]),
    ("stop = attempts(3), wait = none(), on = E.is_busy", &["write `error(E.is_busy)`"]),
    (
        "stop = attempts(3), wait = none(), on = .is_busy()",
        &["`on` takes a path, a closure or a condition; write `|error|"],
    ),
    ("stop = attempts(3), wait = none(), on = error = f", &["write `on = error(f)`"]),
    (
        "stop = attempts(3), wait = none(), on = error(f) ok(g)",
        &["the two are joined with `|` (either) or `&` (both): write"],
    ),
    ("stop = attempts(3), wait = none(), on = all(a, b)", &["write `a & b`"]),
    (
        "stop = attempts(3), wait = none(), on = io::Error | http::Error",
        &["write `is::<io::Error>()`", "write `is::<http::Error>()`"],
    ),
    (
        "stop = attempts(3), wait = none(), on = f && g",
        &["conditions are joined with a single `&`"],
    ),
    (
        "stop = attempts(3), wait = none(), on = f + g",
        &["expected `,` after the value of `on`, not `+`"],
    ),
    (
        "stop = attempts(3), wait = none(), on = f, g",
        &["`g` is no key; if it is another condition, write `on = … | g`"],
    ),
    ("stop = attempts(3), wait = none(), on(f)", &["write `on = f`"]),
    ("stop = attempts(3), wait = none(), on f", &["write `on = f`"]),
    ("stop = attempts(3), wait = none(), on: f", &["write `on = f`"]),
    ("stop = attempts(3), wait = none(), on |e| e.busy()", &["write `on = |e| e.busy()`"]),
];
