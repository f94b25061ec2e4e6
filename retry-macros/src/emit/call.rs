//! The loop around an attempt.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::{Expr, Lit, Type};

use crate::diagnose::mixed;
use crate::emit::hooks::Argument;
use crate::emit::private::{self, Private, reference};
use crate::emit::retry_error;
use crate::emit::site;
use crate::read::condition::{Condition, Judge};
use crate::read::duration;
use crate::read::keys::{Args, Idempotent};
use crate::read::strategy::{self, Kind, Rewrite};

/// The loop around an attempt.
pub(crate) struct Cycle<'a> {
    pub(crate) args: &'a Args,
    pub(crate) is_async: bool,
    /// The type of the outcome, where it is written.
    pub(crate) output: Option<&'a Type>,
    /// Whether the caller gets a `RetryError`.
    pub(crate) wraps: bool,
    /// One attempt: an expression that runs it, or in an async function a future.
    pub(crate) attempt: TokenStream,
    /// What stands for the whole in messages.
    pub(crate) anchor: Span,
    /// Names in the keys that are the user's whatever they are.
    pub(crate) arguments: &'a [Ident],
}

/// The variables of the loop, which the body and the keys cannot see.
pub(crate) struct Vars {
    pub(crate) call: Ident,
    pub(crate) start: Ident,
    pub(crate) outcome: Ident,
    pub(crate) failed: Ident,
    pub(crate) error: Ident,
    pub(crate) verdict: Ident,
    pub(crate) pause: Ident,
    pub(crate) granted: Ident,
    pub(crate) attempt: Ident,
    pub(crate) entered: Ident,
    pub(crate) plain: Ident,
    pub(crate) report: Ident,
    pub(crate) like: Ident,
}

impl Vars {
    pub(crate) fn new() -> Self {
        // A constant of the user's with the same name would turn a `let` into a pattern, and items
        // have no hygiene; hence the prefix.
        let var = |name| Ident::new(&format!("__retry_{name}"), Span::mixed_site());
        Self {
            call: var("call"),
            start: var("start"),
            outcome: var("outcome"),
            failed: var("failed"),
            error: var("error"),
            verdict: var("verdict"),
            pause: var("pause"),
            granted: var("granted"),
            attempt: var("attempt"),
            entered: var("entered"),
            plain: var("plain"),
            report: var("report"),
            like: var("like"),
        }
    }
}

