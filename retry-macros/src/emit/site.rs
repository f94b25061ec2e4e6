//! The static identity of one function, block or policy.

use proc_macro2::TokenStream;
use quote::quote;

use crate::emit::private::Private;
use crate::read::held::Log;
use crate::read::keys::Args;

/// A reference to it, from a block of its own so that its items are seen by nobody. Without a
/// name it goes by the function around.
pub(crate) fn tokens(args: &Args, private: &Private) -> TokenStream {
    let (inside, site) = match &args.name {
        Some(name) => (None, quote!(named(#name, &COUNTERS))),
        None => {
            let inside = quote! {
                fn inside() {}
            };
            (Some(inside), quote!(around(|| #private::path_of(inside), &COUNTERS)))
        }
    };
    let silent = args.log.as_ref().map(|Log::Off| quote!(.without_events()));
    quote! {{
        #inside
        static COUNTERS: #private::Counters = #private::Counters::new();
        static SITE: #private::Site = #private::Site::#site #silent;
        &SITE
    }}
}
