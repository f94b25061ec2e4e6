//! The loop.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::parse::{ParseStream, Parser};
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};
use syn::{Error, Expr, ReturnType, Stmt, Token, Type, token};

use crate::args::{self, Args, Idempotent, MaxHint};
use crate::capture::Captures;
use crate::check::{self, Place};
use crate::condition::{Condition, Judge};
use crate::diagnose::Errors;
use crate::duration;
use crate::item::{Future, Item, Shape, async_block, async_trait_result};
use crate::strategy::{self, Kind, Rewrite};

/// Whether async functions can wait without being told how.
const TIMER: bool = cfg!(feature = "tokio");

/// Expands `#[retry(args)] item`. On any error the function stays as it is, so that the rest of
/// the user's crate still sees it.
pub(crate) fn attribute(args: TokenStream, tokens: &TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let mut args = args::parse(args, &mut errors);
    let Some(item) = errors.note(syn::parse2::<Item>(tokens.clone())) else {
        let errors = errors.into_compile_error();
        return quote!(#tokens #errors);
    };
    let shape = item.shape();
    let arguments = item.arguments();
    let place = Place { macro_name: "#[retry]", arguments: &arguments };
    check::policy(&args, place, &mut errors);
    check::function(&item, &shape, &args, TIMER, &mut errors);
    args.each_expr(&mut |expr| duration::replace(expr, &mut errors));
    if !errors.is_empty() {
        let (item, errors) = (item.untouched(), errors.into_compile_error());
        return quote!(#item #errors);
    }
    let anchor = item.sig.ident.span();
    match shape {
        Shape::Sync(output) => sync_function(item, &args, &output, anchor),
        Shape::Async(output) => async_function(item, &args, &output, anchor),
        Shape::Future(future) => future_function(item, args, future, anchor),
        // `check` has rejected both.
        Shape::Unit | Shape::OpaqueFuture => item.untouched(),
    }
}

// Input:
//     #[retry(stop = attempts(3), wait = fixed(1s), on = f, clone(x))]
//     fn call(x: X) -> Ret { body }
//
// Output:
//     fn call(x: X) -> Ret {
//         let mut call = Call::untimed();
//         loop {
//             let pause = {
//                 let outcome: Ret = (|| -> Ret { let x = Clone::clone(&x); body })();
//                 let error = describe(&outcome);
//                 let verdict = on::error(&outcome, |it| f(it));
//                 if verdict.is_final() { settle(&call, …); break outcome; }
//                 match pause(&mut call, …, &stop::attempts(3), &wait::fixed(1s), …) {
//                     Some(pause) => pause,
//                     None => break outcome,
//                 }
//             };
//             sleep::blocking(pause);
//             resume(&mut call, …);
//         }
//     }
fn sync_function(mut item: Item, args: &Args, output: &Type, anchor: Span) -> TokenStream {
    let clones = clones(&mut item, args, false);
    let output = erase_impl_trait(output);
    let body = &item.body;
    let attempt = quote_spanned!(mixed(anchor)=> (|| -> #output { #clones #body })());
    let allow = args.clone.as_ref().map(|_| quote!(#[allow(clippy::needless_pass_by_value)]));
    let arguments = item.arguments();
    let run = Loop { args, is_async: false, output: Some(&output), attempt, arguments: &arguments };
    let function = item.with_body(run.tokens());
    quote!(#allow #function)
}

// Input:
//     async fn call(x: X) -> Ret { body }
//
// Output: as above, but for
//     async fn call(mut x: X) -> Ret {
//         …
//                 let outcome: Ret = async {
//                     if false { let _ = &mut x; }
//                     if false { let ret: Ret = loop {}; return ret; }
//                     let x = Clone::clone(&x);
//                     body
//                 }.await;
//         …
//             sleep::pausing(pause).await;
//         …
//     }
fn async_function(mut item: Item, args: &Args, output: &Type, anchor: Span) -> TokenStream {
    let body = item.body.clone();
    let clones = clones(&mut item, args, true);
    let mut captures = Captures::of(&body);
    captures.arguments(&mut item.sig);
    let output = erase_impl_trait(output);
    let attempt = async_attempt(captures, Some(&output), &clones, &body, anchor);
    let arguments = item.arguments();
    let run = Loop { args, is_async: true, output: Some(&output), attempt, arguments: &arguments };
    item.with_body(run.tokens())
}

// Input, by hand or as `#[async_trait]` has written it:
//     fn call(&self, x: X) -> Pin<Box<dyn Future<Output = Ret> + Send + '_>> {
//         Box::pin(async move { body })
//     }
//     fn call(&self, x: X) -> Pin<Box<dyn Future<Output = Ret> + Send + '_>> {
//         Box::pin(async move {
//             let __self = self;
//             let x = x;
//             let __ret: Ret = { body };
//             __ret
//         })
//     }
//
// Output: the loop in place of `body`, inside the async block. What stands before it is done
// once, and in the keys `self` becomes `__self` where the block has moved it there.
fn future_function(mut item: Item, mut args: Args, future: Future, anchor: Span) -> TokenStream {
    let Future { output, mut stmts } = future;
    let clones = clones(&mut item, &args, true);
    let output = erase_impl_trait(&output);
    let arguments = item.arguments();
    let Some((last, before)) = stmts.split_last_mut() else { return item.untouched() };
    let Some(block) = async_block(last) else { return item.untouched() };
    let inner = &mut block.block.stmts;
    let by_async_trait = async_trait_result(inner).map(|result| match &**result {
        Expr::Block(block) => concat(&block.block.stmts),
        result => result.to_token_stream(),
    });
    let body = by_async_trait.clone().unwrap_or_else(|| concat(inner));
    let mut captures = Captures::of(&body);
    if by_async_trait.is_some() {
        args.each_expr(&mut |expr| RenameSelf.visit_expr_mut(expr));
        captures.locals(&mut *inner);
    } else {
        captures.arguments(&mut item.sig);
        captures.locals(before);
    }
    let attempt = async_attempt(captures, Some(&output), &clones, &body, anchor);
    let run =
        Loop { args: &args, is_async: true, output: Some(&output), attempt, arguments: &arguments };
    let run = run.tokens();
    match async_trait_result(inner) {
        Some(result) => **result = Expr::Verbatim(quote!({ #run })),
        None => *inner = vec![Stmt::Expr(Expr::Verbatim(run), None)],
    }
    item.with_body(concat(&stmts))
}

fn concat(stmts: &[Stmt]) -> TokenStream {
    stmts.iter().map(ToTokens::to_token_stream).collect()
}

/// Renames `self` to the variable that async-trait has moved it into.
struct RenameSelf;

impl RenameSelf {
    fn tokens(tokens: TokenStream) -> TokenStream {
        tokens
            .into_iter()
            .map(|tree| match tree {
                proc_macro2::TokenTree::Group(group) => {
                    let stream = Self::tokens(group.stream());
                    let mut renamed = proc_macro2::Group::new(group.delimiter(), stream);
                    renamed.set_span(group.span());
                    renamed.into()
                }
                proc_macro2::TokenTree::Ident(ident) if ident == "self" => {
                    Ident::new("__self", ident.span()).into()
                }
                tree => tree,
            })
            .collect()
    }
}

impl VisitMut for RenameSelf {
    fn visit_expr_path_mut(&mut self, path: &mut syn::ExprPath) {
        if path.path.is_ident("self") {
            path.path = Ident::new("__self", path.span()).into();
        }
    }

    fn visit_macro_mut(&mut self, mac: &mut syn::Macro) {
        mac.tokens = Self::tokens(std::mem::take(&mut mac.tokens));
    }

    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        if let Expr::Verbatim(tokens) = expr {
            *tokens = Self::tokens(std::mem::take(tokens));
        }
        visit_mut::visit_expr_mut(self, expr);
    }
}

/// Gives each attempt its own clone of the arguments named in `clone(…)`.
///
/// A `mut` moves from the argument to the clone, since it is the clone that the body changes.
fn clones(item: &mut Item, args: &Args, is_async: bool) -> TokenStream {
    let Some(names) = &args.clone else { return TokenStream::new() };
    let mut clones = TokenStream::new();
    for name in names {
        let mut mutability = TakeMut { name, keep: is_async, found: None };
        for input in &mut item.sig.inputs {
            if let syn::FnArg::Typed(arg) = input {
                mutability.visit_pat_mut(&mut arg.pat);
            }
        }
        clones.extend(clone(name, mutability.found));
    }
    clones
}

fn clone(name: &Ident, mutability: Option<Token![mut]>) -> TokenStream {
    let span = mixed(name.span());
    quote_spanned!(span=> let #mutability #name = ::core::clone::Clone::clone(&#name);)
}

/// Takes the `mut` off a binding.
struct TakeMut<'a> {
    name: &'a Ident,
    /// An async attempt needs the argument itself to be mutable as well; see `capture.rs`.
    keep: bool,
    found: Option<Token![mut]>,
}

impl VisitMut for TakeMut<'_> {
    fn visit_pat_ident_mut(&mut self, pat: &mut syn::PatIdent) {
        if pat.ident == *self.name {
            self.found = pat.mutability;
            if !self.keep {
                pat.mutability = None;
            }
        }
        visit_mut::visit_pat_ident_mut(self, pat);
    }
}

/// One attempt of an async function.
///
/// The first dead statement captures variables uniquely (see `capture.rs`). The second gives the
/// body the edge that a function has: `Ok(&self.text)` coerces to `Result<&str, E>` only where
/// the compiler knows the type that is returned.
fn async_attempt(
    captures: Captures<'_>,
    output: Option<&Type>,
    clones: &TokenStream,
    body: &TokenStream,
    anchor: Span,
) -> TokenStream {
    let names = captures.into_names();
    let capture = (!names.is_empty()).then(|| quote!(if false { #(let _ = &mut #names;)* }));
    let edge = output.map(|output| {
        quote! {
            #[allow(
                unreachable_code,
                clippy::diverging_sub_expression,
                clippy::empty_loop,
                clippy::let_with_type_underscore,
                clippy::needless_return
            )]
            if false {
                let outcome: #output = loop {};
                return outcome;
            }
        }
    });
    quote_spanned!(mixed(anchor)=> async { #capture #edge #clones #body }.await)
}

/// The `impl Trait`s of a type replaced by `_`, since it may be named nowhere but in a signature.
fn erase_impl_trait(output: &Type) -> Type {
    struct Erase;
    impl VisitMut for Erase {
        fn visit_type_mut(&mut self, ty: &mut Type) {
            if let Type::ImplTrait(it) = ty {
                let underscore_token = Token![_](it.impl_token.span);
                *ty = Type::Infer(syn::TypeInfer { attrs: Vec::new(), underscore_token });
            }
            visit_mut::visit_type_mut(self, ty);
        }
    }
    let mut output = output.clone();
    Erase.visit_type_mut(&mut output);
    output
}

/// Expands `block!(keys, body)`.
pub(crate) fn block(input: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let parser = |input: ParseStream| {
        let args = Args::parse_until(input, &mut errors, starts_body);
        let body = errors.note(Body::parse(input));
        Ok((args, body))
    };
    let parsed = parser.parse2(input);
    let Some((mut args, body)) = errors.note(parsed) else { return errors.into_compile_error() };
    check::policy(&args, Place { macro_name: "block!", arguments: &[] }, &mut errors);
    if let Some(body) = &body {
        if body.is_async && !TIMER && args.sleep.is_none() {
            errors.push(Error::new(body.anchor, check::NO_TIMER));
        }
    }
    args.each_expr(&mut |expr| duration::replace(expr, &mut errors));
    let (Some(Body { is_async, output, stmts: body, anchor }), true) = (body, errors.is_empty())
    else {
        return errors.into_compile_error();
    };
    let clones: TokenStream = args.clone.iter().flatten().map(|name| clone(name, None)).collect();
    let attempt = if is_async {
        async_attempt(Captures::of(&body), output.as_ref(), &clones, &body, anchor)
    } else {
        let arrow = output.as_ref().map(|output| quote!(-> #output));
        quote_spanned!(mixed(anchor)=> (|| #arrow { #clones #body })())
    };
    let run = Loop { args: &args, is_async, output: output.as_ref(), attempt, arguments: &[] };
    let run = if run.only_success_ends() { run.value_tokens() } else { run.tokens() };
    quote!({ #run })
}

/// What `block!` retries: `async { … }`, `async || -> T { … }` or `|| -> T { … }`.
struct Body {
    is_async: bool,
    output: Option<Type>,
    stmts: TokenStream,
    anchor: Span,
}

fn starts_body(input: ParseStream) -> bool {
    input.peek(Token![async])
        || input.peek(Token![move])
        || input.peek(Token![|])
        || input.peek(Token![||])
        || input.peek(token::Brace)
}

impl Body {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        const FORMS: &str = "`async { … }`, `async || -> T { … }` or `|| -> T { … }`";
        if input.is_empty() {
            return Err(
                input.error(format!("`block!` needs something to retry as its last item: {FORMS}"))
            );
        }
        if input.peek(token::Brace) {
            return Err(input.error(format!("write the block to retry as {FORMS}")));
        }
        let expr = input.parse::<Expr>()?;
        let _ = input.parse::<Option<Token![,]>>();
        if !input.is_empty() {
            return Err(input.error("the block to retry must be the last item of `block!`"));
        }
        let no_move = |capture: &Option<Token![move]>| match capture {
            Some(capture) => Err(Error::new_spanned(
                capture,
                "the block is run once for each attempt, so it cannot move what it uses; remove `move`",
            )),
            None => Ok(()),
        };
        match expr {
            Expr::Async(block) => {
                no_move(&block.capture)?;
                Ok(Self {
                    is_async: true,
                    output: None,
                    stmts: concat(&block.block.stmts),
                    anchor: block.async_token.span,
                })
            }
            Expr::Closure(closure) => {
                no_move(&closure.capture)?;
                if !closure.inputs.is_empty() {
                    return Err(Error::new_spanned(
                        &closure.inputs,
                        "the closure to retry takes no arguments; it sees the variables around it",
                    ));
                }
                let output = match closure.output {
                    ReturnType::Type(_, ty) => Some(*ty),
                    ReturnType::Default => None,
                };
                let stmts = match *closure.body {
                    Expr::Block(syn::ExprBlock { block, label: None, attrs })
                        if attrs.is_empty() =>
                    {
                        concat(&block.stmts)
                    }
                    body => body.to_token_stream(),
                };
                let anchor = closure.inputs_begin.spans[0];
                Ok(Self { is_async: closure.asyncness.is_some(), output, stmts, anchor })
            }
            other => Err(Error::new_spanned(other, format!("write the block to retry as {FORMS}"))),
        }
    }
}

/// The loop around an attempt.
struct Loop<'a> {
    args: &'a Args,
    is_async: bool,
    /// The type of the outcome, where it is written.
    output: Option<&'a Type>,
    /// An expression that runs one attempt.
    attempt: TokenStream,
    arguments: &'a [Ident],
}

/// The variables of the loop, which the body and the keys cannot see.
struct Vars {
    call: Ident,
    outcome: Ident,
    error: Ident,
    verdict: Ident,
    pause: Ident,
    granted: Ident,
    enabled: Ident,
}

impl Vars {
    fn new() -> Self {
        let var = |name| Ident::new(name, Span::mixed_site());
        Self {
            call: var("call"),
            outcome: var("outcome"),
            error: var("error"),
            verdict: var("verdict"),
            pause: var("pause"),
            granted: var("granted"),
            enabled: var("enabled"),
        }
    }
}

impl Loop<'_> {
    /// Whether nothing but a success can end the loop, so that it can give the value itself.
    fn only_success_ends(&self) -> bool {
        let Args { stop, forever, on, enabled, .. } = self.args;
        forever.is_some()
            && stop.is_none()
            && enabled.is_none()
            && on.as_ref().is_some_and(Condition::is_any_error)
    }

    /// The loop, which gives the last outcome.
    fn tokens(&self) -> TokenStream {
        let private = self.args.private();
        let Vars { call, outcome, error, verdict, pause, granted, enabled } = Vars::new();
        let clock = self.clock(&private);
        let attempt = &self.attempt;
        let output = self.output.map(|output| quote!(: #output));
        let enable = self.args.enabled.as_ref().map(|value| quote!(let #enabled: bool = #value;));
        let if_disabled = enable.as_ref().map(|_| quote!(if !#enabled { break #outcome; }));
        let (judged, limits) = self.verdict(&private, &outcome, &granted);
        let grants = (limits > 0).then(|| quote!(let mut #granted = [0_u32; #limits];));
        let described = describe(&private, &quote!(#private::Judged(&#outcome).failure()));
        let next = self.next(&private);
        let start = self.start(&private);
        let sleep = self.sleep(&private);
        quote! {
            #enable
            let mut #call = #start;
            #grants
            loop {
                let #pause: ::core::time::Duration = {
                    let #outcome #output = #attempt;
                    #if_disabled
                    let #error = #described;
                    let #verdict: #private::Verdict = #judged;
                    if #private::Verdict::is_final(#verdict) {
                        #private::settle(&#call, #clock, #error.text());
                        break #outcome;
                    }
                    match #next {
                        ::core::option::Option::Some(pause) => pause,
                        ::core::option::Option::None => break #outcome,
                    }
                };
                #sleep
                #private::resume(&mut #call, #clock);
            }
        }
    }

    /// The loop that only a success can end, which gives its value.
    fn value_tokens(&self) -> TokenStream {
        let private = self.args.private();
        let Vars { call, error, verdict, pause, outcome, .. } = Vars::new();
        let clock = self.clock(&private);
        let attempt = &self.attempt;
        let described = describe(&private, &quote!(::core::option::Option::Some(&#outcome)));
        let next = self.next(&private);
        let start = self.start(&private);
        let sleep = self.sleep(&private);
        quote! {
            let mut #call = #start;
            loop {
                let #pause: ::core::time::Duration = {
                    let #outcome = match #private::Outcome::into_result(#attempt) {
                        ::core::result::Result::Ok(value) => {
                            #private::settle(&#call, #clock, ::core::option::Option::None);
                            break value;
                        }
                        ::core::result::Result::Err(error) => error,
                    };
                    let #error = #described;
                    let #verdict = #private::Verdict::Retry;
                    // Nothing gives up here.
                    ::core::option::Option::unwrap_or_default(#next)
                };
                #sleep
                #private::resume(&mut #call, #clock);
            }
        }
    }

    fn clock(&self, private: &TokenStream) -> TokenStream {
        if self.is_async {
            quote!(#private::clock::runtime)
        } else {
            quote!(#private::clock::system)
        }
    }

    /// A clock is read at the start only if the policy may ask for the time.
    fn start(&self, private: &TokenStream) -> TokenStream {
        let timed = |key: &Option<Expr>, kind| {
            key.as_ref().is_some_and(|key| strategy::is_timed(key, kind))
        };
        if timed(&self.args.stop, Kind::Stop) || timed(&self.args.wait, Kind::Wait) {
            let clock = self.clock(private);
            quote!(#private::Call::starting_at(#clock()))
        } else {
            quote!(#private::Call::untimed())
        }
    }

    /// What the outcome means, and how many `at_most` limits count along.
    fn verdict(
        &self,
        private: &TokenStream,
        outcome: &Ident,
        granted: &Ident,
    ) -> (TokenStream, usize) {
        let Some(on) = &self.args.on else {
            return (self.default_verdict(private, outcome), 0);
        };
        let mut judge = Judge { private, outcome, granted, limits: 0 };
        let verdict = judge.verdict(on);
        (verdict, judge.limits)
    }

    /// Without `on` the error itself must know; if it does not, the message stands at the type.
    fn default_verdict(&self, private: &TokenStream, outcome: &Ident) -> TokenStream {
        match self.output {
            Some(output) => quote_spanned! {output.span()=>
                #private::on::transient::<#output>(&#outcome)
            },
            None => quote!(#private::on::transient(&#outcome)),
        }
    }

    /// What comes after a failure, as an `Option<Duration>`.
    fn next(&self, private: &TokenStream) -> TokenStream {
        let Vars { call, error, verdict, .. } = Vars::new();
        let clock = self.clock(private);
        let site = self.site(private);
        let idempotent = match &self.args.idempotent {
            None => quote!(false),
            Some(Idempotent::Always) => quote!(true),
            Some(Idempotent::If(value)) => {
                quote!(if #private::Verdict::is_ambiguous(#verdict) { #value } else { false })
            }
        };
        let max_hint = match &self.args.max_hint {
            None => quote!(#private::MaxHint::Remaining),
            Some(MaxHint::GiveUpAbove(most)) => {
                quote!(#private::MaxHint::GiveUpAbove(#most))
            }
            Some(MaxHint::Clamp(most)) => {
                quote!(#private::MaxHint::Clamp(#most))
            }
        };
        let stop = self.strategy(private, Kind::Stop, self.args.stop.as_ref());
        let wait = self.strategy(private, Kind::Wait, self.args.wait.as_ref());
        quote! {{
            #[allow(unused_imports)]
            use #private::Wait as _;
            #private::pause(
                &mut #call,
                #clock,
                #private::Failed {
                    site: #site,
                    verdict: #verdict,
                    idempotent: #idempotent,
                    max_hint: #max_hint,
                },
                &#stop,
                &#wait,
                #error.text(),
            )
        }}
    }

    fn strategy(&self, private: &TokenStream, kind: Kind, key: Option<&Expr>) -> TokenStream {
        let Some(value) = key else { return quote!(#private::stop::Never) };
        let span = mixed(value.span());
        let expr = Rewrite { private, kind, arguments: self.arguments }.strategy(value.clone());
        match kind {
            Kind::Wait => quote_spanned!(span=> #private::IntoWait::into_wait(#expr)),
            Kind::Stop if self.args.forever.is_some() => {
                quote_spanned!(span=> #private::IntoStop::into_stop(#expr))
            }
            Kind::Stop => {
                let expr = quote_spanned!(span=> #private::IntoStop::into_stop(#expr));
                // The bound is the function's own, so the message stands at the user's strategy.
                quote_spanned!(span=> #private::must_end(#expr))
            }
        }
    }

    /// The static identity of the function, in a block of its own so that its items are seen by
    /// nobody.
    fn site(&self, private: &TokenStream) -> TokenStream {
        match &self.args.name {
            Some(name) => quote! {{
                static SITE: #private::Site = #private::Site::named(#name);
                &SITE
            }},
            None => quote! {{
                fn inside() -> &'static ::core::primitive::str {
                    ::core::any::type_name_of_val(&inside)
                }
                static SITE: #private::Site = #private::Site::around(inside);
                &SITE
            }},
        }
    }

    fn sleep(&self, private: &TokenStream) -> TokenStream {
        let Vars { pause, .. } = Vars::new();
        let by = self.args.sleep.as_ref().map(|value| match duration::bare(value) {
            Expr::Path(_) | Expr::Field(_) | Expr::Index(_) => {
                let span = mixed(value.span());
                quote_spanned!(span=> &#value)
            }
            value => value.to_token_stream(),
        });
        match (self.is_async, by) {
            (false, None) => quote!(#private::sleep::blocking(#pause);),
            (false, Some(by)) => quote!(#private::sleep::blocking_by(#pause, #by);),
            (true, None) => quote!(#private::sleep::pausing(#pause).await;),
            (true, Some(by)) => quote!(#private::sleep::pausing_by(#pause, #by).await;),
        }
    }
}

/// An error put into words by whatever its type can do, decided by method lookup.
fn describe(private: &TokenStream, failure: &TokenStream) -> TokenStream {
    quote! {{
        #[allow(unused_imports)]
        use #private::{ByDebug as _, ByDisplay as _, ByName as _, Plain as _};
        (&&&#private::Describe(#failure)).describe()
    }}
}

/// Our own tokens at the user's place: seen there, but with our names.
fn mixed(span: Span) -> Span {
    Span::mixed_site().located_at(span)
}
