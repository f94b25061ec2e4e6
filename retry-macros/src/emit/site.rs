//! The static identity of one function, block or policy.

use proc_macro2::TokenStream;
use quote::quote;
use syn::LitStr;

use crate::emit::private::Private;

/// A reference to it, from a block of its own so that its items are seen by nobody. Without a
/// name it goes by the function around.
pub(crate) fn tokens(name: Option<&LitStr>, private: &Private) -> TokenStream {
    let (inside, site) = match name {
        Some(name) => (None, quote!(named(#name, &COUNTERS))),
        None => {
            let inside = quote! {
                fn inside() {}
            };
            (Some(inside), quote!(around(|| #private::path_of(inside), &COUNTERS)))
        }
    };
    quote! {{
        #inside
        static COUNTERS: #private::Counters = #private::Counters::new();
        static SITE: #private::Site = #private::Site::#site;
        &SITE
    }}
}
