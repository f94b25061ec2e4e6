//! The user's hooks, in whatever form they are written, as calls.
//!
//! A closure is handed to a function that knows its arguments' types, so that they need no
//! annotation. An `async` closure is taken apart and its body awaited in place: called as a
//! closure, its future would borrow its arguments in a way that costs the function its `Send`.
//! What a macro or a block gives may turn out to be a closure too; anything else is called as it
//! stands.

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::token::Brace;
use syn::{Block, Expr, ExprClosure, Pat, ReturnType, Stmt, Token};

use crate::diagnose::mixed;
use crate::emit::private::{Private, ends};
use crate::read::duration;

/// How hooks are called in one function.
pub(crate) struct Call {
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
    /// The argument as if it stood at `span`.
    fn tokens(&self, span: Span) -> TokenStream {
        let at = |value: &TokenStream| -> TokenStream {
            let place = |mut tree: TokenTree| {
                tree.set_span(tree.span().located_at(span));
                tree
            };
            value.clone().into_iter().map(place).collect()
        };
        match self {
            Self::Ref(value) => {
                let value = at(value);
                quote_spanned!(mixed(span)=> &#value)
            }
            Self::Own(value) => at(value),
        }
    }
}

/// What a hook must give.
pub(crate) enum Answer {
    /// A value of this type, which the user has written.
    Type(TokenStream),
    /// A value of this type.
    Ours(TokenStream),
    /// One of the type of this variable, a `Like`.
    Like(Ident),
}

impl Answer {
    /// Its type, where the user has not written it as if it stood at the hook.
    fn annotation(&self, span: Span) -> TokenStream {
        match self {
            Self::Type(ty) => ty.clone(),
            Self::Ours(ty) => ty
                .clone()
                .into_iter()
                .map(|mut tree| {
                    tree.set_span(span);
                    tree
                })
                .collect(),
            Self::Like(_) => quote!(_),
        }
    }
}

impl Call {
    /// An expression that calls `hook` and gives what it must.
    pub(crate) fn tokens(
        &self,
        hook: &Expr,
        arguments: &[Argument],
        result: &Answer,
    ) -> TokenStream {
        let last = ends(hook).1;
        let values: Vec<_> = arguments.iter().map(|argument| argument.tokens(last)).collect();
        match duration::bare(hook) {
            Expr::Closure(closure) => match as_async(closure) {
                Some((asyncness, body)) => in_place(closure, asyncness, body, arguments, result),
                None => self.typed(hook, arguments, &values, result),
            },
            Expr::Path(path) => {
                let arguments = arguments_at(path, &values);
                self.answer(&quote!(#path #arguments), hook, result)
            }
            Expr::Macro(_) | Expr::Block(_) => self.typed(hook, arguments, &values, result),
            other => {
                let (start, arguments) = (mixed(other.span()), arguments_at(other, &values));
                let callee = quote_spanned!(start=> (#other));
                self.answer(&quote!(#callee #arguments), hook, result)
            }
        }
    }

    /// Calls what learns its arguments' types from where it stands.
    fn typed(
        &self,
        hook: &Expr,
        arguments: &[Argument],
        values: &[TokenStream],
        result: &Answer,
    ) -> TokenStream {
        let call = match arguments {
            [_] => quote!(hook::call1),
            [_, Argument::Ref(_)] => quote!(hook::call2),
            _ => quote!(hook::call_with),
        };
        let hook = duration::bare(hook);
        let call = Private::call(&call, quote!(#(#values,)* #hook), hook);
        self.answer(&call, hook, result)
    }

    /// What a closure or a path gives, in an async function maybe later.
    fn answer(&self, call: &TokenStream, hook: &Expr, result: &Answer) -> TokenStream {
        let span = mixed(hook.span());
        if self.is_async {
            let answer = match result {
                Answer::Type(_) | Answer::Ours(_) => {
                    let ty = result.annotation(span);
                    let answer = quote_spanned!(span=> hook::answer::<#ty, _, _>);
                    Private::call(&answer, call.clone(), hook)
                }
                Answer::Like(like) => {
                    let answer = quote_spanned!(span=> hook::answer_like);
                    Private::call(&answer, quote!(#like, #call), hook)
                }
            };
            let last = ends(hook).1;
            let private = Private::at(last);
            quote_spanned! {mixed(last)=>
                match #answer {
                    #private::hook::Answered::Now(__retry_answer) => __retry_answer,
                    #[allow(unreachable_code)]
                    #private::hook::Answered::Later(__retry_answer) => __retry_answer.await,
                }
            }
        } else {
            let result = result.annotation(span);
            quote_spanned! {span=> {
                let __retry_answer: #result = #call;
                __retry_answer
            }}
        }
    }
}

/// The arguments in parentheses that end where the user's own tokens do.
fn arguments_at(callee: &impl ToTokens, values: &[TokenStream]) -> TokenStream {
    let mut group = Group::new(Delimiter::Parenthesis, quote!(#(#values),*));
    group.set_span(mixed(ends(callee).1));
    group.to_token_stream()
}

/// What an `async` closure does.
struct Body {
    /// `move`.
    capture: Option<Token![move]>,
    block: Block,
}

/// The body of an `async` closure, or of one that gives an `async` block.
fn as_async(closure: &ExprClosure) -> Option<(Span, Body)> {
    if let Some(asyncness) = &closure.asyncness {
        let block = match &*closure.body {
            Expr::Block(block) if block.label.is_none() => block.block.clone(),
            body => Block {
                brace_token: Brace(body.span()),
                stmts: vec![Stmt::Expr(body.clone(), None)],
            },
        };
        return Some((asyncness.span(), Body { capture: closure.capture, block }));
    }
    let block = match &*closure.body {
        Expr::Async(block) => block,
        Expr::Block(outer) if outer.label.is_none() => match outer.block.stmts.as_slice() {
            [Stmt::Expr(Expr::Async(block), None)] => block,
            _ => return None,
        },
        _ => return None,
    };
    let body = Body { capture: block.capture, block: block.block.clone() };
    Some((block.async_token.span, body))
}

/// Whether the hook awaits something.
pub(crate) fn async_token(hook: &Expr) -> Option<Span> {
    match duration::bare(hook) {
        Expr::Closure(closure) => as_async(closure).map(|(span, _)| span),
        _ => None,
    }
}

/// The body of a hook, awaited where it stands. As with a real `async` closure, what it is given
/// to keep is held by its future; that of what it is lent is not for it to hold.
fn in_place(
    closure: &ExprClosure,
    asyncness: Span,
    Body { capture, mut block }: Body,
    arguments: &[Argument],
    result: &Answer,
) -> TokenStream {
    let (mut values, mut names) = (Vec::new(), Vec::new());
    let (mut outside, mut inside) = (TokenStream::new(), Vec::new());
    for (index, (argument, pattern)) in arguments.iter().zip(&closure.inputs).enumerate() {
        // A reference that nobody looks at need not live, and be `Send`, while something is awaited.
        if matches!((argument, pattern), (Argument::Ref(_), Pat::Wild(_))) {
            continue;
        }
        let (span, mut name) = (mixed(pattern.span()), format_ident!("__retry_argument_{index}"));
        names.push(name.clone());
        values.push(argument.tokens(asyncness));
        name.set_span(name.span().located_at(span));
        let binding = quote_spanned!(span=> let #pattern = #name;);
        match argument {
            Argument::Ref(_) => outside.extend(binding),
            Argument::Own(_) => inside.push(Stmt::Expr(Expr::Verbatim(binding), None)),
        }
    }
    block.stmts.splice(0..0, inside);
    let async_token = Token![async](asyncness);
    let output = match &closure.output {
        ReturnType::Type(_, ty) => quote!(#ty),
        ReturnType::Default => result.annotation(mixed(asyncness)),
    };
    let awaited = quote_spanned!(mixed(ends(closure).1)=> .await);
    quote! {
        match (#(#values,)*) {
            (#(#names,)*) => {
                #outside
                let __retry_answer: #output = #async_token #capture #block #awaited;
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
