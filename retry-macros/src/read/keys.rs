//! The keys, in one table, and `key = value` pairs → [`Args`].

use proc_macro2::TokenStream;
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::{Error, Expr, Ident, LitStr, Path, Token};

use crate::diagnose::Errors;
use crate::read::condition::On;
use crate::read::foreign::foreign;
use crate::read::held::{Holds, Hooks, Idempotent, Log, MaxHint, Nested, Timeout};
use crate::read::readers::{flag, idempotent, names, path, policy, stop, text, value, wait};
use crate::read::separators::{after_value, begins_key, skip};
use crate::read::strategy::{SHAPERS, Strategy, key_of};
use crate::read::unknown::{Problem, no_key, snake, unknown};

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
            /// Whether something could not be read.
            pub(crate) is_unread: bool,
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

            /// Takes out what a key holds, since more was meant.
            fn forget(&mut self, key: &Ident) {
                match key.to_string().as_str() {
                    $($name => self.$field = None,)*
                    _ => {}
                }
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
    "stop" stop: Strategy = stop, anywhere;
    "wait" wait: Strategy = wait, anywhere;
    "on" on: On = value, anywhere;
    "forever" forever: () = flag, anywhere;
    "deadline" deadline: Expr = value, anywhere, {
        ["time_limit", "total_time_limit", "overall_timeout", "call_timeout", "operation_timeout",
         "global_timeout", "expires_after", "time_budget", "deadline_after"]
            => "deadline = {s:20s}",
        ["expires", "expires_at", "expiry", "deadline_at", "until_deadline"]
            => "deadline = {x:…}",
    };
    "attempt_timeout" attempt_timeout: Timeout = value, anywhere, {
        ["attempt_time_limit", "timeout_per_attempt", "per_attempt_timeout", "per_try_timeout",
         "try_timeout", "request_timeout", "with_timeout", "timeout_duration", "attempt_deadline",
         "attempt_time_out", "per_request_timeout", "single_timeout"]
            => "attempt_timeout = {s:2s}",
        ["idle", "idle_timeout", "stall_timeout", "read_timeout", "inactivity_timeout"]
            => "attempt_timeout = idle({s:30s})",
    };
    "max_hint" max_hint: MaxHint = value, anywhere;
    "cancel" cancel: Expr = value, calls, {
        ["token", "cancellation_token", "cancel_token", "cancellation", "ct"]
            => "cancel = {token:token.cancelled()}",
        ["shutdown", "abort", "abort_signal", "signal", "stop_signal", "cancelled", "canceled",
         "cancel_on", "cancel_when", "cancel_if", "stop_flag", "stop_if_cancelled"]
            => "cancel = {x:shutdown.cancelled()}",
    };
    "idempotent" idempotent: Idempotent = idempotent, anywhere;
    "clone" clone: Vec<Ident> = names, calls;
    "budget" budget: Expr = value, anywhere, {
        ["retry_budget", "token_bucket", "retry_quota", "quota", "tokens", "retry_tokens",
         "retry_token_bucket"]
            => "budget = {ref:&BUDGET}",
    };
    "breaker" breaker: Expr = value, anywhere, {
        ["circuit_breaker", "circuit", "circuitbreaker", "cb", "fuse"] => "breaker = {ref:&BREAKER}",
    };
    "nested" nested: Nested = value, anywhere, {
        ["once", "no_nesting", "not_nested", "outermost", "retry_once"] => "nested = once",
    };
    "interrupted" interrupted: Expr = value, calls, given "|interrupted|", {
        ["on_timeout", "on_cancel", "on_interrupt", "timeout_error", "on_deadline", "on_cut"]
            => "interrupted = |interrupted| …",
    };
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
    "discard" discard: Expr = value, calls, given "|attempt, outcome|", {
        ["on_discard", "sink", "error_sink"] => "discard = |attempt, outcome| …",
    };
    "gate" gate: Expr = value, calls, given "|attempt, outcome|";
    "reset" reset: Expr = value, calls;
    "fallback" fallback: Expr = value, calls, given "|report, outcome|", {
        ["default", "or_else", "or", "recover", "retry_error_callback"]
            => "fallback = |report, outcome| …",
    };
    "warn_after" warn_after: Expr = value, anywhere;
    "warn_every" warn_every: Expr = value, anywhere;
    "log" log: Log = value, anywhere, {
        ["quiet", "silent", "no_log", "events", "tracing"] => "log = off",
    };
    "describe" describe: Expr = value, calls, {
        ["display", "format", "redact", "message"] => "describe = |outcome| …",
    };
    "policy" policy: Expr = policy, calls, {
        ["config", "settings", "with"] => "policy = …",
    };
    "enabled" enabled: Expr = value, calls;
    "name" name: LitStr = text, anywhere;
    "sleep" sleep: Expr = value, calls, {
        ["sleep_fn", "sleeper", "sleep_with"] => "sleep = …",
    };
    "crate" krate: Path = path, anywhere;
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
        let mut problems = Vec::new();
        let mut before = None;
        while !input.is_empty() && !is_body(input) {
            let start = input.fork();
            let (problem, goes_on) = match args.parse_key(input, errors, reject, before.as_deref())
            {
                Ok(key) => {
                    before = Some(key.to_string());
                    let problem = after_value(&key, &start, input).err().map(|after| {
                        if !after.value_stands {
                            args.forget(&key);
                        }
                        Problem::from(after.error)
                    });
                    (problem, begins_key(input) || is_body(input))
                }
                Err(problem) => (Some(problem), begins_key(input)),
            };
            if let Some(problem) = problem {
                args.tried.extend(problem.key());
                problems.push(problem);
                if !goes_on {
                    skip(input);
                }
            }
            let _ = input.parse::<Option<Token![,]>>();
        }
        args.is_unread = problems.iter().enumerate().any(|(index, problem)| {
            problem.key().is_none() || (index == 0 && problem.says_the_whole())
        });
        for (index, problem) in problems.into_iter().enumerate() {
            // What is missing is said once.
            errors.push(problem.error(|key| index > 0 || args.has(key)));
        }
        args
    }

    fn parse_key(
        &mut self,
        input: ParseStream,
        errors: &mut Errors,
        reject: fn(&str) -> Option<String>,
        before: Option<&str>,
    ) -> Result<Ident, Problem> {
        let start = input.fork();
        let Ok(key) = input.call(Ident::parse_any) else { return Err(no_key(input)) };
        let name = key.to_string();
        self.tried.extend(KEYS.iter().find(|known| **known == name));
        if let Some(message) = reject(&name) {
            return Err(Error::new(key.span(), message).into());
        }
        match self.read_value(&key, input, errors) {
            Some(read) => Ok(read.map(|()| key)?),
            None => {
                let name = snake(&name);
                let by_meaning = MEANT.iter().find(|(names, _)| names.contains(&name.as_str()));
                let other = by_meaning.map(|(_, here)| *here);
                Err(unknown(&key, &start, other, before, |key| self.has_tried(key)))
            }
        }
    }

    /// Whether nothing is missing of the key.
    fn has(&self, key: &str) -> bool {
        self.has_tried(key)
            || self.has_tried("policy")
            || (key == "stop" && self.has_tried("forever"))
    }

    /// Whether somebody looks at the call, so that its times must be known.
    pub(crate) fn is_watched(&self) -> bool {
        !self.hooks().is_empty() || self.reset.is_some() || self.warns_by()
    }

    /// Whether it depends on count or time which retries are warnings.
    fn warns_by(&self) -> bool {
        self.warn_after.is_some() || self.warn_every.is_some()
    }

    /// Whether anything guards the call.
    pub(crate) fn is_guarded(&self) -> bool {
        self.may_end_it() || self.attempt_timeout.is_some()
    }

    /// Whether one of the guards may end a call that nothing else does.
    pub(crate) fn may_end_it(&self) -> bool {
        let Self { deadline, cancel, budget, breaker, nested, .. } = self;
        deadline.is_some()
            || cancel.is_some()
            || budget.is_some()
            || breaker.is_some()
            || nested.is_some()
    }

    /// Whether a guard must know the time from the start. A breaker reads a clock where it needs one.
    pub(crate) fn is_limited(&self) -> bool {
        self.deadline.is_some() || self.attempt_timeout.is_some()
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

/// Whether a key has this name, or is meant by it.
pub(crate) fn is_meant(name: &str) -> bool {
    KEYS.contains(&name)
        || MEANT.iter().any(|(names, _)| names.contains(&name))
        || key_of(name).is_some()
        || foreign(name).is_some()
        || SHAPERS.contains(&name)
}

/// Why a policy, which is a value for many calls, does not take the key.
fn of_functions(name: &str) -> Option<String> {
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
        args = Args::parse_keys(input, errors, |_| false, of_functions);
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
