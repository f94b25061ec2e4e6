//! The annotated function: its signature, its body, and which shape it is.

use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, TokenStreamExt};
use syn::parse::{Parse, ParseStream};
use syn::visit::{self, Visit};
use syn::{
    AttrStyle, Attribute, Block, Error, Expr, ExprAsync, FnArg, GenericArgument, Ident, Pat,
    PathArguments, ReturnType, Signature, Stmt, Token, Type, TypeParamBound, Visibility, braced,
    parse_quote, token,
};

use super::tokens;

use super::not_a_function;

/// A function with its body left as tokens, so that a half-typed one still expands.
pub(crate) struct Item {
    pub(crate) attrs: Vec<Attribute>,
    pub(crate) vis: Visibility,
    pub(crate) defaultness: Option<Token![default]>,
    pub(crate) sig: Signature,
    /// The user's own braces: the compiler's `dead_code` lint goes by them.
    pub(crate) brace: token::Brace,
    pub(crate) body: TokenStream,
}

impl Parse for Item {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let mut attrs = input.call(Attribute::parse_outer)?;
        let vis = input.parse()?;
        let defaultness = if input.peek(Token![default]) && !input.peek2(Token![!]) {
            Some(input.parse()?)
        } else {
            None
        };
        let ahead = input.fork();
        let sig =
            ahead.parse::<Signature>().map_err(|error| not_a_function::error(input, error))?;
        syn::parse::discouraged::Speculative::advance_to(input, &ahead);
        if input.peek(Token![;]) {
            return Err(Error::new_spanned(
                &sig,
                "`#[retry]` needs a body to retry: put it on the methods that implement this one, or on a function that calls it",
            ));
        }
        let content;
        let brace = braced!(content in input);
        let inner = content.call(Attribute::parse_inner)?;
        attrs.extend(inner.into_iter().map(|attr| Attribute { style: AttrStyle::Outer, ..attr }));
        let body = content.parse()?;
        Ok(Self { attrs, vis, defaultness, sig, brace, body })
    }
}

/// How a function runs its attempts.
pub(crate) enum Shape {
    Sync(Type),
    Async(Type),
    /// Not async itself, but ends with an async block.
    Future(Future),
    /// Returns a future, as far as the type says so, but does not end with an async block that could be retried.
    OpaqueFuture,
    /// Returns nothing that could be judged.
    Unit,
}

/// A function that ends with an async block, boxed or not.
pub(crate) struct Future {
    /// What the future resolves to, if that can be named.
    pub(crate) output: Option<Type>,
    /// All statements; the last holds the async block.
    pub(crate) stmts: Vec<Stmt>,
}

impl Item {
    pub(crate) fn shape(&self) -> Shape {
        let ReturnType::Type(_, ty) = &self.sig.output else { return Shape::Unit };
        let ty = &**ty;
        if self.sig.asyncness.is_some() {
            return Shape::Async(ty.clone());
        }
        let output = future_output(ty);
        let none = if output.is_some() || sounds_like_a_future(ty) {
            Shape::OpaqueFuture
        } else {
            Shape::Sync(ty.clone())
        };
        let is_async = |tree: &TokenTree| {
            matches!(tree, TokenTree::Ident(word) if word == "async").then_some(())
        };
        if tokens::find(self.body.clone(), &mut { is_async }).is_none() {
            return none;
        }
        let is_future = matches!(none, Shape::OpaqueFuture);
        // If that fails the body is half-typed, and the compiler will say what is wrong with it.
        let stmts = syn::parse::Parser::parse2(Block::parse_within, self.body.clone());
        let Ok(mut stmts) = stmts else { return none };
        match stmts.last_mut().and_then(|last| async_block(last, is_future)) {
            Some(_) => {
                let output = output.cloned().or_else(|| projected_output(ty));
                Shape::Future(Future { output, stmts })
            }
            None => none,
        }
    }

    /// The names of the arguments, those inside patterns included.
    pub(crate) fn arguments(&self) -> Vec<Ident> {
        let patterns = self.sig.inputs.iter().filter_map(|input| match input {
            FnArg::Typed(arg) => Some(&*arg.pat),
            FnArg::Receiver(_) => None,
        });
        patterns.flat_map(names).collect()
    }

    /// The function as it was written.
    pub(crate) fn untouched(&self) -> TokenStream {
        self.with_body(self.body.clone())
    }

    /// The function with another body.
    pub(crate) fn with_body(&self, body: TokenStream) -> TokenStream {
        let mut tokens = TokenStream::new();
        tokens.append_all(&self.attrs);
        self.vis.to_tokens(&mut tokens);
        self.defaultness.to_tokens(&mut tokens);
        self.sig.to_tokens(&mut tokens);
        tokens.extend(in_braces(&self.brace, body));
        tokens
    }
}

/// The statements in the user's braces. A lint that asks whether a macro call is the user's own looks
/// at the block that it stands in.
pub(crate) fn in_braces(brace: &token::Brace, body: TokenStream) -> TokenStream {
    let mut block = TokenStream::new();
    brace.surround(&mut block, |tokens| tokens.append_all(body));
    block
}

/// The names that a pattern binds.
pub(crate) fn names(pat: &Pat) -> Vec<Ident> {
    let mut names = Names(Vec::new());
    names.visit_pat(pat);
    names.0
}

struct Names(Vec<Ident>);

