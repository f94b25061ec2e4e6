//! The `impl`.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::{Fields, Member, Type, parse_quote};

use crate::diagnose::mixed;
use crate::emit::private::{Private, import};
use crate::transient::bounds::needs_bound;
use crate::transient::read::{Body, Kind, Mark, Place, Target};

/// The verdict of one place.
struct Verdict<'a> {
    tokens: TokenStream,
    /// The field that it hangs on, and the trait that this needs.
    asks: Option<(&'a Type, TokenStream)>,
    /// How the field is found, and what the code calls it.
    field: Option<(Member, Ident)>,
}

/// The verdict that the marks say.
pub(super) fn by_marks(target: &Target) -> TokenStream {
    let mut asked = Vec::new();
    let body = match &target.body {
        Body::Struct(place) => verdict(place).map(|verdict| {
            let Verdict { tokens, asks, field } = verdict;
            asked.extend(asks);
            let read = field.map(|(member, name)| quote!(let #name = &self.#member;));
            quote!(#read #tokens)
        }),
        Body::Enum(variants, _) => {
            let arms = variants.iter().filter_map(|variant| {
                let Verdict { tokens, asks, field } = verdict(variant)?;
                asked.extend(asks);
                let pattern = pattern(variant, field.as_ref());
                Some(quote!(#pattern => #tokens,))
            });
            let arms: TokenStream = arms.collect();
            Some(quote!(match self { #arms }))
        }
    };
    implementation(target, &asked, &body.unwrap_or_default())
}

/// What stands there after a mistake, so that nothing is said about a missing `impl`.
pub(super) fn in_place(target: &Target) -> TokenStream {
    if target.facade.is_unread {
        return TokenStream::new();
    }
    implementation(target, &[], &quote!(#Private::Verdict::Final))
}

fn implementation(
    target: &Target,
    asked: &[(&Type, TokenStream)],
    body: &TokenStream,
) -> TokenStream {
    let name = &target.name;
    let mut generics = target.generics.clone();
    let mut bounded = Vec::new();
    for (ty, bound) in asked {
        let text = ty.to_token_stream().to_string();
        if needs_bound(ty, &target.generics, name) && !bounded.contains(&text) {
            generics.make_where_clause().predicates.push(parse_quote!(#ty: #bound));
            bounded.push(text);
        }
    }
    let import = import(target.facade.path.as_ref());
    let (parameters, arguments, bounds) = generics.split_for_impl();
    let deprecated = target.is_deprecated.then(|| quote!(#[allow(deprecated)]));
    quote! {
        const _: () = {
            #import
            #[automatically_derived]
            #deprecated
            impl #parameters #Private::Transient for #name #arguments #bounds {
                #[inline]
                fn verdict(&self) -> #Private::Verdict {
                    #body
                }
            }
        };
    }
}

fn verdict(place: &Place) -> Option<Verdict<'_>> {
    let Some(Mark { kind, options, .. }) = place.marks.first() else {
        // A misspelled mark, which does not compile: no more is said about it.
        return Some(Verdict { tokens: quote!(#Private::Verdict::Final), asks: None, field: None });
    };
    if let Some(forward) = &options.forward {
        let (member, field) = place.fields.members().zip(&place.fields).next()?;
        let name = called(forward.span());
        return Some(Verdict {
            tokens: quote!(#Private::forwarded(#name)),
            asks: Some((&field.ty, quote!(#Private::Transient))),
            field: Some((member, name)),
        });
    }
    let kind = match kind {
        Kind::Transient => quote!(Retry),
        Kind::Permanent => quote!(Final),
        Kind::Ambiguous => quote!(Ambiguous),
    };
    let throttled = options.throttled.as_ref().map(|_| quote!(.throttled()));
    let tokens = quote!(#Private::Verdict::#kind #throttled);
    let Some((_, wanted)) = &options.retry_after else {
        return Some(Verdict { tokens, asks: None, field: None });
    };
    let (member, field) = place.field(wanted)?;
    let name = called(match wanted {
        Member::Named(wanted) => wanted.span(),
        Member::Unnamed(wanted) => wanted.span,
    });
    Some(Verdict {
        tokens: quote!(#Private::asks_for(#tokens, #name)),
        asks: Some((&field.ty, quote!(#Private::RetryAfter))),
        field: Some((member, name)),
    })
}

/// What the code calls a field: underlined where the user asks for it.
fn called(span: Span) -> Ident {
    Ident::new("__retry_field", mixed(span))
}

fn pattern(variant: &Place, field: Option<&(Member, Ident)>) -> TokenStream {
    let name = &variant.name;
    match (field, &variant.fields) {
        (Some((member, called)), _) => quote!(Self::#name { #member: #called, .. }),
        (None, Fields::Unit) => quote!(Self::#name),
        (None, Fields::Unnamed(_)) => quote!(Self::#name(..)),
        (None, Fields::Named(_)) => quote!(Self::#name { .. }),
    }
}
