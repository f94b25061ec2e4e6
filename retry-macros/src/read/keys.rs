//! The keys, in one table, and `key = value` pairs → [`Args`].

use proc_macro2::TokenStream;
use retry_core::text::{list, similar};
use syn::ext::IdentExt;
use syn::parse::discouraged::Speculative;
use syn::parse::{ParseStream, Parser};
use syn::{Error, Expr, Ident, LitStr, Path, Token};

use crate::diagnose::Errors;
use crate::read::condition::On;
use crate::read::held::{Holds, Hooks, Idempotent, MaxHint};
use crate::read::readers::{flag, idempotent, names, policy, stop, text, value, wait};
use crate::read::strategy::{Strategy, key_of};

/// Makes everything that there is to a key of its entry:
///
/// ```text
/// "name" field: Type = reader, where, given "what its hooks are given", {
///     ["as others call it"] => "what says the same here",
/// };
/// ```
///
/// The last two may be missing. What the type holds is found through [`Holds`]. `anywhere` also
/// allows the key in a policy, which is a value for many calls; `calls` does not.
macro_rules! keys {
    (@policy anywhere) => { true };
    (@policy calls) => { false };
    ($(
        $name:literal $field:ident: $type:ty = $read:ident, $where:ident
        $(, given $given:literal)?
        $(, { $([$($other:literal),+ $(,)?] => $meant:literal),+ $(,)? })?;
    )*) => {
        /// What stands in the parentheses of `#[retry(…)]`, or before the body of `block!`.
        #[derive(Default)]
        pub(crate) struct Args {
            $(pub(crate) $field: Option<$type>,)*
            /// Whether anything was written at all.
            pub(crate) is_empty: bool,
            /// Keys that were written, or meant, whatever became of their values.
            tried: Vec<&'static str>,
        }

        /// The names of the keys.
        pub(crate) const KEYS: &[&str] = &[$($name),*];

        /// Those of `policy!`.
        const OF_POLICIES: &[(&str, bool)] = &[$(($name, keys!(@policy $where))),*];

        /// Keys of other libraries, and what says the same here.
        const MEANT: &[(&[&str], &str)] = &[$($($((&[$($other),+], $meant)),+ ,)?)*];

        impl Args {
            /// Reads the value of `key`, if it is one, into its place.
            fn read_value(
                &mut self,
                key: &Ident,
                input: ParseStream,
                errors: &mut Errors,
            ) -> Option<syn::Result<()>> {
                Some(match key.to_string().as_str() {
                    $($name => $read(key, input).map(|it| set(&mut self.$field, key, it, errors)),)*
                    _ => return None,
                })
            }

            /// Calls `f` on every expression that the user has written, with the name of its key.
            pub(crate) fn each_expr<'a>(&'a self, f: &mut dyn FnMut(&'static str, &'a Expr)) {
                $(if let Some(held) = &self.$field {
                    held.each_expr(&mut |expr| f($name, expr));
                })*
            }

            /// Calls `f` on every expression that the user has written, to change it.
            pub(crate) fn each_expr_mut(&mut self, f: &mut dyn FnMut(&mut Expr)) {
                $(if let Some(held) = &mut self.$field {
                    held.each_expr_mut(&mut |expr| f(expr));
                })*
            }

            /// The hooks, each with the name of its key and what it is given.
            pub(crate) fn hooks(&self) -> Vec<(&'static str, &'static str, &Expr)> {
                let mut hooks = Vec::new();
                $($(if let Some(held) = &self.$field {
                    held.each_expr(&mut |hook| hooks.push(($name, $given, hook)));
                })?)*
                hooks
            }
        }
    };
}

