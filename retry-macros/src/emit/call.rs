//! The loop around an attempt.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::Type;

use crate::diagnose::mixed;
use crate::emit::hooks::Argument;
use crate::emit::judge::{Judge, called};
use crate::emit::private::{self, Private, reference};
use crate::emit::retry_error;
use crate::emit::site;
use crate::read::held::{Hooks, MaxHint};
use crate::read::keys::Args;
use crate::read::strategy::Strategy;

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
    pub(crate) outcome: Ident,
    pub(crate) reason: Ident,
    pub(crate) error: Ident,
    pub(crate) verdict: Ident,
    pub(crate) pause: Ident,
    pub(crate) granted: Ident,
    pub(crate) attempt: Ident,
    pub(crate) report: Ident,
    pub(crate) like: Ident,
    pub(crate) answers: Ident,
    pub(crate) last: Ident,
    pub(crate) asking: Ident,
    pub(crate) manner: Ident,
    pub(crate) slept: Ident,
}

impl Vars {
    pub(crate) fn new() -> Self {
        // A constant of the user's with the same name would turn a `let` into a pattern, and items
        // have no hygiene; hence the prefix.
        let var = |name| Ident::new(&format!("__retry_{name}"), Span::mixed_site());
        Self {
            call: var("call"),
            outcome: var("outcome"),
            reason: var("reason"),
            error: var("error"),
            verdict: var("verdict"),
            pause: var("pause"),
            granted: var("granted"),
            attempt: var("attempt"),
            report: var("report"),
            like: var("like"),
            answers: var("answers"),
            last: var("last"),
            asking: var("asking"),
            manner: var("manner"),
            slept: var("slept"),
        }
    }
}

