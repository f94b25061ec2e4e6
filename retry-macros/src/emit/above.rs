//! What attributes above this one have made of the body.
//!
//! They are expanded first, and put the body into `async move` blocks, `move ||` closures and
//! behind `let argument = argument;`. What is moved there is gone after one attempt. Here the
//! `move`s go, so that each attempt borrows, and the `let`s are taken out, to be done once before
//! the first attempt. What the user wrote stays as it is: a token that a macro has made up stands
//! in the source where that macro is called, where something else is written.

use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};
use quote::quote;
use syn::parse::Parser;
use syn::{Block, Expr, Pat, Stmt};

use crate::emit::capture::{self, Captured};
use crate::read::item::names;
use crate::read::tokens::{self, is_written};

/// The body, with the statements that are to stand before the loop taken out of it.
pub(crate) struct Parts {
    pub(crate) body: TokenStream,
    /// `let argument = argument;`, and what is like it.
    pub(crate) before: TokenStream,
    /// Arguments that each attempt has a variable of that name for.
    pub(crate) hidden: Vec<Ident>,
    /// The `self` that a variable was made of, which the body calls `self` again.
    pub(crate) this: Option<Ident>,
}

/// Takes the statements out that give an argument to a variable of the body.
pub(crate) fn taken_apart(body: TokenStream) -> Parts {
    let mut taken = Taken::default();
    let mut body = taken.from(body);
    let mut hidden = Vec::new();
    for (argument, pattern) in taken.patterns {
        if contains(&body, &|word| *word == argument) {
            // A span shows the argument that the pattern has taken apart: show the parts.
            let parts =
                Pat::parse_multi.parse2(pattern).map_or_else(|_| Vec::new(), |pat| names(&pat));
            body = quote!(let #argument = (#(&#parts,)*); #body);
            hidden.push(argument);
        }
    }
    if taken.this.is_some() {
        body = tokens::replace(body, &mut |tree| match tree {
            TokenTree::Ident(ident) if ident == "__self" => {
                Some(Ident::new("self", ident.span()).into())
            }
            _ => None,
        });
    }
    Parts { body, before: taken.before, hidden, this: taken.this }
}

#[derive(Default)]
struct Taken {
    before: TokenStream,
    this: Option<Ident>,
    /// Arguments that are patterns, by the names that `#[async_trait]` gives them.
    patterns: Vec<(Ident, TokenStream)>,
}

impl Taken {
    fn from(&mut self, tokens: TokenStream) -> TokenStream {
        let trees: Vec<TokenTree> = tokens.into_iter().collect();
        let mut left: Vec<TokenTree> = Vec::new();
        let mut at = 0;
        while let Some(tree) = trees.get(at) {
            at += 1;
            match tree {
                TokenTree::Ident(word) if word == "let" && !is_written(word) => {
                    let end = trees[at..].iter().position(|tree| is_punct(tree, ';'));
                    let statement = end.map(|end| &trees[at..=at + end]);
                    let moved = statement.and_then(moved);
                    match (statement, moved) {
                        (Some(statement), Some(moved)) => {
                            at += statement.len();
                            let attributes = attributes(&mut left);
                            if let Moved::This(this) = moved {
                                self.this = Some(this);
                                continue;
                            }
                            self.before.extend(attributes);
                            self.before.extend([tree.clone()]);
                            self.before.extend(statement.iter().cloned());
                            if let Moved::Pattern(name, pattern) = moved {
                                self.patterns.push((name, pattern));
                            }
                        }
                        _ => left.push(tree.clone()),
                    }
                }
                TokenTree::Group(group) if contains_made(&group.stream(), "let") => {
                    left.push(regroup(group, self.from(group.stream())));
                }
                tree => left.push(tree.clone()),
            }
        }
        left.into_iter().collect()
    }
}

/// What a statement moves.
enum Moved {
    This(Ident),
    Argument,
    /// An argument of that name, into a pattern.
    Pattern(Ident, TokenStream),
}

/// What the statement behind a `let` moves: `name = name;`, `__self = self;`, or the argument that
/// `#[async_trait]` makes of a pattern, `pattern = { let __arg1 = __arg1; __arg1 };`.
fn moved(statement: &[TokenTree]) -> Option<Moved> {
    let equals = statement.iter().position(|tree| is_punct(tree, '='))?;
    let (pattern, value) = (&statement[..equals], &statement[equals + 1..]);
    let [value, _semicolon] = value else { return None };
    match (pattern.last(), value) {
        (Some(TokenTree::Ident(name)), TokenTree::Ident(value)) if pattern.len() <= 2 => {
            if name == "__self" && value == "self" {
                Some(Moved::This(value.clone()))
            } else {
                (name == value).then_some(Moved::Argument)
            }
        }
        (Some(_), TokenTree::Group(value)) => {
            let words: Vec<TokenTree> = value.stream().into_iter().take(2).collect();
            match &words[..] {
                [TokenTree::Ident(word), TokenTree::Ident(name)]
                    if word == "let" && name.to_string().starts_with("__arg") =>
                {
                    Some(Moved::Pattern(name.clone(), pattern.iter().cloned().collect()))
                }
                _ => None,
            }
        }
        _ => None,
    }
}

/// The attributes at the end of the tokens, taken off.
fn attributes(tokens: &mut Vec<TokenTree>) -> Vec<TokenTree> {
    let mut at = tokens.len();
    while let [.., hash, TokenTree::Group(group)] = &tokens[..at] {
        if !is_punct(hash, '#') || group.delimiter() != Delimiter::Bracket {
            break;
        }
        at -= 2;
    }
    tokens.split_off(at)
}

/// The block that `#[async_trait]` has put into `let __ret: Type = { … }; __ret`.
pub(crate) fn async_trait_body(body: &TokenStream) -> Option<Block> {
    let stmts = Block::parse_within.parse2(body.clone()).ok()?;
    let [_, Stmt::Local(local), Stmt::Expr(Expr::Path(last), None)] = &stmts[..] else {
        return None;
    };
    let Pat::Type(typed) = &local.pat else { return None };
    let Pat::Ident(pat) = &*typed.pat else { return None };
    let init = &local.init.as_ref()?.expr;
    match &**init {
        Expr::Block(block) if pat.ident == "__ret" && last.path.is_ident("__ret") => {
            Some(block.block.clone())
        }
        _ => None,
    }
}

/// The body without the `move`s around it, and with the unique captures in what was an `async
/// move` block; see `capture.rs`.
pub(crate) fn borrowing(body: TokenStream, places: &[Captured]) -> TokenStream {
    let places: Vec<&Captured> = places.iter().collect();
    borrow(body, &places)
}

fn borrow(tokens: TokenStream, places: &[&Captured]) -> TokenStream {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    let mut places = places.to_vec();
    let mut borrowed: Vec<TokenTree> = Vec::new();
    // Whether the next braces are those of a block that was `async move`.
    let mut opens = false;
    for (at, tree) in trees.iter().enumerate() {
        match tree {
            TokenTree::Ident(word)
                if word == "move" && !is_written(word) && wraps(&trees[at + 1..]) =>
            {
                opens = matches!(borrowed.last(), Some(TokenTree::Ident(it)) if it == "async");
            }
            TokenTree::Ident(word) if word == "let" => {
                places.retain(|place| !binds(&trees[at + 1..], &place.name));
                borrowed.push(tree.clone());
            }
            TokenTree::Group(group)
                if contains_made(&group.stream(), "move") && !is_spawn(borrowed.last())
                    || opens && group.delimiter() == Delimiter::Brace =>
            {
                let mut inner = borrow(group.stream(), &places);
                if group.delimiter() == Delimiter::Brace && std::mem::take(&mut opens) {
                    let places = places.iter().copied();
                    let capture = capture::statement(places.filter(|it| it.is_in(&inner)));
                    inner = quote!(#capture #inner);
                }
                borrowed.push(regroup(group, inner));
            }
            tree => borrowed.push(tree.clone()),
        }
    }
    borrowed.into_iter().collect()
}

/// Whether the word stands in the tokens, made up by a macro.
fn contains_made(tokens: &TokenStream, word: &str) -> bool {
    contains(tokens, &|it| it == word && !is_written(it))
}

fn contains(tokens: &TokenStream, what: &dyn Fn(&Ident) -> bool) -> bool {
    let found = tokens::find(tokens.clone(), &mut |tree| match tree {
        TokenTree::Ident(word) => what(word).then_some(()),
        _ => None,
    });
    found.is_some()
}

/// Whether something that the user wrote stands in the block or closure that starts here, so that
/// it is put around the body rather than made up as a whole.
fn wraps(rest: &[TokenTree]) -> bool {
    let end = rest.iter().position(|tree| is_punct(tree, ';') || is_punct(tree, ','));
    let block: TokenStream = rest[..end.unwrap_or(rest.len())].iter().cloned().collect();
    contains(&block, &is_written)
}

/// Whether a task or thread of its own is started here, which cannot borrow.
fn is_spawn(before: Option<&TokenTree>) -> bool {
    matches!(before, Some(TokenTree::Ident(name)) if name.to_string().contains("spawn"))
}

/// Whether the `let` before these tokens binds the name.
fn binds(rest: &[TokenTree], name: &Ident) -> bool {
    let end = rest.iter().position(|tree| is_punct(tree, '=') || is_punct(tree, ';'));
    let pattern: TokenStream = rest[..end.unwrap_or(rest.len())].iter().cloned().collect();
    contains(&pattern, &|word| word == name)
}

fn is_punct(tree: &TokenTree, sign: char) -> bool {
    matches!(tree, TokenTree::Punct(punct) if punct.as_char() == sign)
}

fn regroup(group: &Group, inner: TokenStream) -> TokenTree {
    let mut group_of_inner = Group::new(group.delimiter(), inner);
    group_of_inner.set_span(group.span());
    group_of_inner.into()
}
