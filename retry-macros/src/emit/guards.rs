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
use crate::emit::private::{Private, ends};
use crate::read::duration::bare;
use crate::read::held::{Nested, Timeout};

impl Cycle<'_> {
    /// Whether an attempt can be cut.
    fn is_cut(&self) -> bool {
        self.is_async && (self.args.deadline.is_some() || self.args.attempt_timeout.is_some())
    }

    /// Whether the call may end without an outcome of an attempt.
    pub(crate) fn is_interruptible(&self) -> bool {
        self.is_cut() || self.args.cancel.is_some() || self.args.breaker.is_some()
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
    pub(crate) fn guards(&self, private: &Private) -> TokenStream {
        let args = self.args;
        if !args.is_guarded() {
            return quote!(());
        }
        let mut guards = quote!(#private::Guarded::new());
        let mut add = |method: &str, value: &dyn ToTokens| {
            let method = Ident::new(method, Span::mixed_site());
            let value = value.to_token_stream();
            guards = private.call(&quote!(Guarded::#method), quote!(#guards, #value), &value);
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
        if let Some(Nested::Once) = args.nested {
            guards = quote!(#private::Guarded::once(#guards));
        }
        guards
    }

    /// What holds the last real outcome while another attempt is made.
    pub(crate) fn last(&self) -> Option<TokenStream> {
        let Vars { last, .. } = Vars::new();
        self.is_interruptible().then(|| quote!(let mut #last = ::core::option::Option::None;))
    }

    /// Makes the outcome, by an attempt or without one.
    pub(crate) fn guarded_attempt(&self, private: &Private, before: &TokenStream) -> TokenStream {
        let Vars { call, outcome, last, reason, error, .. } = Vars::new();
        let asked = self.ask(private);
        let made = if self.is_cut() {
            let sleep = self.timer(private, &quote!(__retry_left));
            let method = quote!(cutting);
            let attempt = self.awaited(private, &method, &quote!(, |__retry_left| { #sleep }));
            quote!(#before #attempt)
        } else {
            let attempt = self.attempt(private);
            quote!(#before #attempt ::core::result::Result::Ok(#outcome))
        };
        let output = self.output.map(|output| quote!(#output)).unwrap_or(quote!(_));
        let made = quote! {
            #asked
            let __retry_made = match #private::Handle::admit(&mut #call) {
                ::core::option::Option::Some(__retry_refused) => {
                    ::core::result::Result::Err(__retry_refused)
                }
                ::core::option::Option::None => { #made }
            };
        };
        let told = self.error(private, false);
        let end = |outcome: TokenStream| {
            if self.is_reported() {
                quote!(break (#outcome, #reason);)
            } else {
                quote!(break #outcome;)
            }
        };
        let kept = end(self.given());
        let refused = quote! {
            if let ::core::option::Option::Some(__retry_reason) = __retry_ended {
                let #error = #told;
                #[allow(unused_variables)]
                let #reason = #private::Handle::refuse(&mut #call, __retry_reason, &#error);
                #kept
            }
        };
        if self.is_bare() {
            let without = end(quote!(::core::option::Option::None));
            return quote! {
                #made
                let (#outcome, __retry_ended): (#output, _) =
                    match #private::settle_bare(__retry_made, &mut #last) {
                        ::core::result::Result::Ok(__retry_settled) => __retry_settled,
                        ::core::result::Result::Err(__retry_refused) => {
                            let #reason = #private::Handle::refuse_bare(&mut #call, __retry_refused);
                            #without
                        }
                    };
                #refused
            };
        }
        let interrupted = self.interrupted(private);
        quote! {
            #made
            let (#outcome, __retry_ended): (#output, _) = #private::settle(
                __retry_made,
                &mut #last,
                |__retry_interrupted: #private::Interrupted| { #interrupted },
            );
            #refused
        }
    }

    /// What cancels the call, made anew wherever it is asked or waited for.
    pub(crate) fn cancel(&self, private: &Private) -> Option<TokenStream> {
        let cancel = self.args.cancel.as_ref()?;
        let source = if self.is_async { quote!(source) } else { quote!(asked) };
        Some(private.call(&quote!(cancel::#source), lent(cancel), cancel))
    }

    /// Asks whether the call is cancelled.
    pub(crate) fn ask(&self, private: &Private) -> Option<TokenStream> {
        let Vars { call, .. } = Vars::new();
        let cancel = self.cancel(private)?;
        let ask = if self.is_async { quote!(is_cancelled) } else { quote!(is_asked) };
        let key = self.args.cancel.as_ref()?;
        let asked = private.call(&quote!(cancel::#ask), cancel, key);
        Some(quote! {
            if !#private::Handle::is_cancelled(&#call) {
                #private::Handle::cancelled(&mut #call, #asked);
            }
        })
    }

    /// The outcome of a call that has none of its own.
    fn interrupted(&self, private: &Private) -> TokenStream {
        if let Some(interrupted) = &self.args.interrupted {
            let error = private.call(
                &quote!(hook::interrupted),
                quote!(__retry_interrupted, #interrupted),
                interrupted,
            );
            return quote!(::core::result::Result::Err(#error));
        }
        match self.output {
            Some(output) => {
                private.call(&quote!(interrupted::<#output>), quote!(__retry_interrupted), output)
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

/// A place is not moved out of; anything else is as it stands.
fn lent(value: &Expr) -> TokenStream {
    match bare(value) {
        Expr::Path(_) | Expr::Field(_) | Expr::Index(_) => {
            quote_spanned!(mixed(ends(value).0)=> &#value)
        }
        _ => value.to_token_stream(),
    }
}
