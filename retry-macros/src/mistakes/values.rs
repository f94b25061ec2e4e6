//! The values of the keys that are neither strategies nor conditions.

use super::Mistake;

pub(super) const MISTAKES: &[Mistake] = &[
    (
        "stop = attempts(3), wait = none(), garbage",
        &["unknown key `garbage`; the keys are `stop`, `wait`, `on`,"],
    ),
    ("stop = attempts(3), wait = none(), 5", &["write `stop = attempts(5)`"]),
    (
        "stop = attempts(3), wait = none(), wait = none(), wait = none()",
        &["`wait` is given twice; remove one", "`wait` is given twice; remove one"],
    ),
    (
        "stop = attempts(3), wait = none(), retry = retry_if_exception_type(IOError)",
        &["write `on = retry_if_exception_type(IOError)`"],
    ),
    (
        "stop = attempts(3), wait = none(), notify = f, adjust = g",
        &[
            "unknown key `notify`; write `before_sleep = |attempt,",
            "unknown key `adjust`; what an error asks for is a hint of",
        ],
    ),
    ("stop = attempts(3), wait = none(), error = f", &["write `on = f`"]),
    ("stop = attempts(3), wait = none(), clone(bdy.0)", &["write `clone(bdy)`"]),
    ("stop = attempts(3), wait = none(), clone(bdoy)", &["did you mean `body`"]),
    ("stop = attempts(3), wait = none(), clone(&body)", &["write `clone(body)`"]),
    ("stop = attempts(3), wait = none(), clone(*body)", &["write `clone(body)`"]),
    ("stop = attempts(3), wait = none(), clone(mut body)", &["write `clone(body)`"]),
    ("stop = attempts(3), wait = none(), clone(body.clone())", &["write `clone(body)`"]),
    (r#"stop = attempts(3), wait = none(), clone("body")"#, &["write `clone(body)`"]),
    ("stop = attempts(3), wait = none(), clone()", &["`clone()` names no argument; remove it"]),
    (
        "stop = attempts(3), wait = none(), clone = body",
        &["`clone` takes the names of arguments: `clone(body)`"],
    ),
    (
        "stop = attempts(3), wait = none(), clone = [body]",
        &["`clone` takes the names of arguments: `clone(body)`"],
    ),
    (
        "stop = attempts(3), wait = none(), clone",
        &["`clone` takes the names of arguments: `clone(body, headers)`"],
    ),
    (
        "stop = attempts(3), wait = none(), clone(self)",
        &["`self` cannot be cloned for each attempt; take `&self`, and"],
    ),
    (
        "stop = attempts(3), wait = none(), clone(body body)",
        &["a `,` is missing between the names"],
    ),
    ("stop = attempts(3), wait = none(), clone(body: String)", &["write `clone(body)`"]),
    (
        "stop = attempts(3), wait = none(), clone(body), clone(n)",
        &["`clone` is given twice; remove one"],
    ),
    ("stop = attempts(3), wait = none(), clone(body, body)", &["`body` is named twice"]),
    ("stop = attempts(3), wait = none(), clone(E)", &["`E` is not an argument of this function"]),
    (
        r#"stop = attempts(3), wait = none(), before = "x""#,
        &["`before` takes a closure or the path of a function: write"],
    ),
    (
        "stop = attempts(3), wait = none(), before = { log(); }",
        &["`before` takes a closure or the path of a function: write"],
    ),
    (
        "stop = attempts(3), wait = none(), before = {}",
        &["`before` takes a closure or the path of a function: write"],
    ),
    (
        r#"stop = attempts(3), wait = none(), before = log::info!("x")"#,
        &["`before` takes a closure or the path of a function: write"],
    ),
    ("stop = attempts(3), wait = none(), before(f)", &["write `before = f`"]),
    ("stop = attempts(3), wait = none(), before", &["`before` needs a value: `before = …`"]),
    (
        "stop = attempts(3), wait = none(), before = |a| , after = |a, o| ()",
        &["something is missing after this `|`"],
    ),
    (
        "stop = attempts(3), wait = none(), before = true",
        &["`before` takes a closure or the path of a function: write"],
    ),
    (
        "stop = attempts(3), wait = none(), before = a + b",
        &["`before` takes a closure or the path of a function: write"],
    ),
    (
        "stop = attempts(3), wait = none(), before = a | b",
        &["`before` takes a closure or the path of a function: write"],
    ),
    (
        "stop = attempts(3), wait = none(), before = fn() {}",
        &["the value of `before` cannot be read from here: expected an"],
    ),
    ("stop = attempts(3), wait = none(), before = x = y", &["write `before = x`"]),
    (
        "stop = attempts(3), wait = none(), name = foo",
        &[r#"`name` takes a string: `name = "fetch"`"#],
    ),
    (
        "stop = attempts(3), wait = none(), name = foo::bar",
        &[r#"`name` takes a string: `name = "fetch"`"#],
    ),
    (
        r#"stop = attempts(3), wait = none(), name = """#,
        &["an empty name tells nothing; write one, or remove the key"],
    ),
    (
        r#"stop = attempts(3), wait = none(), name = " ""#,
        &["an empty name tells nothing; write one, or remove the key"],
    ),
    (
        "stop = attempts(3), wait = none(), name = 'x'",
        &[r#"`name` takes a string: `name = "fetch"`"#],
    ),
    (
        r#"stop = attempts(3), wait = none(), name = b"x""#,
        &[r#"`name` takes a string: `name = "fetch"`"#],
    ),
    (r#"stop = attempts(3), wait = none(), name("x")"#, &[r#"write `name = "x"`"#]),
    (
        r#"stop = attempts(3), wait = none(), name = format!("x")"#,
        &[r#"`name` takes a string: `name = "fetch"`"#],
    ),
    (
        r#"stop = attempts(3), wait = none(), name = concat!("x", "y")"#,
        &[r#"`name` takes a string: `name = "fetch"`"#],
    ),
    (
        r#"stop = attempts(3), wait = none(), enabled = "false""#,
        &["a `bool` is written without quotes: `enabled = false`"],
    ),
    ("stop = attempts(3), wait = none(), enabled", &["`enabled` needs a value: `enabled = …`"]),
    ("stop = attempts(3), wait = none(), enabled = 1", &["write `enabled = true`"]),
    ("stop = attempts(3), wait = none(), enabled(false)", &["write `enabled = false`"]),
    (
        "stop = attempts(3), wait = none(), enabled = |x| true",
        &["`enabled` takes a `bool`, not a closure; write its body alone"],
    ),
    ("stop = attempts(3), wait = none(), disabled", &["write `enabled = false`"]),
    ("stop = attempts(3), wait = none(), idempotent(x)", &["write `idempotent = x`"]),
    (r#"stop = attempts(3), wait = none(), idempotent = "yes""#, &["write `idempotent = true`"]),
    ("stop = attempts(3), wait = none(), idempotent = 1", &["write `idempotent = true`"]),
    ("stop = attempts(3), wait = none(), idempotent: true", &["write `idempotent = true`"]),
    ("stop = attempts(3), wait = none(), crate = foo", &["write `crate = ::my_crate::retry`"]),
    (r#"stop = attempts(3), wait = none(), crate = "::foo""#, &["write `crate = ::foo`"]),
    (
        "stop = attempts(3), wait = none(), crate = ::foo::",
        &["the value of `crate` cannot be read from here: unexpected"],
    ),
    ("stop = attempts(3), wait = none(), crate", &["`crate` needs a value: `crate = …`"]),
    (
        "stop = attempts(3), wait = none(), sleep = 1s",
        &["`sleep` says how to sleep: write the function alone, as in"],
    ),
    ("stop = attempts(3), wait = none(), sleep = sleep(1s)", &["write `sleep = sleep`"]),
    (
        r#"stop = attempts(3), wait = none(), sleep = "tokio""#,
        &["`sleep` says how to sleep: write the function alone, as in"],
    ),
    (
        "stop = attempts(3), wait = none(), gate = true",
        &["`gate` takes a closure or the path of a function: write"],
    ),
    (
        "stop = attempts(3), wait = none(), gate = [a, b]",
        &["`gate` takes a closure or the path of a function: write"],
    ),
    ("stop = attempts(3), wait = none(), reset = true", &["write `reset = 30s`"]),
    (
        r#"stop = attempts(3), wait = none(), reset = "30s""#,
        &["a duration is written without quotes: `30s`"],
    ),
    ("stop = attempts(3), wait = none(), reset", &["`reset` needs a value: `reset = …`"]),
    (
        "stop = attempts(3), wait = none(), fallback = 0",
        &["`fallback` takes a closure or the path of a function: write"],
    ),
    (
        "stop = attempts(3), wait = none(), fallback = Ok(3)",
        &["`fallback` takes a closure or the path of a function: write"],
    ),
    (r#"stop = attempts(3), wait = none(), warn_after = "3""#, &["write `warn_after = 3`"]),
    ("stop = attempts(3), wait = none(), warn_after = attempts(3)", &["write `warn_after = 3`"]),
    ("stop = attempts(3), wait = none(), max_hint = 30", &["write `30s`"]),
    (
        r#"stop = attempts(3), wait = none(), max_hint = "30s""#,
        &["a duration is written without quotes: `30s`"],
    ),
    ("stop = attempts(3), wait = none(), max_hint = clamp()", &["write `max_hint = clamp(30s)`"]),
    ("stop = attempts(3), wait = none(), max_hint = clamp(30)", &["write `30s`"]),
    (
        "stop = attempts(3), wait = none(), max_hint = clamp(30s, 40s)",
        &["write `max_hint = clamp(30s)`"],
    ),
    ("stop = attempts(3), wait = none(), max_hint = clamp", &["write `max_hint = clamp(30s)`"]),
    (
        "stop = attempts(3), wait = none(), forever",
        &["this ends the call, and `forever` says that nothing does:"],
    ),
    (
        r#"stop = attempts(3), wait = none(), name = "x" idempotent"#,
        &["a `,` is missing before `idempotent`"],
    ),
    (
        r#"stop = attempts(3), wait = none(), idempotent name = "x""#,
        &["a `,` is missing before `name`"],
    ),
    (
        r#"stop = attempts(3), wait = none(), clone(body) name = "x""#,
        &["a `,` is missing before `name`"],
    ),
    (
        "stop = attempts(3), wait = none(), max_attempts = 3, timeout = 30s",
        &["write `stop = attempts(3)`", "write `stop = within(30s)`"],
    ),
    ("stop = attempts(3), wait = none(), |e| e.busy()", &["write `on = |e| e.busy()`"]),
    (
        "stop = attempts(3), wait = none(), is_busy",
        &["unknown key `is_busy`; the keys are `stop`, `wait`, `on`,"],
    ),
    ("stop = attempts(3), wait = none(), retry_if = |e| e.busy()", &["write `on = |e| e.busy()`"]),
    ("stop = attempts(3), wait = none(), when = is_busy", &["write `on = is_busy`"]),
    ("stop = attempts(3), wait = none(), clone(body;)", &["write `clone(body)`"]),
    (
        "stop = attempts(3), wait = none(), clone[body]",
        &["`clone` takes the names of arguments: `clone(body)`"],
    ),
    (
        "stop = attempts(3), wait = none(), clone body",
        &["`clone` takes the names of arguments: `clone(body)`"],
    ),
    (r#"stop = attempts(3), wait = none(), name "x""#, &[r#"write `name = "x"`"#]),
    (r#"stop = attempts(3), wait = none(), names = "x""#, &["did you mean `name`"]),
    (r#"stop = attempts(3), wait = none(), Name = "x""#, &["did you mean `name`"]),
    (
        "stop = attempts(3), wait = none(), before = |a| log(a); after = |a, o| log(a)",
        &["a `,` parts the keys, not a `;`"],
    ),
    (
        "stop = attempts(3), wait = none(), before = |a, b| x, gate = |a, b, c| true",
        &[
            "the closure of `before` is given one argument: write",
            "the closure of `gate` is given two arguments: write `gate =",
        ],
    ),
    (
        "stop = attempts(3), wait = none(), before = async { x }",
        &["`before` takes a closure or the path of a function: write"],
    ),
    (
        "stop = attempts(3), wait = none(), before = [a b]",
        &["the value of `before` cannot be read from here: expected"],
    ),
    (
        "stop = attempts(3), wait = none(), before = [a, |x, y| z]",
        &["the closure of `before` is given one argument: write"],
    ),
    (
        "stop = attempts(3), wait = none(), before = a, b",
        &["unknown key `b`; the keys are `stop`, `wait`, `on`,"],
    ),
    (
        "stop = attempts(3), wait = none(), on_retry = f, onRetry = f",
        &[
            "unknown key `on_retry`; write `before_sleep = |attempt,",
            "unknown key `onRetry`; write `before_sleep = |attempt,",
        ],
    ),
    (
        r#"stop = attempts(3), wait = none(), name = "a", name = "b""#,
        &["`name` is given twice; remove one"],
    ),
    (
        "stop = attempts(3), wait = none(), idempotent, idempotent",
        &["`idempotent` is given twice; remove one"],
    ),
];