keys! {
    "stop" stop: Strategy = stop, anywhere, {
        [
            "retries", "max_retries", "tries", "max_tries", "times", "max_attempts", "attempt",
            "limit", "max", "stop_after",
        ] => "stop = attempts(n)",
        ["timeout", "max_time", "max_elapsed", "total_delay", "max_duration"]
            => "stop = within(duration)",
    };
    "wait" wait: Strategy = wait, anywhere, {
        ["max_delay", "max_interval", "cap"] => "wait = exponential(100ms).cap(10s)",
        ["delay", "backoff", "interval", "delay_ms", "strategy", "every", "pause"]
            => "wait = exponential(100ms).cap(10s).full_jitter()",
        ["jitter"] => "wait = exponential(100ms).full_jitter()",
    };
    "on" on: On = value, anywhere, {
        [
            "when", "if", "retry", "retry_if", "retry_on", "retry_when", "predicate", "condition",
            "error", "errors", "only_if",
        ] => "on = …",
    };
    "forever" forever: () = flag, anywhere, {
        ["never", "infinite", "unlimited", "endless"] => "forever",
    };
    "max_hint" max_hint: MaxHint = value, anywhere;
    "idempotent" idempotent: Idempotent = idempotent, anywhere;
    "clone" clone: Vec<Ident> = names, calls;
    "before" before: Hooks = value, calls, given "|attempt|";
    "after" after: Hooks = value, calls, given "|attempt, outcome|";
    "before_sleep" before_sleep: Hooks = value, calls, given "|attempt, outcome|", {
        ["notify", "on_retry", "before_retry", "on_backoff", "on_error", "after_error"]
            => "before_sleep = |attempt, outcome| …",
    };
    "on_success" on_success: Hooks = value, calls, given "|report, outcome|", {
        ["on_ok", "on_complete", "on_recovery"] => "on_success = |report, outcome| …",
    };
    "on_give_up" on_give_up: Hooks = value, calls, given "|report, outcome|", {
        ["on_giveup", "on_failure", "on_final", "on_exhausted"]
            => "on_give_up = |report, outcome| …",
    };
    "gate" gate: Expr = value, calls, given "|attempt|";
    "reset" reset: Expr = value, calls;
    "fallback" fallback: Expr = value, calls, given "|report, outcome|", {
        ["default", "or_else", "or", "recover", "retry_error_callback"]
            => "fallback = |report, outcome| …",
    };
    "warn_after" warn_after: Expr = value, calls;
    "policy" policy: Expr = policy, calls, {
        ["config", "settings", "with"] => "policy = …",
    };
    "enabled" enabled: Expr = value, calls;
    "name" name: LitStr = text, anywhere;
    "sleep" sleep: Expr = value, calls, {
        ["sleep_fn", "sleeper", "sleep_with"] => "sleep = …",
    };
    "crate" krate: Path = value, anywhere;
}

impl Args {
    /// Reads all keys up to the end, or up to what `is_body` says is no longer a key.
    pub(crate) fn parse_until(
        input: ParseStream,
        errors: &mut Errors,
        is_body: fn(ParseStream) -> bool,
    ) -> Self {
        Self::parse_keys(input, errors, is_body, |_| None)
    }

    fn parse_keys(
        input: ParseStream,
        errors: &mut Errors,
        is_body: fn(ParseStream) -> bool,
        reject: fn(&str) -> Option<String>,
    ) -> Self {
        let mut args = Self { is_empty: input.is_empty(), ..Self::default() };
        while !input.is_empty() && !is_body(input) {
            let result = args.parse_key(input, errors, reject).and_then(|key| {
                if input.is_empty() || input.peek(Token![,]) {
                    return Ok(());
                }
                Err(input.error(format!("expected `,` after the value of `{key}`")))
            });
            if errors.note(result).is_none() {
                skip_to_comma(input);
            }
            let _ = input.parse::<Option<Token![,]>>();
        }
        args
    }

    fn parse_key(
        &mut self,
        input: ParseStream,
        errors: &mut Errors,
        reject: fn(&str) -> Option<String>,
    ) -> syn::Result<Ident> {
        let Ok(key) = input.call(Ident::parse_any) else {
            return Err(input.error("expected a key, as in `stop = attempts(5)`"));
        };
        let name = key.to_string();
        self.tried.extend(KEYS.iter().find(|known| **known == name));
        if let Some(message) = reject(&name) {
            return Err(Error::new(key.span(), message));
        }
        match self.read_value(&key, input, errors) {
            Some(read) => read.map(|()| key),
            None => {
                let (error, meant) = unknown(&key);
                self.tried.extend(meant);
                Err(error)
            }
        }
    }