impl Cycle<'_> {
    /// Whether nothing but a success can end the loop, so that it gives the value itself.
    pub(crate) fn only_success_ends(&self) -> bool {
        let Args { stop, forever, on, enabled, policy, gate, fallback, on_give_up, .. } = self.args;
        forever.is_some()
            && stop.is_none()
            && enabled.is_none()
            && policy.is_none()
            && gate.is_none()
            && fallback.is_none()
            && on_give_up.is_none()
            && on.as_ref().is_some_and(Condition::is_any_error)
    }

    /// The loop, which gives the last outcome.
    pub(crate) fn tokens(&self) -> TokenStream {
        self.call(false)
    }

    /// The loop that only a success can end, which gives its value.
    pub(crate) fn value_tokens(&self) -> TokenStream {
        let private = self.args.private();
        let call = self.call(true);
        // Nothing but a success comes out of the call; that the compiler cannot know.
        quote! {
            loop {
                if let ::core::result::Result::Ok(__retry_value) =
                    #private::Outcome::into_result({ #call })
                {
                    break __retry_value;
                }
            }
        }
    }

    /// One call, from its start to what comes after its end.
    fn call(&self, endless: bool) -> TokenStream {
        let private = self.args.private();
        let Vars { call, outcome, granted, pause, report, .. } = Vars::new();
        let begin = self.begin(&private, endless);
        let (judged, limits) = self.verdict(&private, &outcome, &granted);
        let grants = (limits > 0).then(|| quote!(let mut #granted = [0_u32; #limits];));
        let round = self.round(&private, &judged, endless);
        let sleep = self.sleep(&private);
        let gate = self.gate(&private);
        let kept = self.kept();
        let run = quote! {
            loop {
                let #kept = { #round };
                let #pause = #private::Run::pause(&mut #call, #pause);
                #sleep;
                #private::Run::wake(&mut #call);
                #gate
                #private::Run::resume(&mut #call);
            }
        };
        let run = if self.is_reported() {
            let after = self.after_the_end(&private);
            quote! {
                let (#outcome, #report) = #run;
                #after
            }
        } else {
            run
        };
        quote!(#begin #grants #run)
    }

    /// One attempt and what comes of it: breaks with the outcome, or gives the pause before the
    /// next attempt.
    fn round(&self, private: &Private, judged: &TokenStream, endless: bool) -> TokenStream {
        let Vars { call, outcome, failed, error, verdict, pause, attempt, plain, .. } = Vars::new();
        let run = self.attempt(private);
        let seen = [Argument::Ref(attempt.to_token_stream())];
        let before = self.hooks(private, self.args.before.as_ref(), &seen);
        let before = before.map(|hooks| {
            quote! {
                if !#private::Run::is_disabled(&#call) {
                    let #attempt = #private::Run::coming(&#call);
                    #hooks
                }
            }
        });
        // Where nothing but a success may end the call, what the body says cannot either.
        let heard = if endless { quote!(if !#failed) } else { TokenStream::new() };
        let reported = self.is_reported();
        let at_once = (!reported).then(|| {
            quote! {
                if #plain && !#failed {
                    #private::Run::succeed(&mut #call);
                    break #outcome;
                }
            }
        });
        // A condition that judges failures only need not be asked.
        let (before_on, after_on) =
            if self.judges_failures_only() { (at_once, None) } else { (None, at_once) };
        let settled = self.end(private, &quote!(settle), &quote!(#failed,));
        let given_up = self.end(private, &quote!(give_up), &TokenStream::new());
        let reset = self.reset(private);
        let failed_hooks = |hooks, delay: TokenStream| {
            let arguments = [
                Argument::Ref(attempt.to_token_stream()),
                Argument::Ref(outcome.to_token_stream()),
            ];
            self.hooks(private, hooks, &arguments).map(|hooks| {
                quote! {{
                    let #attempt = #private::Run::failed(&#call, #delay);
                    #hooks
                }}
            })
        };
        let after = failed_hooks(self.args.after.as_ref(), quote!(::core::option::Option::None));
        let before_sleep = failed_hooks(
            self.args.before_sleep.as_ref(),
            quote!(::core::option::Option::Some(#pause)),
        );
        let kept = self.kept();
        let next = self.next(private);
        let describe = describe(private);
        let alias = match self.output {
            Some(output) if !self.wraps => retry_error::behind_an_alias(private, output, &outcome),
            _ => None,
        };
        quote! {
            #before
            #run
            #alias
            let #failed = {
                #[allow(unused_imports)]
                use #private::Plain as _;
                ::core::option::Option::is_some(&#private::Judged(&#outcome).__retry_failure())
            };
            #before_on
            let #verdict: #private::Verdict = match #private::Run::said(&mut #call, #failed) {
                ::core::option::Option::Some(__retry_said) #heard => __retry_said,
                _ => #judged,
            };
            if #private::Verdict::is_final(#verdict) {
                #after_on
                #settled
            }
            #private::Run::fail(&mut #call, #verdict, #reported);
            #reset
            #after
            let #pause = {
                let #error = #describe;
                #next
            };
            match #pause {
                ::core::option::Option::Some(#pause) => {
                    #before_sleep
                    #kept
                }
                ::core::option::Option::None => { #given_up }
            }
        }
    }

    /// What a round hands on to the sleep. An outcome that the gate may have to return lives on; any
    /// other is gone before the sleep, as it ends with the round's own block.
    fn kept(&self) -> TokenStream {
        let Vars { pause, outcome, .. } = Vars::new();
        if self.args.gate.is_some() { quote!((#pause, #outcome)) } else { quote!(#pause) }
    }

    /// Makes the outcome, by an attempt with its context in place, and says whether there is
    /// nothing to tell of its call but that.
    fn attempt(&self, private: &Private) -> TokenStream {
        let Vars { call, start, outcome, plain, entered, .. } = Vars::new();
        let attempt = &self.attempt;
        let output = self.output.map(|output| quote!(: #output));
        if self.is_async {
            // What is wrong with the future is said where the function is named.
            let span = mixed(self.anchor);
            let pinned = quote_spanned!(span=> __retry_attempt);
            let attempt = quote_spanned! {span=>
                match ::core::pin::pin!(#attempt) {
                    #pinned => #private::Run::attempt(&mut #call, #pinned).await,
                }
            };
            quote! {
                let #outcome #output = #attempt;
                let #plain = #private::Run::is_plain(&#call);
            }
        } else {
            quote! {
                let #entered = #private::Run::enter(&mut #call, #start);
                let #outcome #output = #attempt;
                let #plain = #private::Entered::leave(#entered);
            }
        }
    }

    /// Ends the call in one of two ways, and breaks with what there is to give.
    pub(crate) fn end(
        &self,
        private: &Private,
        way: &TokenStream,
        arguments: &TokenStream,
    ) -> TokenStream {
        let Vars { call, outcome, error, report, .. } = Vars::new();
        let describe = describe(private);
        if self.is_reported() {
            let way = format_ident!("{}_reporting", way.to_string());
            quote! {
                let #report = {
                    let #error = #describe;
                    #private::Run::#way(#call, #arguments #error.__retry_text())
                };
                break (#outcome, #report);
            }
        } else {
            quote! {
                {
                    let #error = #describe;
                    #private::Run::#way(#call, #arguments #error.__retry_text());
                }
                break #outcome;
            }
        }
    }

    /// Whether a success is final whatever it is.
    fn judges_failures_only(&self) -> bool {
        match &self.args.on {
            Some(on) => on.never_retries_a_success(),
            None => self.args.policy.is_none(),
        }
    }

    fn is_reported(&self) -> bool {
        self.wraps || self.args.is_reported()
    }

    /// The start of a call, in variables of its own. A clock is read only if somebody may ask for the time.
    fn begin(&self, private: &Private, endless: bool) -> TokenStream {
        let (clock, source) =
            if self.is_async { ("runtime", "Runtime") } else { ("system", "System") };
        let (clock, source) = (format_ident!("{clock}"), format_ident!("{source}"));
        let site = site::tokens(self.args.name.as_ref(), private);
        let Args { stop, wait, policy, .. } = self.args;
        let timed = |key: &Option<Expr>, kind| {
            key.as_ref().map_or(policy.is_some(), |key| strategy::is_timed(key, kind))
        };
        let timed = timed(stop, Kind::Stop) || timed(wait, Kind::Wait);
        let now = if timed || self.wraps || self.args.is_watched() {
            quote!(#private::clock::#clock())
        } else {
            quote!(#private::Untimed)
        };
        let Vars { call, start, .. } = Vars::new();
        let run = quote!(#private::Run::<#private::clock::#source, _>);
        let (enabled, run) = match &self.args.enabled {
            Some(enabled) => {
                let enabled = quote!(let __retry_enabled: ::core::primitive::bool = #enabled;);
                (Some(enabled), quote!(#run::begin_if(__retry_enabled, #site, #start)))
            }
            None if endless => (None, quote!(#run::begin_endless(#site, #start))),
            None => (None, quote!(#run::begin(#site, #start))),
        };
        quote! {
            #enabled
            let #start = #now;
            let mut #call = #run;
        }
    }

    /// What the outcome means, and how many `at_most` limits count along.
    fn verdict(&self, private: &Private, outcome: &Ident, granted: &Ident) -> (TokenStream, usize) {
        let Some(on) = &self.args.on else {
            let verdict = match &self.args.policy {
                Some(policy) => {
                    let (first, last) = private::ends(policy);
                    let (first, last) = (mixed(first), mixed(last));
                    let policy_itself = quote_spanned!(last=> (#policy));
                    let policy_itself = quote_spanned!(first=> &#policy_itself);
                    let on = quote_spanned!(first=> AsPolicy::on);
                    let on = private.call(&on, policy_itself, policy);
                    let verdict = quote_spanned!(first=> On::verdict);
                    private.call(&verdict, quote!(#on, &#outcome), policy)
                }
                None => self.default_verdict(private, outcome),
            };
            return (verdict, 0);
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
        let policy = self.args.policy.as_ref();
        let from_policy = |what: TokenStream, default: TokenStream| match policy {
            Some(policy) => part(private, &what, policy),
            None => default,
        };
        let idempotent = match &self.args.idempotent {
            None => from_policy(quote!(is_idempotent), quote!(false)),
            Some(Idempotent::Always) => quote!(true),
            Some(Idempotent::If(value)) => {
                quote!(if #private::Verdict::is_ambiguous(#verdict) { #value } else { false })
            }
        };
        let max_hint = match &self.args.max_hint {
            None => from_policy(quote!(max_hint), quote!(#private::MaxHint::Remaining)),
            Some(most) => most.tokens(private),
        };
        let warn_after = match self.args.warn_after.as_ref() {
            None => quote!(#private::WarnAfter::Always),
            Some(after) if is_integer(after) => quote!(#private::WarnAfter::Attempts(#after)),
            Some(after) => private.call(&quote!(hook::warn_after), quote!(#after), after),
        };
        let stop = self.strategy(private, Kind::Stop, self.args.stop.as_ref());
        let wait = self.strategy(private, Kind::Wait, self.args.wait.as_ref());
        let next = quote! {
            #private::Run::next(
                &mut #call,
                #private::Rules { idempotent: #idempotent, max_hint: #max_hint },
                &#stop,
                &#wait,
                #warn_after,
                #error.__retry_text(),
            )
        };
        let next = match policy {
            Some(policy) => {
                let variable = policy_at(policy);
                quote!(match &(#policy) { #variable => #next })
            }
            None => next,
        };
        quote! {{
            #[allow(unused_imports)]
            use #private::Wait as _;
            #next
        }}
    }

    fn strategy(&self, private: &Private, kind: Kind, key: Option<&Expr>) -> TokenStream {
        let Some(value) = key else {
            return match (&self.args.policy, kind) {
                (None, _) => quote!(#private::stop::Never),
                (Some(policy), Kind::Wait) => part(private, &quote!(wait), policy),
                (Some(policy), Kind::Stop) => {
                    let stop = part(private, &quote!(stop), policy);
                    match self.args.forever {
                        Some(()) => stop,
                        None => private.call(&quote!(must_end), stop, policy),
                    }
                }
            };
        };
        let expr = Rewrite { private, kind, arguments: self.arguments }.strategy(value.clone());
        strategy::convert(private, kind, &expr, value, self.args.forever.is_some())
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

/// The outcome's error put into words by whatever its type can do, decided by method lookup.
fn describe(private: &Private) -> TokenStream {
    let Vars { outcome, .. } = Vars::new();
    quote! {{
        #[allow(unused_imports)]
        use #private::{ByDebug as _, ByDisplay as _, ByName as _, Plain as _};
        (&&&#private::Describe(#private::Judged(&#outcome).__retry_failure())).__retry_describe()
    }}
}

/// What the policy says, underlined where it is written.
fn part(private: &Private, what: &TokenStream, policy: &Expr) -> TokenStream {
    let what = quote_spanned!(mixed(private::ends(policy).0)=> AsPolicy::#what);
    private.call(&what, policy_at(policy).to_token_stream(), policy)
}

/// The variable that holds the policy, as if it stood where that is written.
fn policy_at(policy: &Expr) -> Ident {
    Ident::new("__retry_policy", mixed(private::ends(policy).1))
}

/// Whether it is a number without a unit.
fn is_integer(expr: &Expr) -> bool {
    matches!(duration::bare(expr), Expr::Lit(literal)
        if matches!(&literal.lit, Lit::Int(number) if number.suffix().is_empty()))
}
