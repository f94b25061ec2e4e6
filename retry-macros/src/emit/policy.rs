//! `policy!`: the keys as a value.
//!
//! ```text
//! policy! { stop = attempts(3), wait = none(), on = f | is::<T>(), idempotent }
//!
//! Policy::at(
//!     &SITE,
//!     must_end(into_stop(stop::attempts(3))),
//!     into_wait(wait::none()),
//!     BitOr::bitor(condition::error(f), condition::is::<T>()),
//! )
//! .with_idempotent(true)
//! ```
//!
//! Guards follow, each as `let policy = Policy::with_deadline(policy, …);`.

use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, Pat, Type};

use crate::check::{self, Place};
use crate::diagnose::{Errors, mixed};
use crate::emit::block::in_expression;
use crate::emit::guards::lent;
use crate::emit::judge::given;
use crate::emit::private::{self, Private};
use crate::emit::site;
use crate::emit::strategy::Writer;
use crate::read::condition::{Condition, inside};
use crate::read::duration;
use crate::read::held::{Idempotent, Nested, Timeout};
use crate::read::keys::{self as args, Args};
use crate::read::strategy::Strategy;

/// Expands `policy! { keys }`.
pub(crate) fn policy(input: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let mut args = args::parse_policy(input, &mut errors);
    check::policy(&args, Place { macro_name: "policy!", arguments: &[] }, &mut errors);
    if let Some(on) = &args.on {
        check::value(on, &mut errors);
    }
    args.each_expr_mut(&mut |expr| duration::replace(expr, &mut errors));
    if !errors.is_empty() {
        return in_expression(errors);
    }
    let site = site::tokens(&args);
    let stop = strategy(args.stop.as_ref(), args.forever.is_some());
    let wait = strategy(args.wait.as_ref(), true);
    let on = match &args.on {
        Some(on) => as_value(on),
        None => quote!(#Private::condition::ByTransient),
    };
    let max_hint = args.max_hint.as_ref().map(|most| {
        let most = most.tokens();
        quote!(.with_max_hint(#most))
    });
    let idempotent = args.idempotent.as_ref().map(|idempotent| match idempotent {
        Idempotent::Always => quote!(.with_idempotent(true)),
        Idempotent::If(value) => quote!(.with_idempotent(#value)),
    });
    let guarded = guarded(&args);
    let import = private::import(args.krate.as_ref());
    quote! {{
        #import
        #[allow(unused_imports)]
        use #Private::Wait as _;
        // Bound first: what is expected of the whole is not expected of the parts.
        let __retry_policy = #Private::Policy::at(#site, #stop, #wait, #on) #max_hint #idempotent;
        #guarded
        __retry_policy
    }}
}

/// What guards the calls of the policy, said one by one, so that what is wrong with a value is said there.
fn guarded(args: &Args) -> TokenStream {
    let mut guarded = TokenStream::new();
    let mut add = |method: &str, value: &Expr, given: TokenStream| {
        let method = Ident::new(method, mixed(value.span()));
        let call = Private::call(&quote!(Policy::#method), quote!(__retry_policy, #given), value);
        guarded.extend(quote!(let __retry_policy = #call;));
    };
    if let Some(deadline) = &args.deadline {
        add("with_deadline", deadline, quote!(#deadline));
    }
    if let Some(after) = &args.warn_after {
        add("with_warn_after", after, quote!(#after));
    }
    if let Some(every) = &args.warn_every {
        add("with_warn_every", every, quote!(#every));
    }
    match &args.attempt_timeout {
        Some(Timeout::After(most)) => add("with_attempt_timeout", most, quote!(#most)),
        Some(Timeout::Idle(most)) => add("with_idle_timeout", most, quote!(#most)),
        None => {}
    }
    if let Some(breaker) = &args.breaker {
        add("with_breaker", breaker, lent(breaker));
    }
    if let Some(budget) = &args.budget {
        add("with_budget", budget, lent(budget));
    }
    if let Some(Nested::Once) = args.nested {
        guarded.extend(quote!(let __retry_policy = __retry_policy.with_nested_once();));
    }
    guarded
}

fn strategy(key: Option<&Strategy>, endless: bool) -> TokenStream {
    let writer = Writer { arguments: &[], moves: true, endless };
    key.map_or_else(|| quote!(#Private::stop::Never), |key| writer.tokens(key))
}

/// A condition as a value.
fn as_value(condition: &Condition) -> TokenStream {
    match condition {
        Condition::Error(f) => Private::call(&quote!(condition::error), quote!(#f), f),
        Condition::Ok(f) => Private::call(&quote!(condition::ok), quote!(#f), f),
        Condition::Output(f) => Private::call(&quote!(condition::output), quote!(#f), f),
        Condition::AnyError(_) => quote!(#Private::condition::any_error()),
        Condition::Transient(_) => quote!(#Private::condition::transient()),
        Condition::Marked(_) => quote!(#Private::condition::marked()),
        Condition::Is(ty, f) => of_type(&quote!(condition::is::<#ty>), ty, f.as_ref()),
        Condition::SourceIs(ty, f) => of_type(&quote!(condition::source_is::<#ty>), ty, f.as_ref()),
        Condition::Matches(pat, guard) => matches(pat, guard.as_ref()),
        Condition::Call(call) => {
            given(call, |given| Private::call(&quote!(condition::returned), given, call))
        }
        // Rejected in `check`.
        Condition::AtMost(condition, _) => as_value(condition),
        Condition::Not(_, condition) => {
            let condition = as_value(condition);
            quote!(::core::ops::Not::not(#condition))
        }
        Condition::Or(a, b) => {
            let (a, b) = (as_value(a), as_value(b));
            quote!(::core::ops::BitOr::bitor(#a, #b))
        }
        Condition::And(a, b) => {
            let (a, b) = (as_value(a), as_value(b));
            quote!(::core::ops::BitAnd::bitand(#a, #b))
        }
    }
}

fn of_type(condition: &TokenStream, ty: &Type, f: Option<&Expr>) -> TokenStream {
    let condition = Private::call(condition, quote!(), ty);
    match f {
        Some(f) => quote_spanned!(mixed(f.span())=> #condition.judged_by(#f)),
        None => condition,
    }
}

/// A pattern of errors judges errors, so that the policy serves any type of success; one of
/// successes judges these; another the whole outcome.
fn matches(pat: &Pat, guard: Option<&Expr>) -> TokenStream {
    let (side, pat) = match (inside(pat, "Err"), inside(pat, "Ok")) {
        (Some(Pat::Wild(_)), _) if guard.is_none() => {
            return quote!(#Private::condition::any_error());
        }
        (Some(error), _) => ("error", error),
        (None, Some(value)) => ("ok", value),
        (None, None) => ("output", pat.clone()),
    };
    let span = mixed(pat.span());
    let side = Ident::new(side, span);
    let guard = guard.map(|guard| quote!(if #guard));
    quote_spanned! {span=>
        #Private::condition::#side(|__retry_it: &_| {
            #[allow(unreachable_patterns)]
            match __retry_it { #pat #guard => true, _ => false }
        })
    }
}
