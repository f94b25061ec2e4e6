//! The annotated function, shape by shape, with the loop in place of its body.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::parse::Parser;
use syn::visit_mut::{self, VisitMut};
use syn::{Block, Expr, Stmt, Token, Type, token};

use crate::check::{self, Place};
use crate::diagnose::{Errors, mixed};
use crate::doc;
use crate::emit::above::{self, async_trait_body, borrowing};
use crate::emit::call::Cycle;
use crate::emit::capture::{self, Captured, Captures};
use crate::emit::clones;
use crate::emit::private::Private;
use crate::emit::retry_error;
use crate::read::duration;
use crate::read::item::{Future, Item, Shape, async_block, in_braces};
use crate::read::keys::{self as args, Args};

/// Whether async functions can wait without being told how.
pub(crate) const TIMER: bool = cfg!(feature = "tokio");

/// Expands `#[retry(args)] item`. On any error the function stays as it is, so that the rest of
/// the user's crate still sees it.
pub(crate) fn attribute(args: TokenStream, tokens: &TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let mut args = args::parse(args, &mut errors);
    let Some(mut item) = errors.note(syn::parse2::<Item>(tokens.clone())) else {
        let errors = errors.into_compile_error();
        // Where an expression or a statement stands, one must stay, of whatever type.
        let is_expression = Block::parse_within.parse2(tokens.clone()).is_ok_and(
            |stmts| matches!(&stmts[..], [Stmt::Expr(expr, _)] if !matches!(expr, Expr::Verbatim(_))),
        );
        return if is_expression {
            quote!({ #errors let _ = || { #tokens }; loop {} })
        } else {
            quote!(#tokens #errors)
        };
    };
    let shape = item.shape();
    let arguments = item.arguments();
    let place = Place { macro_name: "#[retry]", arguments: &arguments };
    check::policy(&args, place, &mut errors);
    check::function(&item, &shape, &args, TIMER, &mut errors);
    let paragraph = doc::paragraph(&args, !matches!(shape, Shape::Sync(_)));
    args.each_expr_mut(&mut |expr| duration::replace(expr, &mut errors));
    if !errors.is_empty() {
        let (item, errors) = (item.untouched(), errors.into_compile_error());
        return quote!(#item #errors);
    }
    doc::append(&paragraph, &mut item.attrs);
    let anchor = item.sig.ident.span();
    match shape {
        Shape::Sync(output) => sync_function(item, &args, &output, anchor),
        Shape::Async(output) => async_function(item, &args, &output, anchor),
        Shape::Future(future) => future_function(item, &args, future, anchor),
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
//         use ::retry::__private as __retry;
//         let mut call = Handle::begin(&SITE, Untimed, Entry::Open, ());
//         loop {
//             let pause = {
//                 let inside = Handle::enter(&mut call);
//                 let outcome: Ret = (|| -> Ret { let x = Clone::clone(&x); body })();
//                 Handle::leave(&mut call, inside);
//                 let error = Judged(&outcome).error();
//                 if Handle::succeeds(&mut call, &error) { break outcome; }
//                 let Ok(pause) = outlined(error, |error| {
//                     let verdict = Handle::judge(&mut call, &error, || on::error(&outcome, |it| f(it)));
//                     if verdict.is_final() {
//                         Handle::settles(&mut call, &error)
//                     } else {
//                         Handle::failed(
//                             &mut call, verdict, &Rules::DEFAULT,
//                             &stop::attempts(3), &wait::fixed(1s), &error,
//                         )
//                     }
//                 }) else { break outcome; };
//                 pause
//             };
//             Handle::rest(&mut call, pause);
//         }
//     }
//
// Hooks stand where they are due. Where one comes between a failure and what follows it, or a success
// may be retried, nothing is outlined, and `failed` is asked in its two halves. With `gate` the outcome
// leaves its block together with the pause. Where somebody reads the report the loop breaks with the
// reason too, and what reads it follows.
fn sync_function(mut item: Item, args: &Args, output: &Type, anchor: Span) -> TokenStream {
    let output = erase_impl_trait(output);
    let (output, wraps) = retry_error::unwrapped(output);
    let above::Parts { body, before, .. } = above::taken_apart(item.body.clone());
    let mut before = statements(before);
    let clones = clones::of_arguments(&mut item, &mut before, args, false);
    let body = borrowing(body, &[]);
    let attempt = sync_attempt(Some(&output), &clones, &body, &item.brace, anchor);
    let allow = args.clone.as_ref().map(|_| quote!(#[allow(clippy::needless_pass_by_value)]));
    let arguments = item.arguments();
    let run = Cycle {
        args,
        is_async: false,
        output: Some(&output),
        wraps,
        attempt,
        anchor,
        arguments: &arguments,
    };
    let (before, run) = (concat(&before), run.tokens());
    let function = item.with_body(quote!(#before #run));
    quote!(#allow #function)
}

// Input:
//     async fn call(x: X) -> Ret { body }
//
// Output: as above, but for
//     async fn call(mut x: X) -> Ret {
//         …
//                 let outcome: Ret = match pin!(async {
//                     if false { let _ = &mut x; }
//                     if false { return outcome::<Ret>(); }
//                     let x = Clone::clone(&x);
//                     body
//                 }) {
//                     attempt => Handle::attempt(&mut call, attempt).await,
//                 };
//         …
//             timer::pausing(Handle::pause(&mut call, pause)).await;
//             Handle::resume(&mut call);
//         }
//     }
fn async_function(mut item: Item, args: &Args, output: &Type, anchor: Span) -> TokenStream {
    let above::Parts { body, before, hidden, .. } = above::taken_apart(item.body.clone());
    let mut before = statements(before);
    let clones = clones::of_arguments(&mut item, &mut before, args, true);
    let mut captures = Captures::of(&body, args);
    captures.mutable_borrows(&item.sig, &output.to_token_stream());
    captures.locals(&mut before);
    captures.arguments(&mut item.sig, &hidden);
    let places = captures.into_places();
    let body = borrowing(body.clone(), &places);
    let (output, wraps) = retry_error::unwrapped(erase_impl_trait(output));
    let attempt = async_attempt(&places, Some(&output), &clones, &body, &item.brace, anchor);
    let arguments = item.arguments();
    let run = Cycle {
        args,
        is_async: true,
        output: Some(&output),
        wraps,
        attempt,
        anchor,
        arguments: &arguments,
    };
    let (before, run) = (concat(&before), run.tokens());
    item.with_body(quote!(#before #run))
}

// Input, by hand or as `#[async_trait]` has written it:
//     fn call(&self, x: X) -> Pin<Box<dyn Future<Output = Ret> + Send + '_>> {
//         Box::pin(async move { body })
//     }
//     fn call(&self, x: X) -> Pin<Box<dyn Future<Output = Ret> + Send + '_>> {
//         Box::pin(async move {
//             if let Some(__ret) = None::<Ret> { return __ret; }
//             let __self = self;
//             let x = x;
//             let __ret: Ret = { body };
//             __ret
//         })
//     }
//
// Output: the loop in place of `body`, inside the async block. What stands before it is done
// once, and `self` is called that again:
//         Box::pin(async move {
//             if false { let _ = &self; }
//             let mut x = x;
//             loop
//         })
fn future_function(mut item: Item, args: &Args, future: Future, anchor: Span) -> TokenStream {
    let Future { output, mut stmts } = future;
    let (output, wraps) = match output {
        Some(output) => {
            let (output, wraps) = retry_error::unwrapped(erase_impl_trait(&output));
            (Some(output), wraps)
        }
        None => (None, false),
    };
    let arguments = item.arguments();
    let Some((last, statements_before)) = stmts.split_last_mut() else { return item.untouched() };
    let Some(block) = async_block(last, false) else { return item.untouched() };
    let inner = &mut block.block.stmts;
    let above::Parts { body, before, hidden, this } = above::taken_apart(concat(inner));
    let (body, brace) = match async_trait_body(&body) {
        Some(block) => (concat(&block.stmts), block.brace_token),
        None => (body, block.block.brace_token),
    };
    let mut before = statements(before);
    let clones = clones::of_arguments(&mut item, &mut before, args, true);
    let mut captures = Captures::of(&body, args);
    let names = output
        .as_ref()
        .map_or_else(|| item.sig.output.to_token_stream(), ToTokens::to_token_stream);
    captures.mutable_borrows(&item.sig, &names);
    captures.locals(&mut before);
    captures.arguments(&mut item.sig, &hidden);
    captures.locals(statements_before);
    let places = captures.into_places();
    let body = borrowing(body.clone(), &places);
    let attempt = async_attempt(&places, output.as_ref(), &clones, &body, &brace, anchor);
    let run = Cycle {
        args,
        is_async: true,
        output: output.as_ref(),
        wraps,
        attempt,
        anchor,
        arguments: &arguments,
    };
    // The whole of it, so that nothing in it is dropped before the future is.
    let this = this.map(|this| quote_spanned!(mixed(anchor)=> if false { let _ = &#this; }));
    let (before, run) = (concat(&before), run.tokens());
    *inner = vec![Stmt::Expr(Expr::Verbatim(quote!(#this #before #run)), None)];
    item.with_body(concat(&stmts))
}

/// Statements that were seen to be whole.
fn statements(tokens: TokenStream) -> Vec<Stmt> {
    syn::parse::Parser::parse2(Block::parse_within, tokens).unwrap_or_default()
}

pub(crate) fn concat(stmts: &[Stmt]) -> TokenStream {
    stmts.iter().map(ToTokens::to_token_stream).collect()
}

/// One attempt of a function that is not async, as a closure.
pub(crate) fn sync_attempt(
    output: Option<&Type>,
    clones: &TokenStream,
    body: &TokenStream,
    brace: &token::Brace,
    anchor: Span,
) -> TokenStream {
    let arrow = output.map(|output| quote_spanned!(mixed(anchor)=> -> #output));
    let block = in_braces(brace, quote!(#clones #body));
    quote_spanned!(mixed(anchor)=> || #arrow #block)
}

/// One attempt of an async function, as a future.
///
/// The first dead statement captures variables uniquely (see `capture.rs`). The second gives the
/// body the edge that a function has: `Ok(&self.text)` coerces to `Result<&str, E>` only where
/// the compiler knows the type that is returned.
pub(crate) fn async_attempt(
    captures: &[Captured],
    output: Option<&Type>,
    clones: &TokenStream,
    body: &TokenStream,
    brace: &token::Brace,
    anchor: Span,
) -> TokenStream {
    let capture = capture::statement(captures.iter());
    let edge = output.map(|output| {
        quote! {
            if false {
                return #Private::outcome::<#output>();
            }
        }
    });
    let block = in_braces(brace, quote!(#capture #edge #clones #body));
    quote_spanned!(mixed(anchor)=> async #block)
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

#[cfg(test)]
mod tests {
    use proc_macro2::{Delimiter, Spacing, TokenTree};

    use super::*;

    /// Tokens as the compiler reads them: `::` is one, a pair of brackets two.
    fn count(tokens: TokenStream) -> usize {
        tokens
            .into_iter()
            .map(|tree| match tree {
                TokenTree::Group(group) if group.delimiter() == Delimiter::None => {
                    count(group.stream())
                }
                TokenTree::Group(group) => 2 + count(group.stream()),
                TokenTree::Punct(punct) if punct.spacing() == Spacing::Joint => 0,
                _ => 1,
            })
            .sum()
    }

    #[test]
    fn the_expansion_of_a_plain_async_function_stays_small() {
        let keys = quote! {
            stop = attempts(5) | within(30s),
            wait = exponential(100ms).cap(10s).full_jitter(),
            on = ApiError::is_transient,
        };
        let function = quote! {
            async fn fetch_order(client: &Client, id: u64) -> Result<Order, ApiError> {
                client.get(id).await
            }
        };
        let expanded = attribute(keys, &function);
        let tokens = count(expanded.clone());
        assert!(tokens <= 550, "{tokens} tokens: {expanded}");
    }
}
