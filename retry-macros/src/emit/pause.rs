//! The pause between two attempts: how it is made, and what comes before the attempt after it.

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::Expr;

use crate::diagnose::mixed;
use crate::emit::call::{Cycle, Vars};
use crate::emit::private::{self, Private};
use crate::read::duration;

impl Cycle<'_> {
    /// Pauses, until the pause is over or somebody cancels the call.
    pub(super) fn sleep(&self, pause: &TokenStream) -> TokenStream {
        let Vars { call, .. } = Vars::new();
        let woken = |woken| quote!(#Private::Handle::woken(&mut #call, #woken););
        // All `.await`s of a call stand in one place, so that where nothing can be awaited the compiler
        // says so once.
        let awaited = quote_spanned!(mixed(self.anchor)=> .await);
        match self.cancel() {
            Some(cancel) if self.is_async => {
                let sleep = self.timer(&quote!(__retry_left));
                let sleep = quote!(|__retry_left| { #sleep });
                let wakes = quote!(#Private::cancel::wakes(#cancel, __retry_pause, #sleep));
                let woken = woken(quote!(#wakes #awaited));
                quote!(let __retry_pause = #pause; #woken)
            }
            Some(cancel) if self.args.sleep.is_none() => {
                let woken = woken(quote!(#Private::cancel::wakes_thread(#cancel, __retry_pause)));
                quote!(let __retry_pause = #pause; #woken)
            }
            _ => {
                let timer = self.timer(pause);
                let awaited = self.is_async.then_some(awaited);
                let woken = self.is_interruptible().then(|| woken(quote!(false)));
                quote!(#timer #awaited; #woken)
            }
        }
    }

    /// What comes between a pause and the next attempt.
    pub(super) fn starts(&self) -> TokenStream {
        let Vars { call, outcome, last, pause, manner, .. } = Vars::new();
        if self.is_interruptible() {
            let slept = self.slept().map(|slept| quote!(#slept = #pause;));
            return quote!(#slept #last = ::core::option::Option::Some(#outcome););
        }
        let late = self.may_be_late().then(|| {
            let discard = self.discard(true).or_else(|| self.keep_asked());
            let late = self.too_late(&quote!(::core::time::Duration::ZERO));
            quote!(#late #discard)
        });
        if self.asks_policy() {
            return quote!(#late #manner.woken(&mut #call););
        }
        quote!(#late #Private::Handle::resume(&mut #call);)
    }

    /// What makes a pause: does it, or gives a future of it.
    pub(crate) fn timer(&self, pause: &TokenStream) -> TokenStream {
        let by = self.args.sleep.as_ref().map(|value| match duration::bare(value) {
            // A place is not moved out of.
            Expr::Path(_) | Expr::Field(_) | Expr::Index(_) => {
                (value, quote_spanned!(mixed(private::ends(value).1)=> (&#value)))
            }
            _ => (value, value.to_token_stream()),
        });
        let (plain, with) =
            if self.is_async { ("pausing", "pausing_by") } else { ("blocking", "blocking_by") };
        match by {
            None => {
                let plain = format_ident!("{plain}");
                quote!(#Private::timer::#plain(#pause))
            }
            Some((value, by)) => {
                let with = format_ident!("{with}");
                Private::call(&quote!(timer::#with), quote!(#pause, #by), value)
            }
        }
    }
}