    /// Whether somebody looks at the call, so that its times must be known.
    pub(crate) fn is_watched(&self) -> bool {
        !self.hooks().is_empty() || self.reset.is_some() || self.warn_after.is_some()
    }

    /// Whether somebody reads the report of the call.
    pub(crate) fn is_reported(&self) -> bool {
        self.on_success.is_some() || self.on_give_up.is_some() || self.fallback.is_some()
    }

    /// Whether the key is there, or was meant to be.
    pub(crate) fn has_tried(&self, key: &str) -> bool {
        self.tried.contains(&key)
    }
}

fn set<T>(slot: &mut Option<T>, key: &Ident, value: T, errors: &mut Errors) {
    if slot.is_some() {
        return errors.at(key, format!("`{key}` is given twice; remove one"));
    }
    *slot = Some(value);
}

/// What is wrong with a key that there is not, and the key that was meant.
fn unknown(key: &Ident) -> (Error, Option<&'static str>) {
    let name = key.to_string();
    let by_meaning = MEANT.iter().find(|(names, _)| names.contains(&name.as_str()));
    let (message, meant) = if let Some((_, meant)) = by_meaning {
        let right = meant.split(' ').next();
        (format!("unknown key `{name}`; write `{meant}`"), right)
    } else if let Some(right) = key_of(&name) {
        (format!("`{name}` belongs to the key `{right}`: write `{right} = {name}(…)`"), Some(right))
    } else if let Some(similar) = similar(&name, KEYS.iter().copied()) {
        (format!("unknown key `{name}`; did you mean `{similar}`?"), Some(similar))
    } else {
        (format!("unknown key `{name}`; the keys are {}", list(KEYS)), None)
    };
    (Error::new(key.span(), message), meant)
}

/// Why a policy, which is a value for many calls, does not take the key.
fn foreign(name: &str) -> Option<String> {
    if !OF_POLICIES.contains(&(name, false)) {
        return None;
    }
    Some(if name == "policy" {
        "a policy does not stand on another; write its `stop`, `wait` and `on`, or make it of a `PolicyConfig` with `config.policy(on)`"
            .to_owned()
    } else {
        format!(
            "`{name}` is about one function, and a policy is a value for many; write it on the function or block that takes the policy"
        )
    })
}

/// Goes on after a mistake, so that the keys behind it are looked at too.
fn skip_to_comma(input: ParseStream) {
    // A value as a whole, since a closure's arguments have commas too.
    let value = input.fork();
    if value.parse::<Token![=]>().is_ok() && value.parse::<Expr>().is_ok() {
        input.advance_to(&value);
    }
    while !input.is_empty() && !input.peek(Token![,]) {
        if input.parse::<proc_macro2::TokenTree>().is_err() {
            return;
        }
    }
}

/// Reads the arguments of an attribute.
pub(crate) fn parse(tokens: TokenStream, errors: &mut Errors) -> Args {
    let mut args = Args::default();
    read(tokens, errors, |input, errors| args = Args::parse_until(input, errors, |_| false));
    args
}

/// Reads the keys of `policy!`.
pub(crate) fn parse_policy(tokens: TokenStream, errors: &mut Errors) -> Args {
    let mut args = Args::default();
    read(tokens, errors, |input, errors| {
        args = Args::parse_keys(input, errors, |_| false, foreign);
    });
    args
}

/// Runs a parser that notes its errors itself.
pub(crate) fn read(
    tokens: TokenStream,
    errors: &mut Errors,
    parse: impl FnOnce(ParseStream, &mut Errors),
) {
    let parser = |input: ParseStream| {
        parse(input, errors);
        Ok(())
    };
    // Parentheses that an error has left half-read are reported as unexpected once more.
    if let (Err(error), true) = (parser.parse2(tokens), errors.is_empty()) {
        errors.push(error);
    }
}
