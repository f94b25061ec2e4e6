//! The same in `block!` (`B:`) and `policy!` (`P:`), and what the attribute stands on (`I:`).

use super::Mistake;

pub(super) const MISTAKES: &[Mistake] = &[
    (
        "B: stop = attempts(3), wait = none(), on = any_error()",
        &["`block!` needs something to retry as its last item: `async"],
    ),
    (
        "B: stop = attempts(3), wait = none() || f()",
        &["wait strategies are joined with `+`, `.max(…)`, `.min(…)`"],
    ),
    (
        "B: stop = attempts(3), wait = none() async { f() }",
        &["expected `,` after the value of `wait`, not `async`"],
    ),
    (
        "B: attempts(3), || f()",
        &["write `stop = attempts(3), wait = exponential(100ms).cap(10s).full_jitter()`"],
    ),
    (
        "B: 3, || f()",
        &["write `stop = attempts(3), wait = exponential(100ms).cap(10s).full_jitter()`"],
    ),
    (
        "B: || f()",
        &["write `stop = attempts(5)`", "write `wait = exponential(100ms).cap(10s).full_jitter()`"],
    ),
    (
        "B: stop = attempts(3), wait = none(), f()",
        &["write the block to retry as `|| f()`, or `async { f().await }`"],
    ),
    (
        "B: stop = attempts(3), wait = none(), f",
        &["unknown key `f`; the keys are `stop`, `wait`, `on`,"],
    ),
    ("B: stop = attempts(3), wait = none(); || f()", &["a `,` parts the keys, not a `;`"]),
    ("B: stop = attempts(3) wait = none(), || f()", &["a `,` is missing before `wait`"]),
    (
        "B: max_retries = 3, delay = 100ms, async { f() }",
        &["write `stop = attempts(4)`", "write `wait = fixed(100ms)`"],
    ),
    (
        "B: stop = attempts(3), wait = none(), async move { f() }",
        &["the block is run once for each attempt, so it cannot move"],
    ),
    (
        "B: stop = attempts(3), wait = none(), { f() }",
        &["write the block to retry as `async { … }`, `async || -> T {"],
    ),
    (
        "B: stop = attempts(3), wait = none(), |x| f()",
        &["the closure to retry takes no arguments; it sees the"],
    ),
    (
        "B: stop = attempts(3), wait = none(), || f(), on = g",
        &["the block to retry must be the last item of `block!`"],
    ),
    (
        "B: stop = attempts(3), wait = none(), on = is_busy || f()",
        &["conditions are joined with a single `|`"],
    ),
    (
        "B: stop = attempts(3), wait = none(), on = |e| e.is_busy() || f()",
        &["`block!` needs something to retry as its last item: `async"],
    ),
    ("B:", &["write `stop = attempts(5)`"]),
    ("P: stop = attempts(3) wait = none()", &["a `,` is missing before `wait`"]),
    ("P: 3", &["write `stop = attempts(3), wait = exponential(100ms).cap(10s).full_jitter()`"]),
    (
        "P: attempts(3)",
        &["write `stop = attempts(3), wait = exponential(100ms).cap(10s).full_jitter()`"],
    ),
    ("P: attempts(3), fixed(1s)", &["write `stop = attempts(3)`", "write `wait = fixed(1s)`"]),
    (
        "P: max_retries = 3, delay = 1s, on = E::Busy",
        &[
            "write `stop = attempts(4)`",
            "write `wait = fixed(1s)`",
            "write `matches(Err(E::Busy))`",
        ],
    ),
    (
        "P: stop = attempts(3), wait = none(), clone(x)",
        &["`clone` is about one function, and a policy is a value for"],
    ),
    (
        "P: stop = attempts(3), wait = none(), before = f",
        &["`before` is about one function, and a policy is a value for"],
    ),
    (
        "P: stop = attempts(3), wait = none(), before f",
        &["`before` is about one function, and a policy is a value for"],
    ),
    (
        "P: stop: attempts(3), wait: none()",
        &["write `stop = attempts(3)`", "write `wait = none()`"],
    ),
    (
        "P: { stop = attempts(3) }",
        &["write `stop = attempts(5), wait = exponential(100ms).cap(10s).full_jitter()`"],
    ),
    ("P:", &["write `stop = attempts(5)`"]),
    (
        "I: impl X { fn f() -> R { x } }",
        &["`#[retry]` goes on a function, not on an `impl`: put it on"],
    ),
    (
        "I: trait X { fn f() -> R { x } }",
        &["`#[retry]` goes on a function, not on a trait: put it on"],
    ),
    (
        "I: pub(crate) struct X { x: u8 }",
        &["`#[retry]` goes on a function or a method; inside one, use"],
    ),
    ("I: enum X { A }", &["`#[retry]` goes on a function or a method; inside one, use"]),
    ("I: mod m { fn f() -> R {} }", &["`#[retry]` goes on a function, not on a module: put it on"]),
    ("I: let x = f();", &["`#[retry]` goes on a function or a method; inside one, use"]),
    ("I: || f();", &["`#[retry]` goes on a function or a method; inside one, use"]),
    ("I: f();", &["`#[retry]` goes on a function or a method; inside one, use"]),
    (
        r#"I: extern "C" { fn f() -> i32; }"#,
        &["`#[retry]` goes on a function with a body, not on an"],
    ),
    (
        r#"I: unsafe extern "C" { fn f() -> i32; }"#,
        &["`#[retry]` goes on a function with a body, not on an"],
    ),
    ("I: fn f() -> i32;", &["`#[retry]` needs a body to retry: put it on the methods"]),
    ("I: macro_rules! x { () => {} }", &["`#[retry]` goes on a function, not on a macro: put it"]),
    ("I: foo!(3);", &["`#[retry]` goes on a function, not on a macro: put it"]),
    ("I: const fn f() -> R { x }", &["a `const fn` cannot wait, so there is nothing to retry;"]),
    ("I: async gen fn f() -> R { x }", &["a generator hands out values before anything in it can"]),
    ("I: gen fn f() -> R { x }", &["a generator hands out values before anything in it can"]),
    ("I: fn f(a) -> R { x }", &["expected `:`"]),
    ("I: async f() -> R { x }", &["`#[retry]` goes on a function or a method; inside one, use"]),
    ("I: pub f() -> R { x }", &["`#[retry]` goes on a function or a method; inside one, use"]),
    ("I: use x::y;", &["`#[retry]` goes on a function or a method; inside one, use"]),
    ("I: type X = R;", &["`#[retry]` goes on a function or a method; inside one, use"]),
    ("I: const X: R = f();", &["`#[retry]` goes on a function or a method; inside one, use"]),
    ("I: fn f() { x }", &["this function returns nothing, so `#[retry]` cannot tell a"]),
    ("I: fn f() -> () { x }", &["`#[retry]` cannot tell a failure from a success in `()`;"]),
    ("I: async fn f() { x }", &["this function returns nothing, so `#[retry]` cannot tell a"]),
    ("I: fn f() -> ! { x }", &["a function that never returns has no outcome to retry on"]),
    (
        "B: stop = atempts(3), wait = non(), async { f() }",
        &["did you mean `attempts`", "did you mean `none`"],
    ),
    ("B: stop = attempts(3), wait = fixed(10), clone(x), || f()", &["write `10s`"]),
    (
        "B: stop = attempts(3), wait = none(), || f();",
        &["the block to retry must be the last item of `block!`"],
    ),
    (
        "B: forever, stop = attempts(3), wait = none(), || f()",
        &["this ends the call, and `forever` says that nothing does:"],
    ),
    (
        "P: stop = atempts(3), wait = none(), on = Err(E::Busy)",
        &["did you mean `attempts`", "write `matches(Err(E::Busy))`"],
    ),
    (
        "P: forever, stop = within(3s), wait = none()",
        &["this ends the call, and `forever` says that nothing does:"],
    ),
    (
        "P: stop = attempts(3), wait = none(), on = |e| true",
        &["a policy is a value and does not know what it will judge,"],
    ),
    (
        "P: stop = attempts(3), wait = none(), on = f.at_most(3)",
        &["`at_most` counts the retries of one call, and a policy is"],
    ),
];
