//! The annotated function: its signature, its body, and which shape it is.

use proc_macro2::TokenStream;
use quote::{ToTokens, TokenStreamExt};
use syn::parse::{Parse, ParseStream};
use syn::visit::{self, Visit};
use syn::{
    AttrStyle, Attribute, Block, Error, Expr, ExprAsync, FnArg, GenericArgument, Ident, Pat,
    PathArguments, ReturnType, Signature, Stmt, Token, Type, TypeParamBound, Visibility, braced,
    token,
};

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
        let sig = ahead.parse::<Signature>().map_err(|error| not_a_function(input, error))?;
        syn::parse::discouraged::Speculative::advance_to(input, &ahead);
        if input.peek(Token![;]) {
            return Err(Error::new_spanned(
                &sig,
                "`#[retry]` needs a body to retry; put it on the methods that implement this one",
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

fn not_a_function(input: ParseStream, error: Error) -> Error {
    let rest = input.fork();
    let is_fn = loop {
        if rest.peek(Token![fn]) {
            break true;
        }
        if rest.parse::<proc_macro2::TokenTree>().is_err() {
            break false;
        }
        if rest.peek(token::Brace) || rest.peek(Token![;]) || rest.peek(Token![=]) {
            break false;
        }
    };
    if is_fn {
        error
    } else {
        Error::new(
            input.span(),
            "`#[retry]` goes on a function or a method; inside one, use `retry::block!`",
        )
    }
}

/// How a function runs its attempts.
pub(crate) enum Shape {
    Sync(Type),
    Async(Type),
    /// Not async itself, but ends with an async block.
    Future(Future),
    /// Returns a future, but does not end with an async block that could be retried.
    OpaqueFuture,
    /// Returns nothing that could be judged.
    Unit,
}

/// A function that ends with an async block, boxed or not.
pub(crate) struct Future {
    /// What the future resolves to.
    pub(crate) output: Type,
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
        let Some(output) = future_output(ty) else { return Shape::Sync(ty.clone()) };
        let Ok(mut stmts) = syn::parse::Parser::parse2(Block::parse_within, self.body.clone())
        else {
            // A half-typed body: the compiler will say what is wrong with it.
            return Shape::OpaqueFuture;
        };
        if stmts.last_mut().and_then(async_block).is_some() {
            Shape::Future(Future { output: output.clone(), stmts })
        } else {
            Shape::OpaqueFuture
        }
    }

    /// The names of the arguments, those inside patterns included.
    pub(crate) fn arguments(&self) -> Vec<Ident> {
        let mut names = Names(Vec::new());
        for input in &self.sig.inputs {
            if let FnArg::Typed(arg) = input {
                names.visit_pat(&arg.pat);
            }
        }
        names.0
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
        self.brace.surround(&mut tokens, |tokens| tokens.append_all(body));
        tokens
    }
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

/// The async block that a function's last statement is, or puts into a box.
pub(crate) fn async_block(last: &mut Stmt) -> Option<&mut ExprAsync> {
    let Stmt::Expr(expr, None) = last else { return None };
    async_block_in(expr)
}

fn async_block_in(expr: &mut Expr) -> Option<&mut ExprAsync> {
    match expr {
        Expr::Async(block) => Some(block),
        Expr::Paren(paren) => async_block_in(&mut paren.expr),
        Expr::Group(group) => async_block_in(&mut group.expr),
        Expr::Call(call) => {
            let Expr::Path(path) = &*call.func else { return None };
            let mut last = path.path.segments.iter().rev();
            let is_box_pin = last.next()?.ident == "pin" && last.next()?.ident == "Box";
            if is_box_pin && call.args.len() == 1 {
                async_block_in(call.args.first_mut()?)
            } else {
                None
            }
        }
        Expr::MethodCall(call) if call.method == "boxed" || call.method == "boxed_local" => {
            async_block_in(&mut call.receiver)
        }
        _ => None,
    }
}

/// The variable and the initialiser of `let name: Type = init;` at the end of a block that
/// `#[async_trait]` has written, whose last expression is that variable.
pub(crate) fn async_trait_result(stmts: &mut [Stmt]) -> Option<&mut Box<Expr>> {
    let [.., Stmt::Local(local), Stmt::Expr(Expr::Path(last), None)] = stmts else { return None };
    if !last.path.is_ident("__ret") {
        return None;
    }
    let Pat::Type(typed) = &local.pat else { return None };
    match &*typed.pat {
        Pat::Ident(pat) if pat.ident == "__ret" => local.init.as_mut().map(|init| &mut init.expr),
        _ => None,
    }
}
