//! Conditions as expressions that give a verdict.

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, Type};

use crate::diagnose::mixed;
use crate::emit::private::{self, Private, reference};
use crate::read::condition::Condition;
use crate::read::duration;

/// Writes conditions as expressions that give a verdict.
pub(crate) struct Judge<'a> {
    /// The variable that holds the outcome.
    pub(crate) outcome: &'a Ident,
    /// The variable that counts what each `at_most` has granted.
    pub(crate) granted: &'a Ident,
    /// How many `at_most` there have been.
    pub(crate) limits: usize,
}

impl Judge<'_> {
    pub(crate) fn verdict(&mut self, condition: &Condition) -> TokenStream {
        let Self { outcome, granted, .. } = *self;
        match condition {
            Condition::Error(f) => self.ask("error", f),
            Condition::Ok(f) => self.ask("ok", f),
            Condition::Output(f) => self.ask("output", f),
            Condition::AnyError(span) => self.whole("any_error", *span),
            Condition::Transient(span) => self.whole("transient", *span),
            Condition::Marked(span) => self.whole("marked", *span),
            Condition::Is(ty, f) => self.lookup("is", ["IsAny", "IsDyn"], ty, f.as_ref()),
            Condition::SourceIs(ty, f) => {
                self.lookup("source_is", ["SourceIsAny", "SourceIsDyn"], ty, f.as_ref())
            }
            Condition::Matches(pat, guard) => {
                let guard = guard.as_ref().map(|guard| quote!(if #guard));
                quote! {
                    <#Private::Verdict as ::core::convert::From<::core::primitive::bool>>::from({
                        #[allow(unreachable_patterns)]
                        let __retry_matched = match &#outcome { #pat #guard => true, _ => false };
                        __retry_matched
                    })
                }
            }
            Condition::Call(call) => {
                let outcome = reference(outcome, call);
                given(call, |given| {
                    Private::call(&quote!(on::condition), quote!(#outcome, #given), call)
                })
            }
            Condition::AtMost(condition, n) => {
                let index = self.limits;
                self.limits += 1;
                let verdict = self.verdict(condition);
                quote!(#Private::on::at_most(#verdict, &mut #granted[#index], #n))
            }
            Condition::Not(span, condition) => {
                let verdict = self.verdict(condition);
                let not = Ident::new("not", *span);
                let outcome = reference(outcome, &not);
                Private::call(&quote!(on::not), quote!(#outcome, #verdict), &not)
            }
            Condition::Or(a, b) => {
                let (a, b) = (self.verdict(a), self.verdict(b));
                quote!(::core::ops::BitOr::bitor(#a, #b))
            }
            Condition::And(a, b) => {
                let (a, b) = (self.verdict(a), self.verdict(b));
                quote!(::core::ops::BitAnd::bitand(#a, #b))
            }
        }
    }

    fn ask(&self, condition: &str, f: &Expr) -> TokenStream {
        let Self { outcome, .. } = self;
        let condition = Ident::new(condition, mixed(f.span()));
        let closure = called(f);
        let outcome = reference(outcome, f);
        Private::call(&quote!(on::#condition), quote!(#outcome, #closure), f)
    }

    fn whole(&self, condition: &str, span: Span) -> TokenStream {
        let Self { outcome, .. } = self;
        let condition = Ident::new(condition, span);
        let outcome = reference(outcome, &condition);
        Private::call(&quote!(on::#condition), outcome, &condition)
    }

    /// A question that the type of the error decides how to answer, by method lookup.
    fn lookup(&self, method: &str, traits: [&str; 2], ty: &Type, f: Option<&Expr>) -> TokenStream {
        let Self { outcome, .. } = self;
        let span = mixed(ty.span());
        let [any, boxed] = traits.map(|name| Ident::new(name, span));
        let question = Ident::new(method, span);
        let (answers, answer) = if method == "is" {
            // Of a type that it cannot find is told, and that takes a second lookup.
            (
                Some(
                    quote_spanned!(span=> #[allow(unused_imports)] use #Private::AnswersItself as _;),
                ),
                Some(quote_spanned!(span=> .answer())),
            )
        } else {
            (None, None)
        };
        let asked = match (f, method) {
            (None, _) => quote_spanned!(span=> __retry_it.#question::<#ty>()#answer),
            (Some(f), "is") => {
                let f = called(f);
                let found = quote_spanned!(span=> __retry_it.downcast_ref::<#ty>());
                let judged = Private::call(&quote!(on::found), quote!(#found, #f), &f);
                let never = quote_spanned!(span=> __retry_it.#question::<#ty>()#answer);
                quote!(if false { let _ = #never; } #judged)
            }
            (Some(f), _) => {
                let f = called(f);
                quote_spanned!(span=> __retry_it.judge_sources::<#ty, _, _>(#f))
            }
        };
        let closure = quote_spanned! {span=>
            |__retry_it| {
                #[allow(unused_imports)]
                use #Private::{#any as _, #boxed as _};
                #answers
                #asked
            }
        };
        let outcome = reference(outcome, ty);
        Private::call(&quote!(on::error), quote!(#outcome, #closure), ty)
    }
}

/// The user's function as an expression that may be called where it stands. Called through a closure,
/// a function may also take `&dyn Error`, and a field is not moved out of.
pub(crate) fn called(f: &Expr) -> TokenStream {
    let span = mixed(f.span());
    match duration::bare(f) {
        Expr::Path(_) => quote_spanned!(span=> |__retry_it| #f(__retry_it)),
        Expr::Field(_) | Expr::Index(_) => quote_spanned!(span=> |__retry_it| (#f)(__retry_it)),
        _ => f.to_token_stream(),
    }
}

/// What takes the call, such that one without arguments may be told that it needs one.
pub(crate) fn given(call: &Expr, take: impl FnOnce(TokenStream) -> TokenStream) -> TokenStream {
    let Expr::Call(it) = call else { return take(call.to_token_stream()) };
    if !it.args.is_empty() {
        return take(call.to_token_stream());
    }
    let (f, (first, last)) = (&it.func, private::ends(call));
    let give = Ident::new("give", mixed(first));
    let mut parentheses = Group::new(Delimiter::Parenthesis, TokenStream::new());
    parentheses.set_span(mixed(last));
    let called = Private::call(&quote!(on::Called), f.to_token_stream(), f);
    let taken = take(quote_spanned!(mixed(first)=> #called.#give #parentheses));
    quote! {
        {
            #[allow(unused_imports)]
            use #Private::on::{Gives as _, GivesNot as _};
            #taken
        }
    }
}
