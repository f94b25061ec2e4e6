//! What watches and steers the loop: hooks, the gate, resets, the fallback, and the form in which
//! the caller gets the outcome.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};

use super::call::{Cycle, Vars};
use crate::emit::hooks::{self as hook, Answer, Argument, Call};
use crate::emit::private::Private;
use crate::read::held::Hooks;

impl Cycle<'_> {
    /// The hooks that see how the call has ended, the fallback, and the form that the signature
    /// asks for.
    pub(crate) fn after_the_end(&self) -> TokenStream {
        let Vars { call, outcome, reason, report, like, .. } = Vars::new();
        let both =
            [Argument::Ref(report.to_token_stream()), Argument::Ref(outcome.to_token_stream())];
        let on_success = self.hooks(self.args.on_success.as_ref(), &both);
        let on_give_up = self.hooks(self.args.on_give_up.as_ref(), &both);
        let fallback = self.args.fallback.as_ref().map(|fallback| {
            let arguments =
                [Argument::Ref(report.to_token_stream()), Argument::Own(outcome.to_token_stream())];
            let call = Call { is_async: self.is_async };
            match self.output {
                Some(output) => {
                    call.tokens(fallback, &arguments, &Answer::Type(output.to_token_stream()))
                }
                None => {
                    let value = call.tokens(fallback, &arguments, &Answer::Like(like.clone()));
                    quote!({ let #like = #Private::hook::like(&#outcome); #value })
                }
            }
        });
        let read = quote!(let #report = #Private::Handle::report(&#call, #reason););
        let on_success = on_success.map(|hooks| quote!(#read #hooks));
        let read = (on_give_up.is_some() || fallback.is_some()).then_some(read);
        let fallback = fallback.unwrap_or_else(|| outcome.to_token_stream());
        let ended = quote! {
            match #reason {
                #Private::StopReason::Success => {
                    #on_success
                    #outcome
                }
                #Private::StopReason::Disabled => #outcome,
                _ => {
                    #read
                    #on_give_up
                    #fallback
                }
            }
        };
        let ended = if read.is_some() || on_success.is_some() { ended } else { quote!(#outcome) };
        if self.wraps {
            let wrap = if self.is_bare() { quote!(__wrap_any) } else { quote!(__wrap) };
            quote! {
                let #outcome = #ended;
                #Private::RetryError::#wrap(#outcome, || #Private::Handle::report(&#call, #reason))
            }
        } else {
            ended
        }
    }

    /// The hooks of one key, one after the other.
    pub(crate) fn hooks(
        &self,
        hooks: Option<&Hooks>,
        arguments: &[Argument],
    ) -> Option<TokenStream> {
        let call = Call { is_async: self.is_async };
        let calls: TokenStream = hooks?
            .0
            .iter()
            .map(|hook| {
                let call = call.tokens(hook, arguments, &Answer::Ours(quote!(())));
                quote!(#call;)
            })
            .collect();
        Some(calls)
    }

    /// Asks the gate, and ends the call if it says no.
    pub(crate) fn gate(&self) -> Option<TokenStream> {
        let Vars { call, outcome, attempt, .. } = Vars::new();
        let gate = self.args.gate.as_ref()?;
        let arguments =
            [Argument::Ref(attempt.to_token_stream()), Argument::Ref(outcome.to_token_stream())];
        let yes_or_no = Answer::Ours(quote!(::core::primitive::bool));
        let asked = Call { is_async: self.is_async }.tokens(gate, &arguments, &yes_or_no);
        // The gate may have taken the time that the attempt was to start in.
        let refused = self.refused(&quote! {
            if #asked {
                #Private::Handle::too_late(&#call, ::core::time::Duration::ZERO)
            } else {
                ::core::option::Option::Some(#Private::StopReason::Gate)
            }
        });
        let gate = quote! {
            let #attempt = #Private::Handle::coming(&#call);
            #refused
        };
        if self.is_interruptible() {
            let asked = self
                .args
                .cancel
                .as_ref()
                .map(|_| quote!(if !#Private::Handle::is_cancelled(&#call)));
            return Some(quote!(#asked { #gate }));
        }
        let discard = if self.may_be_late() {
            TokenStream::new()
        } else {
            self.discard(true)
                .or_else(|| self.keep_asked())
                .unwrap_or_else(|| quote!(::core::mem::drop(#outcome);))
        };
        Some(quote! {
            #Private::Handle::wake(&mut #call);
            #gate
            #discard
        })
    }

    /// Gives the outcome of the attempt away, where nobody needs it any more: before the sleep, or
    /// where it is kept for a gate or a guard, after that.
    pub(crate) fn discard(&self, is_kept: bool) -> Option<TokenStream> {
        let Vars { call, outcome, attempt, pause, .. } = Vars::new();
        let discard = self.args.discard.as_ref()?;
        if self.keeps_outcome() != is_kept {
            return None;
        }
        let arguments =
            [Argument::Ref(attempt.to_token_stream()), Argument::Own(outcome.to_token_stream())];
        let given =
            Call { is_async: self.is_async }.tokens(discard, &arguments, &Answer::Ours(quote!(())));
        Some(quote! {{
            let #attempt = #Private::Handle::gone(&#call, ::core::option::Option::Some(#pause));
            #given;
        }})
    }

    /// Asks whether the attempt was healthy, whose verdict is known or not.
    pub(crate) fn reset(&self, verdict: Option<&Ident>) -> Option<TokenStream> {
        let Vars { call, outcome, error, attempt, .. } = Vars::new();
        let reset = self.args.reset.as_ref()?;
        let asked = if hook::is_closure(reset) {
            let arguments = [
                Argument::Ref(attempt.to_token_stream()),
                Argument::Ref(outcome.to_token_stream()),
            ];
            Call { is_async: false }.tokens(
                reset,
                &arguments,
                &Answer::Ours(quote!(::core::primitive::bool)),
            )
        } else {
            let lasts = Private::call(&quote!(hook::healthy), reset.to_token_stream(), reset);
            quote!(#Private::hook::lasted(&#attempt, #lasts))
        };
        let judged = match verdict {
            Some(verdict) => quote!(::core::option::Option::Some(#verdict)),
            None => quote!(::core::option::Option::None),
        };
        let ended = quote! {
            if let ::core::option::Option::Some(#attempt) =
                #Private::Handle::ended(&mut #call, #judged)
            {
                let #attempt = #asked;
                #Private::Handle::reset_if(&mut #call, #attempt);
            }
        };
        // A success that no condition is asked about is final.
        Some(if verdict.is_none() && self.judges_failures_only() {
            quote!(if #Private::Failure::is_failure(&#error) { #ended })
        } else {
            ended
        })
    }
}
