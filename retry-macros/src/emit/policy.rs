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
    let private = args.private();
    let site = site::tokens(&args, &private);
    let stop = strategy(&private, args.stop.as_ref(), args.forever.is_some());
    let wait = strategy(&private, args.wait.as_ref(), true);
    let on = match &args.on {
        Some(on) => Value { private: &private }.of(on),
        None => quote!(#private::condition::ByTransient),
    };
    let max_hint = args.max_hint.as_ref().map(|most| {
        let most = most.tokens(&private);
        quote!(.with_max_hint(#most))
    });
    let idempotent = args.idempotent.as_ref().map(|idempotent| match idempotent {
        Idempotent::Always => quote!(.with_idempotent(true)),
        Idempotent::If(value) => quote!(.with_idempotent(#value)),
    });
    let guarded = guarded(&private, &args);
    let import = private::import(args.krate.as_ref());
    quote! {{
        #import
        #[allow(unused_imports)]
        use #private::Wait as _;
        // Bound first: what is expected of the whole is not expected of the parts.
        let __retry_policy = #private::Policy::at(#site, #stop, #wait, #on) #max_hint #idempotent;
        #guarded
        __retry_policy
    }}
}

/// What guards the calls of the policy, said one by one, so that what is wrong with a value is said there.
fn guarded(private: &Private, args: &Args) -> TokenStream {
    let mut guarded = TokenStream::new();
    let mut add = |method: &str, value: &Expr, given: TokenStream| {
        let method = Ident::new(method, mixed(value.span()));
        let call = private.call(&quote!(Policy::#method), quote!(__retry_policy, #given), value);
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

fn strategy(private: &Private, key: Option<&Strategy>, endless: bool) -> TokenStream {
    let writer = Writer { arguments: &[], moves: true, endless };
    key.map_or_else(|| quote!(#private::stop::Never), |key| writer.tokens(key))
}

/// Writes conditions as values.
struct Value<'a> {
    private: &'a Private,
}

impl Value<'_> {
    fn of(&self, condition: &Condition) -> TokenStream {
        let private = self.private;
        match condition {
            Condition::Error(f) => private.call(&quote!(condition::error), quote!(#f), f),
            Condition::Ok(f) => private.call(&quote!(condition::ok), quote!(#f), f),
            Condition::Output(f) => private.call(&quote!(condition::output), quote!(#f), f),
            Condition::AnyError(_) => quote!(#private::condition::any_error()),
            Condition::Transient(_) => quote!(#private::condition::transient()),
            Condition::Marked(_) => quote!(#private::condition::marked()),
            Condition::Is(ty, f) => self.of_type(&quote!(condition::is::<#ty>), ty, f.as_ref()),
            Condition::SourceIs(ty, f) => {
                self.of_type(&quote!(condition::source_is::<#ty>), ty, f.as_ref())
            }
            Condition::Matches(pat, guard) => self.matches(pat, guard.as_ref()),
            Condition::Call(call) => given(private, call, |given| {
                private.call(&quote!(condition::returned), given, call)
            }),
            // Rejected in `check`.
            Condition::AtMost(condition, _) => self.of(condition),
            Condition::Not(_, condition) => {
                let condition = self.of(condition);
                quote!(::core::ops::Not::not(#condition))
            }
            Condition::Or(a, b) => {
                let (a, b) = (self.of(a), self.of(b));
                quote!(::core::ops::BitOr::bitor(#a, #b))
            }
            Condition::And(a, b) => {
                let (a, b) = (self.of(a), self.of(b));
                quote!(::core::ops::BitAnd::bitand(#a, #b))
            }
        }
    }

    fn of_type(&self, condition: &TokenStream, ty: &Type, f: Option<&Expr>) -> TokenStream {
        let condition = self.private.call(condition, quote!(), ty);
        match f {
            Some(f) => quote_spanned!(mixed(f.span())=> #condition.judged_by(#f)),
            None => condition,
        }
    }

    /// A pattern of errors judges errors, so that the policy serves any type of success; one of
    /// successes judges these; another the whole outcome.
    fn matches(&self, pat: &Pat, guard: Option<&Expr>) -> TokenStream {
        let private = self.private;
        let (side, pat) = match (inside(pat, "Err"), inside(pat, "Ok")) {
            (Some(Pat::Wild(_)), _) if guard.is_none() => {
                return quote!(#private::condition::any_error());
            }
            (Some(error), _) => ("error", error),
            (None, Some(value)) => ("ok", value),
            (None, None) => ("output", pat.clone()),
        };
        let span = mixed(pat.span());
        let side = Ident::new(side, span);
        let guard = guard.map(|guard| quote!(if #guard));
        quote_spanned! {span=>
            #private::condition::#side(|__retry_it: &_| {
                #[allow(unreachable_patterns)]
                match __retry_it { #pat #guard => true, _ => false }
            })
        }
    }
}
