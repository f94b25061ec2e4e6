//! What comes after a failure: the policy is asked how long to pause, or why the call has ended.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::{Expr, Lit};

use crate::diagnose::mixed;
use crate::emit::call::{Cycle, Vars};
use crate::emit::private::{self, Private};
use crate::emit::strategy::Writer;
use crate::read::duration;
use crate::read::held::{Idempotent, MaxHint};
use crate::read::keys::Args;
use crate::read::strategy::{Kind, Strategy};
use crate::read::tokens::find;

impl Cycle<'_> {
    /// What comes after a failure, as an `Option<Duration>`: asks the call by this method.
    pub(super) fn next(
        &self,
        method: &TokenStream,
        verdict: Option<&Ident>,
        endless: bool,
    ) -> TokenStream {
        let Vars { call, error, .. } = Vars::new();
        let verdict = verdict.map(|verdict| quote!(#verdict,));
        let policy = self.args.policy.as_ref();
        let rules = self.rules();
        let stop = self.strategy(Kind::Stop, self.args.stop.as_ref(), endless);
        let wait = self.strategy(Kind::Wait, self.args.wait.as_ref(), endless);
        // For the shapers.
        let dot = |tree: &TokenTree| matches!(tree, TokenTree::Punct(it) if it.as_char() == '.');
        let shaped = [&self.args.stop, &self.args.wait].into_iter().flatten().any(|key| {
            find(key.typed.to_token_stream(), &mut |tree| dot(tree).then_some(())).is_some()
        });
        let import = shaped.then(|| quote!(#[allow(unused_imports)] use #Private::Wait as _;));
        let asked = self.ask();
        let next = quote! {
            #Private::Handle::#method(&mut #call, #verdict #rules, &#stop, &#wait, &#error)
        };
        let next = if asked.is_some() { quote!({ #asked #next }) } else { next };
        let next = match policy {
            Some(policy) => {
                let variable = policy_at(policy);
                quote!(match &(#policy) { #variable => #next })
            }
            None => next,
        };
        if import.is_some() { quote!({ #import #next }) } else { next }
    }

    /// What the keys besides `stop` and `wait` say of a failure.
    fn rules(&self) -> TokenStream {
        let Vars { verdict, .. } = Vars::new();
        let Args { policy, idempotent, max_hint, warn_after, warn_every, .. } = self.args;
        let endless = self.only_success_ends();
        let idempotent = match idempotent {
            // Where only a success can end the call, no failure may.
            _ if endless => Some(quote!(true)),
            None => None,
            Some(Idempotent::Always) => Some(quote!(true)),
            Some(Idempotent::If(value)) => {
                Some(quote!(if #Private::Verdict::is_ambiguous(#verdict) { #value } else { false }))
            }
        };
        let threshold = |value: &Expr| match value {
            value if is_integer(value) => quote!(#Private::Threshold::Attempts(#value)),
            value => Private::call(&quote!(hook::threshold), quote!(#value), value),
        };
        let said = [
            idempotent.map(|value| quote!(idempotent: #value,)),
            max_hint.as_ref().map(MaxHint::tokens).map(|value| quote!(max_hint: #value,)),
            warn_after.as_ref().map(threshold).map(|value| quote!(warn_after: #value,)),
            warn_every.as_ref().map(threshold).map(|value| quote!(warn_every: #value,)),
        ];
        let others = match policy {
            Some(policy) => part(&quote!(rules), policy),
            None => quote!(#Private::Rules::DEFAULT),
        };
        let said = said.into_iter().flatten().collect::<Vec<_>>();
        match said.len() {
            0 => quote!(&#others),
            4 => quote!(&#Private::Rules { #(#said)* }),
            _ => quote!(&#Private::Rules { #(#said)* ..#others }),
        }
    }

    fn strategy(&self, kind: Kind, key: Option<&Strategy>, is_value: bool) -> TokenStream {
        let Some(strategy) = key else {
            return match (&self.args.policy, kind) {
                (None, _) => quote!(#Private::stop::Never),
                (Some(policy), Kind::Wait) => part(&quote!(wait), policy),
                (Some(policy), Kind::Stop) => {
                    let stop = part(&quote!(stop), policy);
                    let bound = match self.args.forever {
                        Some(()) => quote!(may_go_on),
                        None => quote!(must_end),
                    };
                    Private::call(&bound, stop, policy)
                }
            };
        };
        let endless = self.args.forever.is_some();
        let writer = Writer { arguments: self.arguments, moves: false, endless };
        let Vars { outcome, answers, .. } = Vars::new();
        let answers = if is_value { quote!(&#answers) } else { quote!(&#Private::Answers::new()) };
        let in_place = match kind {
            Kind::Wait => writer.in_place(strategy, &outcome, &answers),
            Kind::Stop => None,
        };
        in_place.unwrap_or_else(|| writer.tokens(strategy))
    }
}

/// What the policy says, underlined where it is written, as everywhere: what is no policy is then
/// complained of once.
pub(crate) fn part(what: &TokenStream, policy: &Expr) -> TokenStream {
    let first = mixed(private::ends(policy).0);
    let (what, variable) = (quote_spanned!(first=> AsPolicy::#what), policy_at(policy));
    Private::call(&what, quote_spanned!(first=> &*#variable), policy)
}

/// The variable that holds the policy, as if it stood where that is written.
pub(crate) fn policy_at(policy: &Expr) -> Ident {
    Ident::new("__retry_policy", mixed(private::ends(policy).1))
}

/// Whether it is a number without a unit.
fn is_integer(expr: &Expr) -> bool {
    matches!(duration::bare(expr), Expr::Lit(literal)
        if matches!(&literal.lit, Lit::Int(number) if number.suffix().is_empty()))
}
