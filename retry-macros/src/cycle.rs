//! The loop around an attempt.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::{Expr, Type};

use crate::args::{Args, Idempotent, MaxHint};
use crate::condition::{Condition, Judge};
use crate::duration;
use crate::private::{Private, reference};
use crate::strategy::{self, Kind, Rewrite};

/// The loop around an attempt.
pub(crate) struct Cycle<'a> {
    pub(crate) args: &'a Args,
    pub(crate) is_async: bool,
    /// The type of the outcome, where it is written.
    pub(crate) output: Option<&'a Type>,
    /// An expression that runs one attempt.
    pub(crate) attempt: TokenStream,
    /// Names in the keys that are the user's whatever they are.
    pub(crate) arguments: &'a [Ident],
}

/// The variables of the loop, which the body and the keys cannot see.
struct Vars {
    call: Ident,
    outcome: Ident,
    error: Ident,
    verdict: Ident,
    pause: Ident,
    granted: Ident,
    enabled: Ident,
    settled: Ident,
}

impl Vars {
    fn new() -> Self {
        // A constant of the user's with the same name would turn a `let` into a pattern, and items
        // have no hygiene; hence the prefix.
        let var = |name| Ident::new(&format!("__retry_{name}"), Span::mixed_site());
        Self {
            call: var("call"),
            outcome: var("outcome"),
            error: var("error"),
            verdict: var("verdict"),
            pause: var("pause"),
            granted: var("granted"),
            enabled: var("enabled"),
            settled: var("settled"),
        }
    }
}