impl Cycle<'_> {
    /// Whether nothing but a success can end the loop, so that it gives the value itself.
    pub(crate) fn only_success_ends(&self) -> bool {
        let Args {
            stop, forever, on, enabled, policy, gate, fallback, on_give_up, max_hint, ..
        } = self.args;
        let guarded = self.args.may_end_it();
        forever.is_some()
            && stop.is_none()
            && !guarded
            && enabled.is_none()
            && policy.is_none()
            && gate.is_none()
            && fallback.is_none()
            && on_give_up.is_none()
            && !matches!(max_hint, Some(MaxHint::GiveUpAbove(_)))
            && on.as_ref().is_some_and(|on| on.is_any_error())
    }

    /// The loop, which gives the last outcome.
    pub(crate) fn tokens(&self) -> TokenStream {
        let import = private::import(self.args.krate.as_ref());
        let call = self.call(false);
        quote!(#import #call)
    }

    /// The loop that only a success can end, which gives its value; or also a closure in `wait`, by
    /// an `Option`: then it gives the outcome.
    pub(crate) fn value_tokens(&self) -> TokenStream {
        let import = private::import(self.args.krate.as_ref());
        let call = self.call(true);
        let wait_is_called = self.args.wait.as_ref().is_some_and(Strategy::is_closure);
        let (answers, value) = if wait_is_called {
            let answers = Vars::new().answers;
            (
                Some(quote!(let #answers = #Private::Answers::new();)),
                quote!(#answers.value({ #call })),
            )
        } else {
            (None, quote!(#Private::Outcome::into_result({ #call })))
        };
        // Nothing but a success comes out of the call; that the compiler cannot know.
        quote! {
            #import
            #answers
            loop {
                if let ::core::result::Result::Ok(__retry_value) = #value {
                    break __retry_value;
                }
            }
        }
    }

    /// One call, from its start to what comes after its end.
    fn call(&self, endless: bool) -> TokenStream {
        let Vars { call, outcome, reason, granted, pause, .. } = Vars::new();
        let begin = self.begin(endless);
        let (judged, limits) = self.verdict(&outcome, &granted);
        let grants = (limits > 0).then(|| quote!(let mut #granted = [0_u32; #limits];));
        let round = self.round(&judged, limits, endless);
        let rests = !self.is_async
            && self.args.sleep.is_none()
            && !self.keeps_outcome()
            && !self.asks_policy();
        let next = if rests {
            quote!(#Private::Handle::rest(&mut #call, #pause);)
        } else {
            let blocks = !self.is_async && self.args.sleep.is_none();
            let pausing = if blocks { quote!(block) } else { quote!(pause) };
            let sleep = self.sleep(&quote!(#Private::Handle::#pausing(&mut #call, #pause)));
            let gate = self.gate();
            let starts = self.starts();
            quote!(#sleep #gate #starts)
        };
        let last = self.last();
        let kept = self.kept();
        let run = quote! {
            loop {
                let #kept = { #round };
                #next
            }
        };
        if self.is_reported() {
            let after = self.after_the_end();
            quote!(#begin #grants #last let (#outcome, #reason) = #run; #after)
        } else {
            quote!(#begin #grants #last #run)
        }
    }

    /// One attempt and what comes of it: breaks with the outcome, or gives the pause before the
    /// next attempt.
    fn round(&self, judged: &TokenStream, limits: usize, endless: bool) -> TokenStream {
        let Vars { call, error, verdict, pause, .. } = Vars::new();
        let before = self.before();
        let run = self.made(&before.unwrap_or_default());
        let succeeded = self.broken(&self.given(), &quote!(#Private::StopReason::Success));
        let settled = self.end(&quote!(#Private::Handle::settle(&mut #call, &#error)));
        let told = self.error(true);
        let told_again = self.error(false);
        let at_once = quote! {
            if #Private::Handle::succeeds(&mut #call, &#error) { #succeeded; }
        };
        let verdict_of = judge(judged, limits, endless);
        // A condition that counts its grants counts them anew in a new outage, so that must be known
        // before it is asked.
        let (resets_first, reset) =
            if limits > 0 { (self.reset(None), None) } else { (None, self.reset(Some(&verdict))) };
        let resets = resets_first.is_some() || reset.is_some();
        let after =
            self.failed_hooks(self.args.after.as_ref(), &quote!(::core::option::Option::None));
        let before_sleep = self.failed_hooks(
            self.args.before_sleep.as_ref(),
            &quote!(::core::option::Option::Some(#pause)),
        );
        // A hook may have taken the time that the next attempt was to start in.
        let too_late = before_sleep.as_ref().map(|_| self.too_late(&pause));
        let kept = self.handed_on();
        // The error is told in a block that ends before anything can be awaited.
        let (failed, pausing) = if resets || after.is_some() || !self.judges_failures_only() {
            // A condition that judges failures only need not be asked about a success.
            let (before_on, after_on) = if self.judges_failures_only() {
                (Some(at_once), None)
            } else {
                (None, Some(at_once))
            };
            let next = self.next(&quote!(next), None, endless);
            let failed = quote! {
                let #verdict = {
                    let #error = #told;
                    #before_on
                    #resets_first
                    #verdict_of
                    if #verdict.is_final() {
                        #after_on
                        #settled
                    }
                    #verdict
                };
                #reset
                #Private::Handle::fail(&mut #call, #verdict);
                #after
                let #pause = { let #error = #told_again; #next };
            };
            (failed, pause.to_token_stream())
        } else {
            // What follows a failure leaves the way of a success, with all that it needs.
            let failed = self.next(&quote!(failed), Some(&verdict), endless);
            let outlined = quote! {
                #Private::outlined(#error, |#error| {
                    #verdict_of
                    if #verdict.is_final() {
                        #Private::Handle::settles(&mut #call, &#error)
                    } else {
                        #failed
                    }
                })
            };
            (quote!(let #error = #told; #at_once), outlined)
        };
        let (failed, pausing) = if before_sleep.is_some() && !resets && after.is_none() {
            (quote!(let #pause = { #failed #pausing };), pause.to_token_stream())
        } else {
            (failed, pausing)
        };
        let given_up = self.given_up(&pausing);
        quote! {
            #run
            #failed
            #given_up
            #before_sleep
            #too_late
            #kept
        }
    }

    /// The hooks before an attempt.
    fn before(&self) -> Option<TokenStream> {
        let Vars { call, attempt, .. } = Vars::new();
        let seen = [Argument::Ref(attempt.to_token_stream())];
        let before = self.hooks(self.args.before.as_ref(), &seen);
        before.map(|hooks| {
            quote! {
                if !#Private::Handle::is_closed(&#call) {
                    let #attempt = #Private::Handle::coming(&#call);
                    #hooks
                }
            }
        })
    }

    /// Breaks if there is no pause to make, as this says.
    fn given_up(&self, pausing: &TokenStream) -> TokenStream {
        let Vars { reason, pause, .. } = Vars::new();
        let broken = self.broken(&self.given(), &reason);
        if self.is_reported() {
            quote! {
                let #pause = match #pausing {
                    ::core::result::Result::Ok(#pause) => #pause,
                    ::core::result::Result::Err(#reason) => #broken,
                };
            }
        } else {
            quote!(let ::core::result::Result::Ok(#pause) = #pausing else { #broken; };)
        }
    }

    /// Ends the call where something of the user's has taken the time that the next attempt, after
    /// `delay`, was to start in. Any call may be under a deadline.
    pub(super) fn too_late(&self, delay: &impl ToTokens) -> TokenStream {
        let Vars { call, .. } = Vars::new();
        self.refused(&quote!(#Private::Handle::too_late(&#call, #delay)))
    }

    /// Ends the call if `asked` gives a reason.
    pub(crate) fn refused(&self, asked: &TokenStream) -> TokenStream {
        let Vars { call, error, reason, .. } = Vars::new();
        let told = self.error(false);
        let refused = self.end(&quote!({
            let #error = #told;
            #Private::Handle::refuse(&mut #call, #reason, &#error)
        }));
        quote!(if let ::core::option::Option::Some(#reason) = #asked #refused)
    }

    /// Breaks with what there is to give, after `ending`, which gives the reason: where somebody
    /// reads the report, that goes along.
    pub(crate) fn end(&self, ending: &TokenStream) -> TokenStream {
        let Vars { reason, .. } = Vars::new();
        let broken = self.broken(&self.given(), &reason);
        if self.is_reported() {
            quote!({ let #reason = #ending; #broken; })
        } else {
            quote!({ #ending; #broken; })
        }
    }

    /// Breaks with this, and with the reason where somebody reads the report.
    pub(super) fn broken(&self, outcome: &TokenStream, reason: &impl ToTokens) -> TokenStream {
        if self.is_reported() { quote!(break (#outcome, #reason)) } else { quote!(break #outcome) }
    }

    /// Hooks that see an attempt that has failed.
    fn failed_hooks(&self, hooks: Option<&Hooks>, delay: &TokenStream) -> Option<TokenStream> {
        let Vars { call, outcome, attempt, .. } = Vars::new();
        let arguments =
            [Argument::Ref(attempt.to_token_stream()), Argument::Ref(outcome.to_token_stream())];
        self.hooks(hooks, &arguments).map(|hooks| {
            quote! {{
                let #attempt = #Private::Handle::gone(&#call, #delay);
                #hooks
            }}
        })
    }

    /// What a round hands on to the sleep. An outcome that the gate may have to return lives on; any
    /// other is gone before the sleep, as it ends with the round's own block.
    fn kept(&self) -> TokenStream {
        let Vars { pause, outcome, .. } = Vars::new();
        if self.keeps_outcome() { quote!((#pause, #outcome)) } else { quote!(#pause) }
    }

    /// The same, after what else becomes of the outcome.
    fn handed_on(&self) -> TokenStream {
        let kept = self.kept();
        if self.keeps_outcome() {
            return kept;
        }
        let discard = self.discard(false).or_else(|| self.keep_asked());
        quote!(#discard #kept)
    }

    /// Makes the outcome, by an attempt with its context in place.
    pub(crate) fn attempt(&self) -> TokenStream {
        let Vars { call, outcome, .. } = Vars::new();
        let attempt = &self.attempt;
        let output = self.output.map(|output| quote!(: #output));
        if !self.is_async {
            return quote! {
                let __retry_inside = #Private::Handle::enter(&mut #call);
                let #outcome #output = (#attempt)();
                #Private::Handle::leave(&mut #call, __retry_inside);
            };
        }
        let attempt = self.awaited(
            |span, pinned| quote_spanned!(span=> #Private::Handle::attempt(&mut #call, #pinned)),
        );
        quote!(let #outcome #output = #attempt;)
    }

    /// An async attempt, awaited by the future that is made of it.
    pub(super) fn awaited(
        &self,
        by: impl FnOnce(Span, &TokenStream) -> TokenStream,
    ) -> TokenStream {
        let attempt = &self.attempt;
        // What is wrong with the future is said where the function is named.
        let span = mixed(self.anchor);
        let pinned = quote_spanned!(span=> __retry_attempt);
        let future = by(span, &pinned);
        quote_spanned! {span=>
            match ::core::pin::pin!(#attempt) {
                #pinned => #future.await,
            }
        }
    }

    /// The outcome's error and how it is put into words, by one method lookup, and by literals for what
    /// is left to inference. The first of them complains of a `RetryError` behind an alias.
    pub(crate) fn error(&self, first: bool) -> TokenStream {
        let Vars { outcome, .. } = Vars::new();
        let alias = match self.output {
            Some(output) if first && !self.wraps => retry_error::may_hide(output),
            _ => None,
        };
        let open = quote!(((0, 0, 0, 0), (0, 0, 0, 0, 0, 0, 0, 0)));
        let judged = quote!(#Private::Judged(&#outcome));
        let told = match alias {
            Some(culprit) => {
                let told = Ident::new("told", mixed(culprit));
                quote!((&&&#judged).__retry_error #open.#told())
            }
            None => quote!((&&#judged).__retry_error #open),
        };
        let told = quote!({ use #Private::Tell as _; #told });
        match &self.args.describe {
            None => told,
            Some(describe) => {
                let (outcome, f) = (reference(&outcome, describe), called(describe));
                Private::call(&quote!(described), quote!(#told, #outcome, #f), describe)
            }
        }
    }

    /// Whether a success is final whatever it is.
    pub(crate) fn judges_failures_only(&self) -> bool {
        match &self.args.on {
            Some(on) => on.never_retries_a_success(),
            None => self.args.policy.is_none(),
        }
    }

    pub(crate) fn is_reported(&self) -> bool {
        self.wraps || self.args.is_reported()
    }

    /// Whether a strategy may ask for the time.
    fn is_timed(&self) -> bool {
        let Args { stop, wait, policy, .. } = self.args;
        [stop, wait]
            .into_iter()
            .any(|key| key.as_ref().map_or(policy.is_some(), Strategy::is_timed))
    }

    /// The start of a call. A clock is read only if somebody may ask for the time.
    fn begin(&self, endless: bool) -> TokenStream {
        let (clock, source) =
            if self.is_async { ("runtime", "Runtime") } else { ("system", "System") };
        let (clock, source) = (format_ident!("{clock}"), format_ident!("{source}"));
        let site = site::tokens(self.args);
        let start =
            if self.is_timed() || self.wraps || self.args.is_watched() || self.args.is_limited() {
                quote!(#Private::clock::#clock())
            } else {
                quote!(#Private::Untimed)
            };
        let forever = self.args.forever.is_some();
        let (enabled, entry) = match &self.args.enabled {
            Some(enabled) => {
                let entry = if forever { quote!(forever) } else { quote!(enabled) };
                let enabled = quote!(let __retry_enabled: ::core::primitive::bool = #enabled;);
                (Some(enabled), quote!(#entry(__retry_enabled)))
            }
            None if endless => (None, quote!(Endless)),
            None if forever => (None, quote!(Forever)),
            None => (None, quote!(Open)),
        };
        let Vars { call, .. } = Vars::new();
        let reported = self.is_reported();
        let (asking, guards) = (self.asking(), self.guards());
        let handle = quote!(#Private::Handle::<#Private::#source, _, _, #reported>);
        let entry = quote!(#Private::Entry::#entry);
        if self.args.is_guarded() {
            quote! {
                #enabled
                #asking
                let mut #call = #handle::new(#site, #start, #guards);
                #Private::Handle::open(&mut #call, #entry);
            }
        } else {
            quote! {
                #enabled
                #asking
                let mut #call = #handle::begin(#site, #start, #entry, #guards);
            }
        }
    }

    /// What the outcome means, and how many `at_most` limits count along.
    fn verdict(&self, outcome: &Ident, granted: &Ident) -> (TokenStream, usize) {
        let Some(on) = &self.args.on else {
            let verdict = match &self.args.policy {
                Some(policy) => {
                    let (first, last) = private::ends(policy);
                    let (first, last) = (mixed(first), mixed(last));
                    let policy_itself = quote_spanned!(last=> (#policy));
                    let policy_itself = quote_spanned!(first=> &#policy_itself);
                    let on = quote_spanned!(first=> AsPolicy::on);
                    let on = Private::call(&on, policy_itself, policy);
                    let verdict = quote_spanned!(first=> On::verdict);
                    Private::call(&verdict, quote!(#on, &#outcome), policy)
                }
                None => self.default_verdict(outcome),
            };
            return (verdict, 0);
        };
        let mut judge = Judge { outcome, granted, limits: 0 };
        let verdict = judge.verdict(on);
        (verdict, judge.limits)
    }

    /// Without `on` the error itself must know; if it does not, the message stands at the type.
    fn default_verdict(&self, outcome: &Ident) -> TokenStream {
        let asked = quote!((&&&#Private::on::Asked(&#outcome)).__retry_ask());
        let verdict = match self.output {
            Some(output) => {
                Private::call(&quote!(on::without_on), private::spread(asked, output), output)
            }
            None => quote!(#Private::on::without_on(#asked)),
        };
        quote!({ use #Private::on::Ask as _; #verdict })
    }
}

/// What the outcome means: what the body has said, or else what `judged` gives, which may count
/// its grants.
fn judge(judged: &TokenStream, limits: usize, endless: bool) -> TokenStream {
    let Vars { call, error, verdict, granted, .. } = Vars::new();
    let judging = if limits > 0 {
        quote!(judge_counting(&mut #call, &#error, &mut #granted, |#granted| #judged))
    } else {
        // Where nothing but a success may end the call, what the body says cannot either.
        let judge = if endless { quote!(judge_endless) } else { quote!(judge) };
        quote!(#judge(&mut #call, &#error, || #judged))
    };
    quote!(let #verdict = #Private::Handle::#judging;)
}
