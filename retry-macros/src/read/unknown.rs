//! What stands where a key should and is none, and what to write in its place.

use proc_macro2::Span;
use retry_core::text::{list, similar};
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::{Error, Expr, Ident, Lit, Token};

use crate::read::duration::of_literal;
use crate::read::foreign::{Part, filled_in, foreign};
use crate::read::keys::KEYS;
use crate::read::number::count;
use crate::read::separators::separator;
use crate::read::source::short;
use crate::read::strategy::{SHAPERS, head, key_of};

/// The keys that nothing works without, as they are recommended.
const WHOLE: [(&str, &str); 2] =
    [("stop", "stop = attempts(5)"), ("wait", "wait = exponential(100ms).cap(10s).full_jitter()")];

/// What could not be read, and what should stand there.
pub(super) struct Problem {
    span: Span,
    /// What is wrong.
    said: String,
    /// The key that was meant.
    key: Option<&'static str>,
    /// What to write.
    code: Option<String>,
    /// What to know about it.
    note: &'static str,
}

impl From<Error> for Problem {
    fn from(error: Error) -> Self {
        Self { span: error.span(), said: error.to_string(), key: None, code: None, note: "" }
    }
}

impl Problem {
    /// The key that was meant.
    pub(super) fn key(&self) -> Option<&'static str> {
        self.key
    }

    /// Whether its advice goes on to what is missing.
    pub(super) fn says_the_whole(&self) -> bool {
        self.code.is_some() && WHOLE.iter().any(|(key, _)| self.key == Some(*key))
    }

    /// The error. If its advice is about one of the keys that nothing works without, it goes on to
    /// the one that is missing too.
    pub(super) fn error(self, has: impl Fn(&str) -> bool) -> Error {
        let is_whole = self.says_the_whole();
        let Self { span, said, key, code, note } = self;
        let Some(code) = code else { return Error::new(span, said) };
        let whole = if is_whole {
            let part = |(other, example): &(&str, &str)| {
                if Some(*other) == key {
                    Some(code.clone())
                } else {
                    (!has(other)).then(|| (*example).to_owned())
                }
            };
            WHOLE.iter().filter_map(part).collect::<Vec<_>>().join(", ")
        } else {
            code
        };
        Error::new(span, format!("{said}write `{whole}`{note}"))
    }
}

/// What stands there instead of the name of a key.
pub(super) fn no_key(input: ParseStream) -> Problem {
    let span = input.span();
    if input.peek(Token![,]) || input.peek(Token![;]) {
        return Error::new(span, "one separator too many: a single `,` parts two keys").into();
    }
    let Ok(value) = input.fork().parse::<Expr>() else {
        return Error::new(span, "expected a key, as in `stop = attempts(5)`").into();
    };
    let typed = short(&value);
    let (key, code) = match &value {
        Expr::Lit(lit) => match (&lit.lit, of_literal(&lit.lit)) {
            (_, Some(_)) => ("wait", format!("wait = fixed({typed})")),
            (Lit::Int(_), None) => ("stop", format!("stop = attempts({typed})")),
            (Lit::Str(text), None) if text.value().parse::<u32>().is_ok() => {
                ("stop", format!("stop = attempts({})", text.value()))
            }
            (Lit::Str(text), None) if text.value().contains('=') => {
                return Error::new(span, "the keys stand without quotes").into();
            }
            (Lit::Str(_), None) => ("name", format!("name = {typed}")),
            _ => ("stop", "stop = attempts(5)".to_owned()),
        },
        Expr::Closure(_) => ("on", format!("on = {typed}")),
        _ => ("stop", "stop = attempts(5)".to_owned()),
    };
    let said = format!("`{typed}` is the value of no key; ");
    Problem { span, said, key: Some(key), code: Some(code), note: "" }
}

