//! Whatever stands in the attribute or under it, the macro answers without a panic, and the
//! function is still there afterwards.

use proc_macro2::{TokenStream, TokenTree};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use quote::quote;

use crate::check;
use crate::diagnose::Errors;
use crate::emit::{block, function as expand, policy};
use crate::read::item::Item;
use crate::read::keys as args;
use crate::read::keys::KEYS;
use crate::read::strategy::{CONDITIONS, Kind, SHAPERS};
use crate::read::tokens::find;
use crate::transient;

/// Words of Rust, and of nothing; brackets are added in pairs.
const WORDS: [&str; 56] = [
    "at_most",
    "clamp",
    "map",
    "self",
    "Self",
    "Err",
    "Ok",
    "_",
    "x",
    "E",
    "async",
    "move",
    "if",
    "else",
    "match",
    "fn",
    "->",
    "=>",
    "=",
    ",",
    ".",
    "|",
    "||",
    "&",
    "&&",
    "!",
    "+",
    "-",
    "::",
    "<",
    ">",
    "..",
    "..=",
    ";",
    "'a",
    "5",
    "0",
    "1.5",
    "5s",
    "100ms",
    "5sec",
    "0x10s",
    "1e99h",
    "\"text\"",
    "'c'",
    "#",
    "$",
    "?",
    "return",
    "const",
    "await",
    "attempt",
    "outcome",
    "report",
    "RetryError",
    "Result",
];

/// With the words of the grammar.
fn words() -> Vec<&'static str> {
    let grammar = [KEYS, Kind::Stop.heads(), Kind::Wait.heads(), &CONDITIONS, &SHAPERS];
    grammar.into_iter().flatten().chain(&WORDS).copied().collect()
}

fn soup(depth: u32) -> BoxedStrategy<String> {
    let word = select(words()).prop_map(str::to_owned);
    if depth == 0 {
        return word.boxed();
    }
    let nested = vec(soup(depth - 1), 0..5).prop_map(|words| words.join(" "));
    prop_oneof![
        6 => word,
        1 => nested.clone().prop_map(|inner| format!("({inner})")),
        1 => nested.clone().prop_map(|inner| format!("[{inner}]")),
        1 => nested.prop_map(|inner| format!("{{{inner}}}")),
    ]
    .boxed()
}

fn soups(words: std::ops::Range<usize>) -> impl Strategy<Value = String> {
    vec(soup(3), words).prop_map(|words| words.join(" "))
}

/// The keys that watch and steer a call.
const STEERING: [&str; 14] = [
    "before = ",
    "after = ",
    "before_sleep = ",
    "on_success = ",
    "on_give_up = ",
    "discard = ",
    "gate = ",
    "log = ",
    "describe = ",
    "reset = ",
    "fallback = ",
    "warn_after = ",
    "warn_every = ",
    "policy = ",
];

/// What hooks look like from outside, alone or in a list.
fn hooks() -> impl Strategy<Value = String> {
    const FORMS: [&str; 12] = [
        "|a| BODY",
        "|a, o| BODY",
        "async |a, Err(o) | Ok(o)| BODY",
        "async move |(a, o)| { BODY }",
        "|_, _| async { BODY }",
        "|a: &A, mut o: O| -> T { async move { BODY } }",
        "(move |_| BODY)",
        "path::<T>::to",
        "self.hooks[BODY]",
        "hook!(BODY)",
        "{ BODY }",
        "if BODY { x } else { x }",
    ];
    let hook = (select(&FORMS[..]), soups(0..4))
        .prop_map(|(form, body)| form.replace("BODY", &body))
        .boxed();
    prop_oneof![hook.clone(), vec(hook, 0..3).prop_map(|hooks| format!("[{}]", hooks.join(", ")))]
}

/// Pairs with plausible keys, so that values are reached.
fn attributes() -> impl Strategy<Value = String> {
    let keys = select(
        ["stop = ", "wait = ", "on = ", "forever", "clone", "sleep = ", "on"]
            .into_iter()
            .chain(STEERING)
            .collect::<Vec<_>>(),
    );
    let value = prop_oneof![3 => soups(0..6), 1 => hooks()];
    let pair = (keys, value).prop_map(|(key, value)| format!("{key}{value}"));
    prop_oneof![soups(0..12), vec(pair, 0..5).prop_map(|pairs| pairs.join(", "))]
}

fn tokens(text: &str) -> Option<TokenStream> {
    text.parse().ok()
}

