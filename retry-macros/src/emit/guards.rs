//! What guards a call: limits in time that cut an attempt, and whatever may refuse one.
//!
//! With them a call may end without an attempt's outcome, or in the middle of an attempt:
//!
//! ```text
//! let mut last = None;
//! loop {
//!     let (pause, outcome) = {
//!         Handle::cancelled(&mut call, cancel::is_cancelled(CANCEL));
//!         let made = match Handle::admit(&mut call) {
//!             Some(refused) => Err(refused),
//!             None => {
//!                 BEFORE
//!                 match pin!(async { BODY }) {
//!                     attempt => Handle::cutting(&mut call, attempt, |left| SLEEP(left)).await,
//!                 }
//!             }
//!         };
//!         let (outcome, ended) = settle(made, &mut last, |it| interrupted::<Ret>(it));
//!         if let Some(reason) = ended {
//!             Handle::refuse(&mut call, reason, &error);
//!             break outcome;
//!         }
//!         …
//!         (pause, outcome)
//!     };
//!     let cancelled = cancel::wakes(CANCEL, Handle::pause(&mut call, pause), |left| SLEEP(left)).await;
//!     Handle::woken(&mut call, cancelled);
//!     last = Some(outcome);
//! }
//! ```

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::{Expr, Ident};

use crate::diagnose::mixed;
use crate::emit::call::{Cycle, Vars};
use crate::emit::next::{part, policy_at};
use crate::emit::private::{Private, ends};
use crate::read::duration::bare;
use crate::read::held::{Nested, Timeout};
use crate::read::keys::Args;