impl<'a> Visit<'a> for Names {
    fn visit_pat_ident(&mut self, pat: &'a syn::PatIdent) {
        self.0.push(pat.ident.clone());
        visit::visit_pat_ident(self, pat);
    }
}

/// The `T` of `impl Future<Output = T>`, `Pin<Box<dyn Future<Output = T>>>` or `BoxFuture<T>`.
fn future_output(ty: &Type) -> Option<&Type> {
    match ty {
        Type::Group(group) => future_output(&group.elem),
        Type::Paren(paren) => future_output(&paren.elem),
        Type::ImplTrait(ty) => output_of_bounds(ty.bounds.iter()),
        Type::TraitObject(ty) => output_of_bounds(ty.bounds.iter()),
        Type::Path(path) => {
            let last = path.path.segments.last()?;
            let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
            let inner = arguments.args.iter().rev().find_map(|argument| match argument {
                GenericArgument::Type(ty) => Some(ty),
                _ => None,
            })?;
            if last.ident == "BoxFuture" || last.ident == "LocalBoxFuture" {
                Some(inner)
            } else if last.ident == "Pin" || last.ident == "Box" {
                future_output(inner)
            } else {
                None
            }
        }
        _ => None,
    }
}

/// The output of a future whose type has a name of its own. What an `impl Trait` stands for has
/// none.
fn projected_output(ty: &Type) -> Option<Type> {
    let has_no_name =
        |tree: &TokenTree| matches!(tree, TokenTree::Ident(word) if word == "impl").then_some(());
    if tokens::find(ty.to_token_stream(), &mut { has_no_name }).is_some() {
        return None;
    }
    Some(parse_quote!(<#ty as ::core::future::Future>::Output))
}

/// Whether the name of a type says that it is a future.
fn sounds_like_a_future(ty: &Type) -> bool {
    let Type::Path(path) = ty else { return false };
    path.path.segments.last().is_some_and(|last| {
        let name = last.ident.to_string();
        name.ends_with("Future") || name.ends_with("Fut")
    })
}

fn output_of_bounds<'a>(bounds: impl Iterator<Item = &'a TypeParamBound>) -> Option<&'a Type> {
    bounds.into_iter().find_map(|bound| {
        let TypeParamBound::Trait(bound) = bound else { return None };
        let last = bound.path.segments.last().filter(|last| last.ident == "Future")?;
        let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
        arguments.args.iter().find_map(|argument| match argument {
            GenericArgument::AssocType(output) if output.ident == "Output" => Some(&output.ty),
            _ => None,
        })
    })
}

/// The async block that a function's last statement is, puts into a box, or wraps in a span.
///
/// What an attribute above has wrapped around one becomes part of an async block, if it
/// `is_future`.
pub(crate) fn async_block(last: &mut Stmt, is_future: bool) -> Option<&mut ExprAsync> {
    let Stmt::Expr(expr, None) = last else { return None };
    async_block_in(expr, is_future)
}

fn async_block_in(expr: &mut Expr, is_future: bool) -> Option<&mut ExprAsync> {
    let boxed = put_into_a_box(expr);
    if is_future && boxed.is_none() && !matches!(expr, Expr::Async(_)) && has_made_async(expr) {
        *expr = parse_quote!(async move { (#expr).await });
    }
    match expr {
        Expr::Async(block) => Some(block),
        Expr::Paren(paren) => async_block_in(&mut paren.expr, is_future),
        Expr::Group(group) => async_block_in(&mut group.expr, is_future),
        Expr::Cast(cast) => async_block_in(&mut cast.expr, is_future),
        Expr::Block(block) if block.label.is_none() => {
            async_block(block.block.stmts.last_mut()?, is_future)
        }
        Expr::Call(call) => {
            let is_pinned = boxed? == Into::Pin;
            async_block_in(call.args.first_mut()?, is_future || is_pinned)
        }
        Expr::MethodCall(call) if KEEPS_THE_OUTPUT.iter().any(|name| call.method == name) => {
            async_block_in(&mut call.receiver, true)
        }
        _ => None,
    }
}

/// Methods that give a future with the same output.
const KEEPS_THE_OUTPUT: [&str; 8] = [
    "boxed",
    "boxed_local",
    "enter_on_poll",
    "in_current_span",
    "in_span",
    "instrument",
    "with_current_subscriber",
    "with_subscriber",
];

/// How a value is put into a box.
#[derive(PartialEq)]
enum Into {
    Pin,
    Box,
}

/// `Box::pin(…)`, or an older form of that.
fn put_into_a_box(expr: &Expr) -> Option<Into> {
    let Expr::Call(call) = expr else { return None };
    let Expr::Path(path) = &*call.func else { return None };
    let mut last = path.path.segments.iter().rev().map(|segment| segment.ident.to_string());
    let (function, ty) = (last.next()?, last.next()?);
    match (&*ty, &*function, call.args.len()) {
        ("Box", "pin" | "into_pin", 1) | ("Pin", "from", 1) => Some(Into::Pin),
        ("Box", "new", 1) => Some(Into::Box),
        _ => None,
    }
}

/// Whether a macro has made up an async block in the expression.
fn has_made_async(expr: &Expr) -> bool {
    let made = |tree: &TokenTree| match tree {
        TokenTree::Ident(word) => (word == "async" && !tokens::is_written(word)).then_some(()),
        _ => None,
    };
    tokens::find(expr.to_token_stream(), &mut { made }).is_some()
}
