//! Which variables an async attempt must capture uniquely.
//!
//! An attempt is an async block that borrows the function's arguments. A shared borrow of an
//! argument that is `Send` but not `Sync` (a `Cell`, a receiver, a boxed closure) would make the
//! future lose its `Send`, which the function without the attribute has. A mutable borrow in dead
//! code makes the capture unique instead, and costs nothing. It is written only for variables
//! that the body mentions, so that an unused one is still reported.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{Expr, FnArg, Pat, Path, ReceiverKind, Signature, Stmt, Token, Type};

use crate::read::keys::Args;
use crate::read::tokens;

/// The variables of one function or block that are captured uniquely.
pub(crate) struct Captures<'a> {
    body: &'a TokenStream,
    /// What is borrowed while the body runs.
    lent: TokenStream,
    places: Vec<Captured>,
}

/// A variable, or what it points to.
pub(crate) struct Captured {
    pub(crate) name: Ident,
    points: bool,
}

impl Captured {
    /// Whether the tokens mention it.
    pub(crate) fn is_in(&self, tokens: &TokenStream) -> bool {
        mention(tokens, &self.name).is_some()
    }
}

impl ToTokens for Captured {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let Self { name, points } = self;
        let star = points.then(|| quote!(*));
        tokens.extend(quote!(#star #name));
    }
}

/// The dead statement that captures the places uniquely.
pub(crate) fn statement<'a>(places: impl Iterator<Item = &'a Captured>) -> Option<TokenStream> {
    let mut places = places.peekable();
    places.peek()?;
    Some(quote!(if false { #(let _ = &mut #places;)* }))
}

impl<'a> Captures<'a> {
    /// A variable that a guard is borrowed from as long as the call lasts, or the timer that cuts an
    /// attempt as long as that does, is left to a shared borrow, the only one that can stand beside.
    pub(crate) fn of(body: &'a TokenStream, args: &Args) -> Self {
        let Args { budget, breaker, sleep, deadline, attempt_timeout, .. } = args;
        let is_cut = deadline.is_some() || attempt_timeout.is_some();
        let timer = sleep.as_ref().filter(|_| is_cut);
        let lent = [budget.as_ref(), breaker.as_ref(), timer];
        let lent = lent.into_iter().flatten().map(ToTokens::to_token_stream).collect();
        Self { body, lent, places: Vec::new() }
    }

    /// The variables (or what they point to), each with the span of its first mention in the
    /// body, where the compiler then points if it has something to say.
    pub(crate) fn into_places(self) -> Vec<Captured> {
        self.places
    }

    /// Borrows what the `&mut` arguments point to.
    ///
    /// A function that hands out a borrow may do so from what it borrows mutably, as long as the
    /// body only reads; there the unique borrow would be one too many.
    pub(crate) fn mutable_borrows(&mut self, sig: &Signature, output: &TokenStream) {
        if borrows(output.clone()) {
            return;
        }
        let is_mut = |ty: &Type| matches!(ty, Type::Reference(ty) if ty.mutability.is_some());
        for input in &sig.inputs {
            let name = match input {
                FnArg::Receiver(receiver) => match &receiver.kind {
                    ReceiverKind::Reference(_, _, Some(_)) => {
                        Ident::new("self", receiver.self_token.span)
                    }
                    ReceiverKind::Typed(_, ty) if is_mut(ty) => {
                        Ident::new("self", receiver.self_token.span)
                    }
                    _ => continue,
                },
                FnArg::Typed(arg) => match &*arg.pat {
                    Pat::Ident(pat) if is_mut(&arg.ty) && pat.by_ref.is_none() => pat.ident.clone(),
                    _ => continue,
                },
            };
            if let Some(name) = self.mentioned(&name) {
                self.places.push(Captured { name, points: true });
            }
        }
    }

    /// Makes the arguments that are passed by value mutable, but for those that a variable of the
    /// same name has been made of.
    pub(crate) fn arguments(&mut self, sig: &mut Signature, hidden: &[Ident]) {
        for input in &mut sig.inputs {
            match input {
                FnArg::Receiver(receiver) => {
                    let owned = match &receiver.kind {
                        ReceiverKind::Value => true,
                        ReceiverKind::Typed(_, ty) => !matches!(**ty, Type::Reference(_)),
                        _ => false,
                    };
                    let name = Ident::new("self", receiver.self_token.span);
                    if owned && self.take(&name) {
                        receiver.mutability.get_or_insert(Token![mut](name.span()));
                    }
                }
                FnArg::Typed(arg) if matches!(&*arg.pat, Pat::Ident(pat) if hidden.contains(&pat.ident)) =>
                    {}
                FnArg::Typed(arg) => self.pattern(&mut arg.pat, &arg.ty),
            }
        }
    }

    /// Makes the variables that statements before the body introduce mutable.
    pub(crate) fn locals<'s>(&mut self, stmts: impl IntoIterator<Item = &'s mut Stmt>) {
        for stmt in stmts {
            if let Stmt::Local(local) = stmt {
                match (&mut local.pat, local.init.as_ref().map(|init| &*init.expr)) {
                    // Made of values on the spot, so each is bound by value.
                    (Pat::Tuple(pat), Some(Expr::Tuple(init)))
                        if pat.elems.len() == init.elems.len() =>
                    {
                        pat.elems.iter_mut().for_each(|pat| self.variable(pat));
                    }
                    (pat, _) => self.variable(pat),
                }
            }
        }
    }

    /// Only patterns that bind by value for sure: under a reference, `mut` would be an error.
    fn pattern(&mut self, pat: &mut Pat, ty: &Type) {
        match (pat, ty) {
            (_, Type::Reference(_)) => {}
            (pat, Type::Group(ty)) => self.pattern(pat, &ty.elem),
            (pat, Type::Paren(ty)) => self.pattern(pat, &ty.elem),
            (pat @ Pat::Ident(_), _) => self.variable(pat),
            (Pat::Tuple(pat), Type::Tuple(ty)) if pat.elems.len() == ty.elems.len() => {
                for (pat, ty) in pat.elems.iter_mut().zip(&ty.elems) {
                    self.pattern(pat, ty);
                }
            }
            (Pat::TupleStruct(pat), Type::Path(ty)) if same_type(&pat.path, &ty.path) => {
                pat.elems.iter_mut().for_each(|pat| self.variable(pat));
            }
            (Pat::Struct(pat), Type::Path(ty)) if same_type(&pat.path, &ty.path) => {
                pat.fields.iter_mut().for_each(|field| self.variable(&mut field.pat));
            }
            _ => {}
        }
    }

    fn variable(&mut self, pat: &mut Pat) {
        let Pat::Ident(pat) = pat else { return };
        if pat.by_ref.is_none() && pat.subpat.is_none() && self.take(&pat.ident) {
            // With the variable's own span, since the compiler names a variable by it.
            pat.mutability.get_or_insert(Token![mut](pat.ident.span()));
        }
    }

    fn take(&mut self, name: &Ident) -> bool {
        if self.places.iter().any(|place| place.name == *name) {
            return false;
        }
        let Some(name) = self.mentioned(name) else { return false };
        self.places.push(Captured { name, points: false });
        true
    }

    fn mentioned(&self, name: &Ident) -> Option<Ident> {
        let is_lent = |name: &Ident| mention(&self.lent, name).is_some();
        // As async_trait calls it.
        if is_lent(name) || (name == "__self" && is_lent(&Ident::new("self", name.span()))) {
            return None;
        }
        let mut name = name.clone();
        name.set_span(name.span().located_at(mention(self.body, &name)?));
        Some(name)
    }
}

/// Whether a type can be seen to borrow from something.
fn borrows(ty: TokenStream) -> bool {
    let sign = tokens::find(ty, &mut |tree| match tree {
        TokenTree::Punct(punct) => matches!(punct.as_char(), '&' | '\'').then_some(()),
        TokenTree::Ident(ident) => (ident == "impl" || ident == "_").then_some(()),
        _ => None,
    });
    sign.is_some()
}

/// Where the tokens first mention the variable, in a format string perhaps.
fn mention(tokens: &TokenStream, name: &Ident) -> Option<proc_macro2::Span> {
    tokens::find(tokens.clone(), &mut |tree| match tree {
        TokenTree::Ident(ident) if ident == name => Some(ident.span()),
        TokenTree::Literal(literal) => {
            let text = literal.to_string();
            let inline = text.contains(&format!("{{{name}"));
            (text.contains('"') && inline).then(|| literal.span())
        }
        _ => None,
    })
}

/// Whether a pattern's path and a type's path end in the same name, so that the type is no alias
/// of a reference.
fn same_type(pattern: &Path, ty: &Path) -> bool {
    match (pattern.segments.last(), ty.segments.last()) {
        (Some(pattern), Some(ty)) => pattern.ident == ty.ident,
        _ => false,
    }
}