/// All identifiers called `name`, those inside brackets included.
fn mentions(tokens: TokenStream, name: &str) -> usize {
    let mut count = 0;
    find::<()>(tokens, &mut |tree| {
        count += usize::from(matches!(tree, TokenTree::Ident(ident) if ident == name));
        None
    });
    count
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn any_attribute_leaves_the_function_and_its_body_in_place(
        attribute in attributes(),
        asyncness in select(&["", "async"][..]),
    ) {
        let Some(attribute) = tokens(&attribute) else { return Ok(()) };
        let asyncness = tokens(asyncness);
        let item = quote! {
            pub #asyncness fn the_function(x: String, n: u32) -> Result<u32, E> {
                the_body(x, n)
            }
        };
        let expanded = expand::attribute(attribute, &item);
        prop_assert_eq!(mentions(expanded.clone(), "the_function"), 1);
        prop_assert_eq!(mentions(expanded.clone(), "the_body"), 1);
        prop_assert!(syn::parse2::<syn::File>(expanded).is_ok());
    }

    #[test]
    fn any_item_is_handed_back(item in soups(0..20)) {
        let Some(item) = tokens(&item) else { return Ok(()) };
        let expanded = expand::attribute(quote!(stop = attempts(3), wait = none()), &item);
        for word in ["attempts", "x", "E"] {
            prop_assert!(mentions(expanded.clone(), word) >= mentions(item.clone(), word));
        }
    }

    #[test]
    fn any_signature_and_half_typed_body_keep_their_body(
        arguments in soups(0..6),
        output in soups(1..5),
        body in soups(0..12),
        boxed in any::<bool>(),
    ) {
        let output = if boxed {
            format!("::core::pin::Pin<Box<dyn Future<Output = {output}>>>")
        } else {
            output
        };
        let body = if boxed { format!("let x = x; Box::pin(async move {{ {body} }})") } else { body };
        let text = format!("fn the_function({arguments}) -> {output} {{ the_body; {body} }}");
        let Some(item) = tokens(&text) else { return Ok(()) };
        let attribute = quote!(stop = attempts(self.n), wait = none(), on = any_error(), clone(x));
        let expanded = expand::attribute(attribute, &item);
        prop_assert!(mentions(expanded.clone(), "the_function") >= 1);
        prop_assert!(mentions(expanded, "the_body") >= 1);
    }

    #[test]
    fn any_block_expands(keys in attributes(), body in soups(0..8)) {
        for form in ["async { BODY }", "async || -> T { BODY }", "|| -> T { BODY }", "BODY"] {
            let text = format!("{keys}, {}", form.replace("BODY", &body));
            if let Some(input) = tokens(&text) {
                let _: TokenStream = block::block(input);
            }
        }
    }

    #[test]
    fn any_policy_is_an_expression(keys in attributes()) {
        let Some(input) = tokens(&keys) else { return Ok(()) };
        prop_assert!(syn::parse2::<syn::Expr>(policy::policy(input)).is_ok());
    }
}

/// What stands above a variant.
fn marks() -> impl Strategy<Value = String> {
    const OPTIONS: [&str; 9] = [
        "retry_after = after",
        "retry_after = 0",
        "throttled",
        "forward",
        "crate = ::path",
        "retry_after",
        "forwrad",
        "=",
        ";",
    ];
    let name = select(&["transient", "permanent", "ambiguous", "transiant", "doc"][..]);
    let option = prop_oneof![3 => select(&OPTIONS[..]).prop_map(str::to_owned), 1 => soups(0..3)];
    let mark = (name, vec(option, 0..4), any::<bool>()).prop_map(|(name, options, commas)| {
        format!("#[{name}({})]", options.join(if commas { ", " } else { " " }))
    });
    vec(mark, 0..3).prop_map(|marks| marks.join(" "))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn any_marks_give_one_impl_or_an_error(
        above in marks(),
        [a, b, c] in [marks(), marks(), marks()],
        kind in select(&["enum", "struct"][..]),
    ) {
        let text = if kind == "enum" {
            format!("{above} enum E<T> {{ {a} A {{ after: T }}, {b} B(#[x] T, u8), {c} C }}")
        } else {
            format!("{above} struct E<T> {{ {c} after: T }}")
        };
        let Some(item) = tokens(&text) else { return Ok(()) };
        let expanded = transient::derive(item);
        prop_assert!(!expanded.is_empty());
        prop_assert!(mentions(expanded.clone(), "verdict") <= 1);
        let is_told = mentions(expanded.clone(), "compile_error") > 0;
        prop_assert!(is_told || mentions(expanded.clone(), "verdict") == 1, "{}", expanded);
        prop_assert!(syn::parse2::<syn::File>(expanded).is_ok());
    }

    #[test]
    fn any_item_is_answered_by_the_derive(item in soups(0..20)) {
        let Some(item) = tokens(&item) else { return Ok(()) };
        let expanded = transient::derive(item);
        prop_assert!(syn::parse2::<syn::File>(expanded).is_ok());
    }
}

#[test]
fn an_async_function_without_a_timer_is_told_to_get_one() {
    let message = |item: TokenStream, attribute: TokenStream| {
        let mut errors = Errors::default();
        let args = args::parse(attribute, &mut errors);
        if let Some(item) = errors.note(syn::parse2::<Item>(item)) {
            check::function(&item, &item.shape(), &args, false, &mut errors);
        }
        errors.into_compile_error().to_string()
    };
    let asynchronous = quote!(
        async fn f() -> Result<(), E> {}
    );
    let told = message(asynchronous.clone(), quote!(stop = attempts(3), wait = none()));
    assert!(told.contains("enable the feature `tokio`"), "{told}");
    let sleep = quote!(stop = attempts(3), wait = none(), sleep = my::sleep);
    assert_eq!(message(asynchronous, sleep.clone()), "");
    assert_eq!(
        message(
            quote!(
                fn f() -> Result<(), E> {}
            ),
            quote!(stop = attempts(3))
        ),
        ""
    );
}