impl Cycle<'_> {
    /// Whether an attempt can be cut.
    fn is_cut(&self) -> bool {
        let Args { deadline, attempt_timeout, policy, .. } = self.args;
        let may_cut = deadline.is_some()
            || attempt_timeout.is_some()
            || (policy.is_some() && self.is_refused());
        self.is_async && may_cut
    }

    /// Whether something other than time may end the call without an outcome of an attempt, as far as
    /// the keys say.
    fn is_refused(&self) -> bool {
        let Args { cancel, breaker, interrupted, policy, .. } = self.args;
        cancel.is_some() || breaker.is_some() || (policy.is_some() && interrupted.is_some())
    }

    /// Whether the call may end without an outcome of an attempt, as far as the keys say.
    pub(crate) fn is_interruptible(&self) -> bool {
        self.is_cut() || self.is_refused()
    }

    /// Whether it depends on the type of the policy, and on nothing else, if the call may end so.
    pub(crate) fn asks_policy(&self) -> bool {
        self.args.policy.is_some() && !self.is_interruptible()
    }

    /// Whether a deadline has to be looked at again after the pause.
    pub(crate) fn may_be_late(&self) -> bool {
        !self.is_async && self.args.deadline.is_some() && !self.is_interruptible()
    }

    /// Whether the outcome of a failed attempt must outlive the pause, to be returned after it.
    pub(crate) fn keeps_outcome(&self) -> bool {
        self.args.gate.is_some() || self.is_interruptible() || self.may_be_late()
    }

    /// Whether the caller learns from a `RetryError` that there was no outcome, so that none need
    /// be made.
    pub(crate) fn is_bare(&self) -> bool {
        self.wraps
            && self.is_interruptible()
            && self.args.attempt_timeout.is_none()
            && self.args.interrupted.is_none()
            && !self.args.is_reported()
    }

    /// What guards the call.
    pub(crate) fn guards(&self) -> TokenStream {
        let args = self.args;
        let Vars { asking, .. } = Vars::new();
        let mut guards = match (&args.policy, args.is_guarded()) {
            (None, false) => return quote!(()),
            (None, true) => quote!(#Private::Guarded::new()),
            (Some(policy), false) => {
                of_policy(policy, &quote!(guards), &quote!(#Private::Asking::unguarded(#asking)))
            }
            (Some(policy), true) => {
                of_policy(policy, &quote!(guarded), &quote!(#Private::Guarded::new()))
            }
        };
        let mut add = |method: &str, value: &dyn ToTokens| {
            let method = Ident::new(method, Span::mixed_site());
            let value = value.to_token_stream();
            guards = Private::call(&quote!(Guarded::#method), quote!(#guards, #value), &value);
        };
        if let Some(deadline) = &args.deadline {
            add("deadline", deadline);
        }
        match &args.attempt_timeout {
            Some(Timeout::After(most)) => add("timeout", most),
            Some(Timeout::Idle(most)) => add("idle", most),
            None => {}
        }
        if let Some(breaker) = &args.breaker {
            add("breaker", &lent(breaker));
        }
        if let Some(budget) = &args.budget {
            add("budget", &lent(budget));
        }
        match args.nested {
            Some(Nested::Once) => quote!(#Private::Guarded::once(#guards)),
            Some(Nested::Multiply) if args.policy.is_some() => {
                quote!(#Private::Guarded::multiply(#guards))
            }
            _ => guards,
        }
    }

    /// What asks the policy, by its type, how it guards the call.
    pub(crate) fn asking(&self) -> Option<TokenStream> {
        let Vars { asking, .. } = Vars::new();
        let settles = self.asks_policy().then(|| quote!(use #Private::Settles as _;));
        self.args.policy.as_ref().map(|_| {
            quote! {
                #settles
                let #asking = #Private::Asking::new();
            }
        })
    }

    /// What holds the last real outcome while another attempt is made.
    pub(crate) fn last(&self) -> Option<TokenStream> {
        let Vars { last, asking, manner, .. } = Vars::new();
        if self.asks_policy() {
            return Some(quote! {
                let #manner = #Private::Asking::manner(#asking);
                let mut #last = #manner.none();
            });
        }
        let slept = self.slept();
        let slept = slept.map(|slept| quote!(let mut #slept = ::core::time::Duration::ZERO;));
        self.is_interruptible()
            .then(|| quote!(let mut #last = ::core::option::Option::None; #slept))
    }

    /// What holds the length of the pause, to tell of it when the attempt after it is certain.
    pub(crate) fn slept(&self) -> Option<Ident> {
        (self.is_interruptible() && self.args.discard.is_some()).then(|| Vars::new().slept)
    }

    /// Gives the last outcome away, since another attempt is made.
    fn discard_last(&self) -> Option<TokenStream> {
        let Vars { outcome, last, pause, .. } = Vars::new();
        let (slept, discard) = (self.slept()?, self.discard(true)?);
        Some(quote! {
            if let ::core::option::Option::Some(#outcome) = ::core::option::Option::take(&mut #last) {
                let #pause = #slept;
                #discard
            }
        })
    }

    /// Makes the outcome, after the hooks `before`.
    pub(crate) fn made(&self, before: &TokenStream) -> TokenStream {
        if self.is_interruptible() {
            self.guarded_attempt(before)
        } else if self.asks_policy() {
            self.asked_attempt(before)
        } else {
            let attempt = self.attempt();
            quote!(#before #attempt)
        }
    }

    /// Makes the outcome, where the type of the policy says whether an attempt is needed for that.
    fn asked_attempt(&self, before: &TokenStream) -> TokenStream {
        let Vars { call, outcome, last, manner, .. } = Vars::new();
        let made = if self.is_async {
            let sleep = self.timer(&quote!(__retry_left));
            let sleep = quote!(|__retry_left| { #sleep });
            self.awaited(|span, pinned| {
                quote_spanned! {span=>
                    #manner.attempt(#Private::Handle::attempt(&mut #call, #pinned), #sleep)
                }
            })
        } else {
            let attempt = self.attempt();
            quote!(#attempt ::core::result::Result::Ok(#outcome))
        };
        let (output, settle) = match self.output {
            Some(output) => (quote!(#output), Ident::new("settle", mixed(ends(output).0))),
            None => (quote!(_), Ident::new("settle", mixed(self.anchor))),
        };
        let refused = self.ended();
        quote! {
            let __retry_made = match #manner.admit(&mut #call) {
                ::core::result::Result::Err(__retry_refused) => {
                    ::core::result::Result::Err(__retry_refused)
                }
                ::core::result::Result::Ok(()) => { #before #made }
            };
            let (#outcome, __retry_ended): (#output, _) =
                #manner.#settle(__retry_made, &mut #last);
            #refused
        }
    }

    /// Keeps the outcome, if the type of the policy says that it may be needed.
    pub(crate) fn keep_asked(&self) -> Option<TokenStream> {
        let Vars { outcome, last, manner, .. } = Vars::new();
        self.asks_policy().then(|| quote!(#last = #manner.kept(#outcome);))
    }

    /// Makes the outcome, by an attempt or without one.
    fn guarded_attempt(&self, before: &TokenStream) -> TokenStream {
        let Vars { call, outcome, last, reason, .. } = Vars::new();
        let asked = self.ask();
        let discard = self.discard_last();
        let output = self.output.map(|output| quote!(#output)).unwrap_or(quote!(_));
        let settled = |made: &TokenStream| {
            let interrupted = self.interrupted();
            let refused = self.ended();
            quote! {
                let (#outcome, __retry_ended): (#output, _) = #Private::settle(
                    #made,
                    &mut #last,
                    |__retry_interrupted: #Private::Interrupted| { #interrupted },
                );
                #refused
            }
        };
        if !self.is_cut() && !self.is_bare() {
            // Nothing but a refusal stands in for an outcome: an attempt has nothing to pass through.
            let attempt = self.attempt();
            let refused = settled(&quote!(::core::result::Result::Err(__retry_refused)));
            return quote! {
                #asked
                if let ::core::option::Option::Some(__retry_refused) =
                    #Private::Handle::admit(&mut #call)
                {
                    #refused
                }
                #discard
                #before
                #attempt
            };
        }
        let made = if self.is_cut() {
            let sleep = self.timer(&quote!(__retry_left));
            let sleep = quote!(|__retry_left| { #sleep });
            self.awaited(|span, pinned| {
                quote_spanned!(span=> #Private::Handle::cutting(&mut #call, #pinned, #sleep))
            })
        } else {
            let attempt = self.attempt();
            quote!(#attempt ::core::result::Result::Ok(#outcome))
        };
        let settled = if self.is_bare() {
            let without = self.broken(&quote!(::core::option::Option::None), &reason);
            let refused = self.ended();
            quote! {
                let (#outcome, __retry_ended): (#output, _) =
                    match #Private::settle_bare(__retry_made, &mut #last) {
                        ::core::result::Result::Ok(__retry_settled) => __retry_settled,
                        ::core::result::Result::Err(__retry_refused) => {
                            let #reason = #Private::Handle::refuse_bare(&mut #call, __retry_refused);
                            #without
                        }
                    };
                #refused
            }
        } else {
            settled(&quote!(__retry_made))
        };
        quote! {
            #asked
            let __retry_made = match #Private::Handle::admit(&mut #call) {
                ::core::option::Option::Some(__retry_refused) => {
                    ::core::result::Result::Err(__retry_refused)
                }
                ::core::option::Option::None => { #discard #before #made }
            };
            #settled
        }
    }

    /// Breaks where the call has ended without an outcome of this attempt.
    fn ended(&self) -> TokenStream {
        self.refused(&quote!(__retry_ended))
    }

    /// What cancels the call, made anew wherever it is asked or waited for.
    pub(crate) fn cancel(&self) -> Option<TokenStream> {
        let cancel = self.args.cancel.as_ref()?;
        let source = if self.is_async { quote!(source) } else { quote!(asked) };
        Some(Private::call(&quote!(cancel::#source), lent(cancel), cancel))
    }

    /// Asks whether the call is cancelled.
    pub(crate) fn ask(&self) -> Option<TokenStream> {
        let Vars { call, .. } = Vars::new();
        let cancel = self.cancel()?;
        let ask = if self.is_async { quote!(is_cancelled) } else { quote!(is_asked) };
        let key = self.args.cancel.as_ref()?;
        let asked = Private::call(&quote!(cancel::#ask), cancel, key);
        Some(quote! {
            if !#Private::Handle::is_cancelled(&#call) {
                #Private::Handle::cancelled(&mut #call, #asked);
            }
        })
    }

    /// The outcome of a call that has none of its own.
    fn interrupted(&self) -> TokenStream {
        if let Some(interrupted) = &self.args.interrupted {
            let error = Private::call(
                &quote!(hook::interrupted),
                quote!(__retry_interrupted, #interrupted),
                interrupted,
            );
            return quote!(::core::result::Result::Err(#error));
        }
        match self.output {
            Some(output) => {
                Private::call(&quote!(interrupted::<#output>), quote!(__retry_interrupted), output)
            }
            None => {
                let span = mixed(self.anchor);
                let private = Private::at(self.anchor);
                let interrupted = format_ident!("__retry_interrupted");
                quote_spanned!(span=> #private::interrupted(#interrupted))
            }
        }
    }

    /// What the loop gives.
    pub(crate) fn given(&self) -> TokenStream {
        let Vars { outcome, .. } = Vars::new();
        if self.is_bare() {
            quote!(::core::option::Option::Some(#outcome))
        } else {
            outcome.to_token_stream()
        }
    }
}

/// What guards a call by the policy's type: what the method says of it, or `none` without asking it.
fn of_policy(policy: &Expr, method: &TokenStream, none: &TokenStream) -> TokenStream {
    let Vars { asking, .. } = Vars::new();
    let (variable, limits) = (policy_at(policy), part(&quote!(limits), policy));
    let asked = quote!(#Private::Asking::#method(#asking, #limits));
    quote! {
        if #Private::Asking::any(#asking) {
            match &(#policy) { #variable => #asked }
        } else {
            #none
        }
    }
}

/// A place is not moved out of; anything else is as it stands.
pub(crate) fn lent(value: &Expr) -> TokenStream {
    match bare(value) {
        Expr::Path(_) | Expr::Field(_) | Expr::Index(_) => {
            quote_spanned!(mixed(ends(value).0)=> &#value)
        }
        _ => value.to_token_stream(),
    }
}
