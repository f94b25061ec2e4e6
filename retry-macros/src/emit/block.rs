//! `block!`.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use syn::parse::ParseStream;
use syn::{Error, Expr, ReturnType, Token, Type, token};

use crate::check::{self, Place};
use crate::diagnose::{Errors, mixed};
use crate::emit::call::Cycle;
use crate::emit::clones::clone;
use crate::emit::function::{TIMER, async_attempt, concat, sync_attempt};
use crate::emit::retry_error;
use crate::read::duration;
use crate::read::keys::{self as args, Args};
use crate::read::short;
use crate::read::strategy::head;

/// Expands `block!(keys, body)`.
pub(crate) fn block(input: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let (mut args, mut body, mut missing) = (Args::default(), None, None);
    args::read(input, &mut errors, |input, errors| {
        args = Args::parse_until(input, errors, starts_body);
        if input.is_empty() {
            missing = Body::parse(input).err();
        } else {
            body = errors.note(Body::parse(input));
        }
    });
    check::policy(&args, Place { macro_name: "block!", arguments: &[] }, &mut errors);
    // Something else that is wrong may well have taken it in.
    if let (Some(missing), true) = (missing, errors.is_empty()) {
        errors.push(missing);
    }
    match &body {
        Some(body) if body.is_async => {
            check::can_cut(&args, true, &mut errors);
            check::can_sleep(body.anchor, &args, TIMER, &mut errors);
        }
        Some(_) => {
            check::can_await(&args, &mut errors);
            check::can_cut(&args, false, &mut errors);
        }
        None => {}
    }
    args.each_expr_mut(&mut |expr| duration::replace(expr, &mut errors));
    let (Some(Body { is_async, output, stmts: body, brace, anchor }), true) =
        (body, errors.is_empty())
    else {
        return in_expression(errors);
    };
    let (output, wraps) = match output.map(retry_error::unwrapped) {
        Some((output, wraps)) => (Some(output), wraps),
        None => (None, false),
    };
    let clones: TokenStream = args.clone.iter().flatten().map(|name| clone(name, None)).collect();
    let attempt = if is_async {
        async_attempt(&[], output.as_ref(), &clones, &body, &brace, anchor)
    } else {
        sync_attempt(output.as_ref(), &clones, &body, &brace, anchor)
    };
    let run = Cycle {
        args: &args,
        is_async,
        output: output.as_ref(),
        wraps,
        attempt,
        anchor,
        arguments: &[],
    };
    let run = if run.only_success_ends() { run.value_tokens() } else { run.tokens() };
    quote!({ #run })
}

/// Errors where an expression is expected: a block, since there may be several.
pub(crate) fn in_expression(errors: Errors) -> TokenStream {
    let errors = errors.into_compile_error();
    quote!({ #errors })
}

/// What `block!` retries: `async { … }`, `async || -> T { … }` or `|| -> T { … }`.
struct Body {
    is_async: bool,
    output: Option<Type>,
    stmts: TokenStream,
    /// The user's own; see `in_braces`.
    brace: token::Brace,
    anchor: Span,
}

fn starts_body(input: ParseStream) -> bool {
    input.peek(Token![async])
        || input.peek(Token![move])
        || input.peek(Token![|])
        || input.peek(Token![||])
        || input.peek(token::Brace)
        || is_call(input)
}

/// Whether what is left is one call, which may well be meant as the body.
fn is_call(input: ParseStream) -> bool {
    let rest = input.fork();
    let Ok(Expr::Call(call)) = rest.parse::<Expr>() else { return false };
    let is_key = head(&call).is_some_and(|name| args::is_meant(&name.to_string()));
    let _ = rest.parse::<Option<Token![,]>>();
    rest.is_empty() && !is_key
}

impl Body {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        const FORMS: &str = "`async { … }`, `async || -> T { … }` or `|| -> T { … }`";
        if input.is_empty() {
            let message = format!("`block!` needs something to retry as its last item: {FORMS}");
            return Err(Error::new(Span::call_site(), message));
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
                    brace: block.block.brace_token,
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
                let anchor = closure.inputs_begin.spans[0];
                let (stmts, brace) = match *closure.body {
                    Expr::Block(syn::ExprBlock { block, label: None, attrs })
                        if attrs.is_empty() =>
                    {
                        (concat(&block.stmts), block.brace_token)
                    }
                    body => (body.to_token_stream(), token::Brace(mixed(anchor))),
                };
                Ok(Self { is_async: closure.asyncness.is_some(), output, stmts, brace, anchor })
            }
            other @ Expr::Call(_) => {
                let typed = short(&other);
                let message = format!(
                    "write the block to retry as `|| {typed}`, or `async {{ {typed}.await }}`"
                );
                Err(Error::new_spanned(other, message))
            }
            other => Err(Error::new_spanned(other, format!("write the block to retry as {FORMS}"))),
        }
    }
}