/// What is wrong with a key that there is not. `start` stands at it, `other` is what says the same
/// here, by the table of keys, and `before` the key before it.
pub(super) fn unknown(
    key: &Ident,
    start: ParseStream,
    other: Option<&'static str>,
    before: Option<&str>,
    has: impl Fn(&str) -> bool,
) -> Problem {
    let (typed, span) = (key.to_string(), key.span());
    let problem = |said: String, key: Option<&'static str>, code: Option<String>| Problem {
        span,
        said,
        key,
        code,
        note: "",
    };
    // `maxRetries`, `STOP`; types keep their names.
    let name = if foreign(&typed).is_some() { typed.clone() } else { snake(&typed) };
    let whole = start.fork().parse::<Expr>().ok();
    let after_colon = after_colon(start);
    let value = whole.as_ref().and_then(argument).or(after_colon.as_ref());
    if let Some(here) = other {
        let right = KEYS.iter().find(|key| here.split(' ').next() == Some(key));
        let said = format!("unknown key `{typed}`; ");
        return problem(said, right.copied(), Some(filled_in(here, value)));
    }
    let is_assigned = matches!(whole, Some(Expr::Assign(_))) || after_colon.is_some();
    if let Some((right, value)) = value.and_then(|value| Some((key_of_value(value)?, value))) {
        if is_assigned {
            let said = format!("unknown key `{typed}`; ");
            return problem(said, Some(right), Some(format!("{right} = {}", short(value))));
        }
    }
    let foreign = match foreign(&name) {
        // `retry = 3`
        Some(it) if it.part == Part::On && value.is_some_and(|n| count(n).is_some()) => {
            foreign("retries")
        }
        it => it,
    };
    let is_condition = foreign.is_some_and(|it| it.part == Part::On);
    // `when` and `error` are ours where they are called.
    if let (Some(right), false) = (key_of(&name), is_assigned && is_condition) {
        let code = match (&whole, value) {
            (_, Some(value)) if is_assigned => format!("{name}({})", short(value)),
            (Some(whole @ (Expr::Call(_) | Expr::MethodCall(_) | Expr::Binary(_))), _) => {
                short(whole)
            }
            _ => format!("{name}(…)"),
        };
        let said = format!("`{name}` belongs to the key `{right}`");
        if right != "wait" && has(right) {
            let code = format!("{right} = … | {code}");
            return problem(format!("{said}, which is there: "), Some(right), Some(code));
        }
        return problem(format!("{said}: "), Some(right), Some(format!("{right} = {code}")));
    }
    if let Some(foreign) = foreign {
        let said = format!("unknown key `{typed}`; ");
        return match foreign.as_key(value) {
            Some(code) => {
                Problem { note: foreign.note(), ..problem(said, foreign.key(), Some(code)) }
            }
            None => problem(format!("{said}{}", foreign.written(None)), foreign.key(), None),
        };
    }
    if SHAPERS.contains(&name.as_str()) {
        let value = value.map(short).filter(|_| name != "jitter" && name != "full_jitter");
        let name = if name == "jitter" && value.is_none() { "full_jitter" } else { &name };
        let code = format!("wait = exponential(100ms).{name}({})", value.unwrap_or_default());
        let said = format!("`{key}` shapes a wait and stands behind it: ");
        return problem(said, Some("wait"), Some(code));
    }
    let same = KEYS.iter().find(|key| **key == name).copied();
    if let Some(similar) = same.or_else(|| similar(&name, KEYS.iter().copied())) {
        let said = format!("unknown key `{typed}`; did you mean `{similar}`?");
        return problem(said, Some(similar), None);
    }
    let alone = start.fork();
    let is_value = alone.call(Ident::parse_any).is_ok() && !alone.peek(Token![=]);
    if before == Some("on") && is_value {
        let said = format!("`{name}` is no key; if it is another condition, ");
        return problem(said, Some("on"), Some(format!("on = … | {name}")));
    }
    problem(format!("unknown key `{typed}`; the keys are {}", list(KEYS)), None, None)
}

/// The value of `key = value`, or the one argument of `key(value)`.
fn argument(whole: &Expr) -> Option<&Expr> {
    match whole {
        Expr::Assign(assign) => Some(&assign.right),
        Expr::Call(call) if call.args.len() == 1 => call.args.first(),
        Expr::MethodCall(call) => argument(&call.receiver),
        Expr::Binary(binary) => argument(&binary.left),
        _ => None,
    }
}

/// `key: value`
fn after_colon(start: ParseStream) -> Option<Expr> {
    let ahead = start.fork();
    ahead.call(Ident::parse_any).ok()?;
    separator(&ahead)?;
    ahead.parse().ok()
}

/// The key that a value belongs to, which starts with the call of a known name.
fn key_of_value(value: &Expr) -> Option<&'static str> {
    match value {
        Expr::Call(call) => key_of(&head(call)?.to_string()),
        Expr::MethodCall(call) => key_of_value(&call.receiver),
        Expr::Binary(binary) => key_of_value(&binary.left),
        _ => None,
    }
}

/// The name in the case of keys.
pub(crate) fn snake(name: &str) -> String {
    let mut snake = String::new();
    let mut was_lower = false;
    for c in name.chars() {
        if was_lower && c.is_uppercase() {
            snake.push('_');
        }
        was_lower = c.is_lowercase();
        snake.extend(c.to_lowercase());
    }
    snake
}
