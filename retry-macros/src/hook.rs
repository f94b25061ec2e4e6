//! The user's hooks, in whatever form they are written, as calls.
//!
//! A closure is handed to a function that knows its arguments' types, so that they need no
//! annotation. An `async` closure is taken apart and its body awaited in place: called as a
//! closure, its future would borrow its arguments in a way that costs the function its `Send`.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, ExprClosure, ReturnType, Stmt, Token};

use crate::diagnose::mixed;
use crate::duration;
use crate::private::Private;

/// How hooks are called in one function.
pub(crate) struct Call<'a> {
    pub(crate) private: &'a Private,
    pub(crate) is_async: bool,
}

/// One argument of a hook.
#[derive(Clone)]
pub(crate) enum Argument {
    /// Lent.
    Ref(TokenStream),
    /// Given away.
    Own(TokenStream),
}

impl Argument {
    fn tokens(&self) -> TokenStream {
        match self {
            Self::Ref(value) => quote!(&#value),
            Self::Own(value) => value.clone(),
        }
    }
}

impl Call<'_> {
    /// An expression that calls `hook` and gives a `result`.
    pub(crate) fn tokens(
        &self,
        hook: &Expr,
        arguments: &[Argument],
        result: &TokenStream,
    ) -> TokenStream {
        let values: Vec<_> = arguments.iter().map(Argument::tokens).collect();
        match duration::bare(hook) {
            Expr::Closure(closure) => match as_async(closure) {
                Some((asyncness, body)) => in_place(closure, asyncness, &body, &values, result),
                None => {
                    let call = match arguments {
                        [_] => quote!(hook::call1),
                        [_, Argument::Ref(_)] => quote!(hook::call2),
                        _ => quote!(hook::call_with),
                    };
                    let call = self.private.call(&call, quote!(#(#values,)* #closure), closure);
                    self.answer(&call, hook, result)
                }
            },
            Expr::Path(path) => self.answer(&quote!(#path(#(#values),*)), hook, result),
            other => self.answer(&quote!((#other)(#(#values),*)), hook, result),
        }
    }

    /// What a closure or a path gives, in an async function maybe later.
    fn answer(&self, call: &TokenStream, hook: &Expr, result: &TokenStream) -> TokenStream {
        if self.is_async {
            let answer = quote!(hook::Answer::<#result, _>::answer);
            let answer = self.private.call(&answer, call.clone(), hook);
            quote!(#answer.await)
        } else {
            quote_spanned!(mixed(hook.span())=> {
                let __retry_answer: #result = #call;
                __retry_answer
            })
        }
    }
}

/// The body of an `async` closure, or of one that gives an `async` block.
fn as_async(closure: &ExprClosure) -> Option<(Span, TokenStream)> {
    if let Some(asyncness) = &closure.asyncness {
        let (body, capture) = (&closure.body, &closure.capture);
        let body = match &**body {
            Expr::Block(block) if block.label.is_none() => block.block.to_token_stream(),
            body => quote!({ #body }),
        };
        return Some((asyncness.span(), quote!(#capture #body)));
    }
    let block = match &*closure.body {
        Expr::Async(block) => block,
        Expr::Block(outer) if outer.label.is_none() => match outer.block.stmts.as_slice() {
            [Stmt::Expr(Expr::Async(block), None)] => block,
            _ => return None,
        },
        _ => return None,
    };
    let (body, capture) = (&block.block, &block.capture);
    Some((block.async_token.span, quote!(#capture #body)))
}

/// Whether the hook awaits something.
pub(crate) fn async_token(hook: &Expr) -> Option<Span> {
    match duration::bare(hook) {
        Expr::Closure(closure) => as_async(closure).map(|(span, _)| span),
        _ => None,
    }
}

fn in_place(
    closure: &ExprClosure,
    asyncness: Span,
    body: &TokenStream,
    values: &[TokenStream],
    result: &TokenStream,
) -> TokenStream {
    let names: Vec<_> =
        (0..values.len()).map(|index| format_ident!("__retry_argument_{index}")).collect();
    let patterns = closure.inputs.iter();
    let async_token = Token![async](asyncness);
    let output = match &closure.output {
        ReturnType::Type(_, ty) => quote!(#ty),
        ReturnType::Default => result.clone(),
    };
    quote! {
        match (#(#values,)*) {
            (#(#names,)*) => {
                #(let #patterns = #names;)*
                let __retry_answer: #output = #async_token #body.await;
                __retry_answer
            }
        }
    }
}

/// How many arguments a closure takes; `None` for what is no closure.
pub(crate) fn arity(hook: &Expr) -> Option<usize> {
    match duration::bare(hook) {
        Expr::Closure(closure) => Some(closure.inputs.len()),
        _ => None,
    }
}

/// Whether the expression is a closure.
pub(crate) fn is_closure(expr: &Expr) -> bool {
    matches!(duration::bare(expr), Expr::Closure(_))
}
