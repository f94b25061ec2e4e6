//! `key = value` pairs → [`Args`]; one setter a key.

use proc_macro2::TokenStream;
use quote::quote;
use syn::ext::IdentExt;
use syn::parse::discouraged::Speculative;
use syn::parse::{Parse, ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{Error, Expr, Ident, LitStr, Path, Token, braced, parenthesized, token};

use crate::diagnose::{Errors, list, similar};
use crate::emit::private::Private;
use crate::read::condition::Condition;
use crate::read::duration;
use crate::read::strategy::key_of;

/// What `idempotent` may be: the flag, or an expression.
pub(crate) enum Idempotent {
    Always,
    If(Expr),
}

/// What `max_hint` may be.
pub(crate) enum MaxHint {
    GiveUpAbove(Expr),
    Clamp(Expr),
}

/// What stands in the parentheses of `#[retry(…)]`, or before the body of `block!`.
#[derive(Default)]
pub(crate) struct Args {
    pub(crate) stop: Option<Expr>,
    pub(crate) wait: Option<Expr>,
    pub(crate) on: Option<Condition>,
    pub(crate) forever: Option<()>,
    pub(crate) max_hint: Option<MaxHint>,
    /// The flag alone has no value.
    pub(crate) idempotent: Option<Idempotent>,
    pub(crate) clone: Option<Vec<Ident>>,
    pub(crate) before: Option<Hooks>,
    pub(crate) after: Option<Hooks>,
    pub(crate) before_sleep: Option<Hooks>,
    pub(crate) on_success: Option<Hooks>,
    pub(crate) on_give_up: Option<Hooks>,
    pub(crate) gate: Option<Expr>,
    pub(crate) reset: Option<Expr>,
    pub(crate) fallback: Option<Expr>,
    pub(crate) warn_after: Option<Expr>,
    pub(crate) policy: Option<Expr>,
    pub(crate) enabled: Option<Expr>,
    pub(crate) name: Option<LitStr>,
    pub(crate) sleep: Option<Expr>,
    pub(crate) krate: Option<Path>,
    /// Whether anything was written at all.
    pub(crate) is_empty: bool,
    /// Keys that were written, or meant, whatever became of their values.
    tried: Vec<&'static str>,
}

pub(crate) const KEYS: [&str; 21] = [
    "stop",
    "wait",
    "on",
    "forever",
    "max_hint",
    "idempotent",
    "clone",
    "before",
    "after",
    "before_sleep",
    "on_success",
    "on_give_up",
    "gate",
    "reset",
    "fallback",
    "warn_after",
    "policy",
    "enabled",
    "name",
    "sleep",
    "crate",
];

/// Keys of other libraries, and what says the same here.
const MEANT: [(&[&str], &str); 13] = [
    (
        &[
            "retries",
            "max_retries",
            "tries",
            "max_tries",
            "times",
            "max_attempts",
            "attempt",
            "limit",
            "max",
            "stop_after",
        ],
        "stop = attempts(n)",
    ),
    (
        &["timeout", "max_time", "max_elapsed", "total_delay", "max_duration"],
        "stop = within(duration)",
    ),
    (&["max_delay", "max_interval", "cap"], "wait = exponential(100ms).cap(10s)"),
    (
        &["delay", "backoff", "interval", "delay_ms", "strategy", "every", "pause"],
        "wait = exponential(100ms).cap(10s).full_jitter()",
    ),
    (
        &[
            "when",
            "if",
            "retry",
            "retry_if",
            "retry_on",
            "retry_when",
            "predicate",
            "condition",
            "error",
            "errors",
            "only_if",
        ],
        "on = …",
    ),
    (&["never", "infinite", "unlimited", "endless"], "forever"),
    (&["jitter"], "wait = exponential(100ms).full_jitter()"),
    (&["sleep_fn", "sleeper", "sleep_with"], "sleep = …"),
    (
        &["notify", "on_retry", "before_retry", "on_backoff", "on_error", "after_error"],
        "before_sleep = |attempt, outcome| …",
    ),
    (&["on_giveup", "on_failure", "on_final", "on_exhausted"], "on_give_up = |report, outcome| …"),
    (&["on_ok", "on_complete", "on_recovery"], "on_success = |report, outcome| …"),
    (
        &["default", "or_else", "or", "recover", "retry_error_callback"],
        "fallback = |report, outcome| …",
    ),
    (&["config", "settings", "with"], "policy = …"),
];

impl Args {
    /// Reads all keys up to the end, or up to what `is_body` says is no longer a key.
    pub(crate) fn parse_until(
        input: ParseStream,
        errors: &mut Errors,
        is_body: fn(ParseStream) -> bool,
    ) -> Self {
        let mut args = Self { is_empty: input.is_empty(), ..Self::default() };
        while !input.is_empty() && !is_body(input) {
            let result = args.parse_key(input, errors).and_then(|key| {
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

    fn parse_key(&mut self, input: ParseStream, errors: &mut Errors) -> syn::Result<Ident> {
        let Ok(key) = input.call(Ident::parse_any) else {
            return Err(input.error("expected a key, as in `stop = attempts(5)`"));
        };
        let name = key.to_string();
        self.tried.extend(KEYS.into_iter().find(|known| *known == name));
        match name.as_str() {
            "stop" => set(&mut self.stop, &key, value(&key, input)?, errors),
            "wait" => set(&mut self.wait, &key, value(&key, input)?, errors),
            "on" => set(&mut self.on, &key, value(&key, input)?, errors),
            "forever" => set(&mut self.forever, &key, flag(&key, input)?, errors),
            "max_hint" => set(&mut self.max_hint, &key, value(&key, input)?, errors),
            "idempotent" => {
                let value = if input.peek(Token![=]) {
                    Idempotent::If(value(&key, input)?)
                } else {
                    Idempotent::Always
                };
                set(&mut self.idempotent, &key, value, errors);
            }
            "clone" => set(&mut self.clone, &key, names(&key, input)?, errors),
            "before" => set(&mut self.before, &key, value(&key, input)?, errors),
            "after" => set(&mut self.after, &key, value(&key, input)?, errors),
            "before_sleep" => set(&mut self.before_sleep, &key, value(&key, input)?, errors),
            "on_success" => set(&mut self.on_success, &key, value(&key, input)?, errors),
            "on_give_up" => set(&mut self.on_give_up, &key, value(&key, input)?, errors),
            "gate" => set(&mut self.gate, &key, value(&key, input)?, errors),
            "reset" => set(&mut self.reset, &key, value(&key, input)?, errors),
            "fallback" => set(&mut self.fallback, &key, value(&key, input)?, errors),
            "warn_after" => set(&mut self.warn_after, &key, value(&key, input)?, errors),
            "policy" => set(&mut self.policy, &key, policy(&key, input)?, errors),
            "enabled" => set(&mut self.enabled, &key, value(&key, input)?, errors),
            "name" => set(&mut self.name, &key, text(&key, input)?, errors),
            "sleep" => set(&mut self.sleep, &key, value(&key, input)?, errors),
            "crate" => set(&mut self.krate, &key, value(&key, input)?, errors),
            _ => {
                let (error, meant) = unknown(&key);
                self.tried.extend(meant);
                return Err(error);
            }
        }
        Ok(key)
    }

    /// Calls `f` on every expression that the user has written.
    pub(crate) fn each_expr(&mut self, f: &mut dyn FnMut(&mut Expr)) {
        let whole = [
            &mut self.stop,
            &mut self.wait,
            &mut self.gate,
            &mut self.reset,
            &mut self.fallback,
            &mut self.warn_after,
            &mut self.policy,
            &mut self.enabled,
            &mut self.sleep,
        ];
        for key in whole.into_iter().flatten() {
            f(key);
        }
        let hooks = [
            &mut self.before,
            &mut self.after,
            &mut self.before_sleep,
            &mut self.on_success,
            &mut self.on_give_up,
        ];
        for hook in hooks.into_iter().flatten().flat_map(|hooks| &mut hooks.0) {
            f(hook);
        }
        if let Some(on) = &mut self.on {
            on.each_expr(f);
        }
        if let Some(MaxHint::GiveUpAbove(most) | MaxHint::Clamp(most)) = &mut self.max_hint {
            f(most);
        }
        if let Some(Idempotent::If(value)) = &mut self.idempotent {
            f(value);
        }
    }

    /// The keys that take hooks, each with its name.
    pub(crate) fn hooks(&self) -> impl Iterator<Item = (&'static str, &Expr)> {
        let lists = [
            ("before", &self.before),
            ("after", &self.after),
            ("before_sleep", &self.before_sleep),
            ("on_success", &self.on_success),
            ("on_give_up", &self.on_give_up),
        ];
        let lists = lists.into_iter().flat_map(|(key, hooks)| {
            hooks.iter().flat_map(move |it| it.0.iter().map(move |hook| (key, hook)))
        });
        let single = [("gate", &self.gate), ("fallback", &self.fallback)];
        lists.chain(single.into_iter().filter_map(|(key, hook)| Some((key, hook.as_ref()?))))
    }

    /// Whether somebody looks at the call, so that its times must be known.
    pub(crate) fn is_watched(&self) -> bool {
        self.hooks().next().is_some() || self.reset.is_some() || self.warn_after.is_some()
    }

    /// Whether somebody reads the report of the call.
    pub(crate) fn is_reported(&self) -> bool {
        self.on_success.is_some() || self.on_give_up.is_some() || self.fallback.is_some()
    }

    /// The path of the hidden module that the expansion stands on.
    #[allow(clippy::unused_self)] // one day it may depend on the keys
    pub(crate) fn private(&self) -> Private {
        Private
    }

    /// Whether the key is there, or was meant to be.
    pub(crate) fn has_tried(&self, key: &str) -> bool {
        self.tried.contains(&key)
    }
}

/// One hook, or several in a list.
pub(crate) struct Hooks(pub(crate) Vec<Expr>);

impl Parse for Hooks {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let value = input.parse()?;
        // A list that has come through a `macro_rules!` is in an invisible group.
        match duration::bare(&value).clone() {
            Expr::Array(list) if list.elems.is_empty() => {
                Err(Error::new_spanned(list, "this list names no hook; remove the key"))
            }
            Expr::Array(list) => Ok(Self(list.elems.into_iter().collect())),
            _ => Ok(Self(vec![value])),
        }
    }
}

impl MaxHint {
    /// The value that the runtime crate takes.
    pub(crate) fn tokens(&self, private: &Private) -> TokenStream {
        match self {
            Self::GiveUpAbove(most) => quote!(#private::MaxHint::GiveUpAbove(#most)),
            Self::Clamp(most) => quote!(#private::MaxHint::Clamp(#most)),
        }
    }
}

impl Parse for MaxHint {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let clamp = input.fork();
        if clamp.parse::<Ident>().is_ok_and(|ident| ident == "clamp") && clamp.peek(token::Paren) {
            input.parse::<Ident>()?;
            let content;
            parenthesized!(content in input);
            return Ok(Self::Clamp(content.parse()?));
        }
        input.parse().map(Self::GiveUpAbove)
    }
}

fn set<T>(slot: &mut Option<T>, key: &Ident, value: T, errors: &mut Errors) {
    if slot.is_some() {
        return errors.at(key, format!("`{key}` is given twice; remove one"));
    }
    *slot = Some(value);
}

fn value<T: Parse>(key: &Ident, input: ParseStream) -> syn::Result<T> {
    if input.peek(token::Paren) {
        let message = format!("write `{key} = …`, not `{key}(…)`");
        return Err(Error::new(key.span(), message));
    }
    if !input.peek(Token![=]) {
        return Err(Error::new(key.span(), format!("`{key}` needs a value: `{key} = …`")));
    }
    let equals = input.parse::<Token![=]>()?;
    if input.is_empty() || input.peek(Token![,]) {
        return Err(Error::new_spanned(equals, format!("`{key}` needs a value after the `=`")));
    }
    input.parse()
}

fn policy(key: &Ident, input: ParseStream) -> syn::Result<Expr> {
    let braces = input.fork();
    if braces.parse::<Token![=]>().is_ok() && braces.peek(token::Brace) {
        let content;
        braced!(content in braces);
        if content.call(Ident::parse_any).is_ok() && content.peek(Token![=]) {
            let message = "keys in braces are no policy; write `retry::policy! { … }`, or the keys without `policy`";
            return Err(Error::new(key.span(), message));
        }
    }
    value(key, input)
}

fn flag(key: &Ident, input: ParseStream) -> syn::Result<()> {
    if input.peek(Token![=]) {
        return Err(Error::new(key.span(), format!("`{key}` is a flag and takes no value")));
    }
    Ok(())
}

fn text(key: &Ident, input: ParseStream) -> syn::Result<LitStr> {
    let value = value::<Expr>(key, input)?;
    match duration::bare(&value) {
        Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }) => Ok(text.clone()),
        _ => {
            Err(Error::new_spanned(&value, format!("`{key}` takes a string: `{key} = \"fetch\"`")))
        }
    }
}

fn names(key: &Ident, input: ParseStream) -> syn::Result<Vec<Ident>> {
    if !input.peek(token::Paren) {
        let message = format!("`{key}` takes the names of arguments: `{key}(body, headers)`");
        return Err(Error::new(key.span(), message));
    }
    let content;
    parenthesized!(content in input);
    // `self` is read here so that `check` can say what is wrong with it.
    let names = content.call(|content| {
        Punctuated::<Ident, Token![,]>::parse_terminated_with(content, Ident::parse_any)
    })?;
    if names.is_empty() {
        return Err(Error::new(key.span(), format!("`{key}()` names no argument; remove it")));
    }
    Ok(names.into_iter().collect())
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
    } else if let Some(similar) = similar(&name, KEYS) {
        (format!("unknown key `{name}`; did you mean `{similar}`?"), Some(similar))
    } else {
        (format!("unknown key `{name}`; the keys are {}", list(KEYS)), None)
    };
    (Error::new(key.span(), message), meant)
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

/// Reads the parentheses of an attribute.
pub(crate) fn parse(tokens: TokenStream, errors: &mut Errors) -> Args {
    let mut args = Args::default();
    read(tokens, errors, |input, errors| args = Args::parse_until(input, errors, |_| false));
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
