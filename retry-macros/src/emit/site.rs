//! The static identity of one function, block or policy.

use core::time::Duration;

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use crate::emit::private::Private;
use crate::read::held::Log;
use crate::read::keys::Args;

/// A reference to it, from a block of its own so that its items are seen by nobody. Without a
/// name it goes by the function around. It knows what the literals in `stop` allow, for those who
/// ask before a failure.
pub(crate) fn tokens(args: &Args) -> TokenStream {
    let (attempts, starting, remaining) =
        args.stop.as_ref().map_or((None, None, None), |stop| stop.allows);
    let nanos = |time: Duration| u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
    let later = remaining.filter(|_| remaining != starting).map(|remaining| {
        let nanos = Literal::u64_unsuffixed(nanos(remaining));
        quote!(.remaining(#nanos))
    });
    let allowing = (attempts.is_some() || starting.is_some()).then(|| {
        let attempts = Literal::u32_unsuffixed(attempts.unwrap_or_default());
        let starting = Literal::u64_unsuffixed(starting.map_or(0, nanos));
        quote!(.allowing(#attempts, #starting))
    });
    let (inside, site) = match &args.name {
        Some(name) => (None, quote!(named(#name, &COUNTERS))),
        None => {
            let inside = quote! {
                fn inside() {}
            };
            (Some(inside), quote!(around(|| #Private::path_of(inside), &COUNTERS)))
        }
    };
    let endless = args.forever.as_ref().map(|()| quote!(.endless()));
    let silent = args.log.as_ref().map(|Log::Off| quote!(.without_events()));
    quote! {{
        #inside
        static COUNTERS: #Private::Counters = #Private::Counters::new();
        static SITE: #Private::Site = #Private::Site::#site #allowing #later #endless #silent;
        &SITE
    }}
}