impl Cycle<'_> {
    /// Whether nothing but a success can end the loop, so that it can give the value itself.
    pub(crate) fn only_success_ends(&self) -> bool {
        let Args { stop, forever, on, enabled, .. } = self.args;
        forever.is_some()
            && stop.is_none()
            && enabled.is_none()
            && on.as_ref().is_some_and(Condition::is_any_error)
    }

    /// The loop, which gives the last outcome.
    pub(crate) fn tokens(&self) -> TokenStream {
        let private = self.args.private();
        let Vars { call, outcome, error, verdict, granted, enabled, settled, .. } = Vars::new();
        let clock = self.clock(&private);
        let attempt = &self.attempt;
        let output = self.output.map(|output| quote!(: #output));
        let enable = self
            .args
            .enabled
            .as_ref()
            .map(|value| quote!(let #enabled: ::core::primitive::bool = #value;));
        let if_disabled = enable.as_ref().map(|_| quote!(if !#enabled { break #outcome; }));
        let (judged, limits) = self.verdict(&private, &outcome, &granted);
        let grants = (limits > 0).then(|| quote!(let mut #granted = [0_u32; #limits];));
        let described = describe(&private, &quote!(#private::Judged(&#outcome).__retry_failure()));
        let next = self.next(&private);
        let round = quote! {
            let #outcome #output = #attempt;
            #if_disabled
            let #verdict: #private::Verdict = #judged;
            let #settled = #private::Verdict::is_final(#verdict);
            if #settled && !#private::Call::has_failed(&#call) {
                break #outcome;
            }
            let #error = #described;
            if #settled {
                #private::settle(&#call, #clock, #error.__retry_text());
                break #outcome;
            }
            match #next {
                ::core::option::Option::Some(__retry_some) => __retry_some,
                ::core::option::Option::None => break #outcome,
            }
        };
        let run = self.repeat(&private, &round);
        quote!(#enable #grants #run)
    }

    /// The loop that only a success can end, which gives its value.
    pub(crate) fn value_tokens(&self) -> TokenStream {
        let private = self.args.private();
        let Vars { call, error, verdict, outcome, .. } = Vars::new();
        let clock = self.clock(&private);
        let attempt = &self.attempt;
        let described = describe(&private, &quote!(::core::option::Option::Some(&#outcome)));
        let next = self.next(&private);
        let round = quote! {
            let #outcome = match #private::Outcome::into_result(#attempt) {
                ::core::result::Result::Ok(__retry_value) => {
                    if #private::Call::has_failed(&#call) {
                        #private::settle(&#call, #clock, ::core::option::Option::None);
                    }
                    break __retry_value;
                }
                ::core::result::Result::Err(__retry_err) => __retry_err,
            };
            let #error = #described;
            let #verdict = #private::Verdict::Retry;
            // Nothing gives up here.
            ::core::option::Option::unwrap_or_default(#next)
        };
        self.repeat(&private, &round)
    }

    /// Runs `round`, which breaks with the result or gives the pause before the next, until it
    /// breaks. The outcome lives in the round's own block: after it, it is gone.
    fn repeat(&self, private: &Private, round: &TokenStream) -> TokenStream {
        let Vars { call, pause, .. } = Vars::new();
        let clock = self.clock(private);
        let start = self.start(private);
        let sleep = self.sleep(private);
        quote! {
            let mut #call = #start;
            loop {
                let #pause: ::core::time::Duration = { #round };
                #sleep;
                #private::resume(&mut #call, #clock);
            }
        }
    }

    fn clock(&self, private: &Private) -> TokenStream {
        if self.is_async {
            quote!(#private::clock::runtime)
        } else {
            quote!(#private::clock::system)
        }
    }

    /// A clock is read at the start only if the policy may ask for the time.
    fn start(&self, private: &Private) -> TokenStream {
        let timed = |key: &Option<Expr>, kind| {
            key.as_ref().is_some_and(|key| strategy::is_timed(key, kind))
        };
        if timed(&self.args.stop, Kind::Stop) || timed(&self.args.wait, Kind::Wait) {
            let clock = self.clock(private);
            quote!(#private::Call::new(#clock()))
        } else {
            quote!(#private::Call::new(#private::Untimed))
        }
    }

    /// What the outcome means, and how many `at_most` limits count along.
    fn verdict(&self, private: &Private, outcome: &Ident, granted: &Ident) -> (TokenStream, usize) {
        let Some(on) = &self.args.on else {
            return (self.default_verdict(private, outcome), 0);
        };
        let mut judge = Judge { private, outcome, granted, limits: 0 };
        let verdict = judge.verdict(on);
        (verdict, judge.limits)
    }

    /// Without `on` the error itself must know; if it does not, the message stands at the type.
    fn default_verdict(&self, private: &Private, outcome: &Ident) -> TokenStream {
        match self.output {
            Some(output) => {
                let outcome = reference(outcome, output);
                private.call(&quote!(on::transient::<#output>), outcome, output)
            }
            None => quote!(#private::on::transient(&#outcome)),
        }
    }

    /// What comes after a failure, as an `Option<Duration>`.
    fn next(&self, private: &Private) -> TokenStream {
        let Vars { call, error, verdict, .. } = Vars::new();
        let clock = self.clock(private);
        let site = self.site(private);
        let idempotent = match &self.args.idempotent {
            None => quote!(false),
            Some(Idempotent::Always) => quote!(true),
            Some(Idempotent::If(value)) => {
                quote!(if #private::Verdict::is_ambiguous(#verdict) { #value } else { false })
            }
        };
        let max_hint = match &self.args.max_hint {
            None => quote!(#private::MaxHint::Remaining),
            Some(MaxHint::GiveUpAbove(most)) => {
                quote!(#private::MaxHint::GiveUpAbove(#most))
            }
            Some(MaxHint::Clamp(most)) => {
                quote!(#private::MaxHint::Clamp(#most))
            }
        };
        let stop = self.strategy(private, Kind::Stop, self.args.stop.as_ref());
        let wait = self.strategy(private, Kind::Wait, self.args.wait.as_ref());
        quote! {{
            #[allow(unused_imports)]
            use #private::Wait as _;
            #private::pause(
                &mut #call,
                #clock,
                #private::Failed {
                    site: #site,
                    verdict: #verdict,
                    idempotent: #idempotent,
                    max_hint: #max_hint,
                },
                &#stop,
                &#wait,
                #error.__retry_text(),
            )
        }}
    }

    fn strategy(&self, private: &Private, kind: Kind, key: Option<&Expr>) -> TokenStream {
        let Some(value) = key else { return quote!(#private::stop::Never) };
        let expr = Rewrite { private, kind, arguments: self.arguments }.strategy(value.clone());
        match kind {
            Kind::Wait => private.call(&quote!(IntoWait::into_wait), quote!(#expr), value),
            Kind::Stop => {
                let stop = private.call(&quote!(IntoStop::into_stop), quote!(#expr), value);
                if self.args.forever.is_some() {
                    return stop;
                }
                private.call(&quote!(must_end), stop, value)
            }
        }
    }

    /// The static identity of the function, in a block of its own so that its items are seen by
    /// nobody.
    fn site(&self, private: &Private) -> TokenStream {
        match &self.args.name {
            Some(name) => quote! {{
                static COUNTERS: #private::Counters = #private::Counters::new();
                static SITE: #private::Site = #private::Site::named(#name, &COUNTERS);
                &SITE
            }},
            None => quote! {{
                fn inside() -> &'static ::core::primitive::str {
                    ::core::any::type_name_of_val(&inside)
                }
                static COUNTERS: #private::Counters = #private::Counters::new();
                static SITE: #private::Site = #private::Site::around(inside, &COUNTERS);
                &SITE
            }},
        }
    }

    fn sleep(&self, private: &Private) -> TokenStream {
        let Vars { pause, .. } = Vars::new();
        let by = self.args.sleep.as_ref().map(|value| match duration::bare(value) {
            // A place is not moved out of.
            Expr::Path(_) | Expr::Field(_) | Expr::Index(_) => (value, quote!(&#value)),
            _ => (value, value.to_token_stream()),
        });
        match (self.is_async, by) {
            (false, None) => quote!(#private::sleep::blocking(#pause)),
            (false, Some((value, by))) => {
                private.call(&quote!(sleep::blocking_by), quote!(#pause, #by), value)
            }
            (true, None) => quote!(#private::sleep::pausing(#pause).await),
            (true, Some((value, by))) => {
                let pausing = private.call(&quote!(sleep::pausing_by), quote!(#pause, #by), value);
                quote!(#pausing.await)
            }
        }
    }
}

/// An error put into words by whatever its type can do, decided by method lookup.
fn describe(private: &Private, failure: &TokenStream) -> TokenStream {
    quote! {{
        #[allow(unused_imports)]
        use #private::{ByDebug as _, ByDisplay as _, ByName as _, Plain as _};
        (&&&#private::Describe(#failure)).__retry_describe()
    }}
}
