//! What can be seen to be wrong with the annotated function, by itself and with the keys.

use proc_macro2::Span;
use retry_core::text::similar;
use syn::{Error, Expr, ReturnType, Type, TypeParamBound};

use super::{borrows, can_await, can_cut};
use crate::diagnose::Errors;
use crate::read::item::{Item, Shape};
use crate::read::keys::Args;

/// Checks the annotated function, and the keys against it. `timer` says whether an async function
/// can sleep without being told how.
pub(crate) fn function(item: &Item, shape: &Shape, args: &Args, timer: bool, errors: &mut Errors) {
    if let Some(constness) = &item.sig.constness {
        errors.at(
            constness,
            "a `const fn` cannot wait, so there is nothing to retry; remove `const`",
        );
    }
    clones(item, args, errors);
    match shape {
        Shape::Unit => errors.at(
            &item.sig.ident,
            "this function returns nothing, so `#[retry]` cannot tell a failure from a success; return a `Result`",
        ),
        Shape::OpaqueFuture => {
            if let ReturnType::Type(_, ty) = &item.sig.output {
                errors.at(
                    ty,
                    "`#[retry]` can only retry a future that it can see: end the function with an `async` block (in `Box::pin(…)`, where it is boxed), or make it an `async fn`",
                );
            }
        }
        Shape::Sync(output) => {
            output_type(output, args, errors);
            borrows::handed_out(&item.sig, output, errors);
            can_await(args, errors);
            can_cut(args, false, errors);
        }
        Shape::Async(output) => {
            output_type(output, args, errors);
            borrows::handed_out(&item.sig, output, errors);
            can_cut(args, true, errors);
            can_sleep(item.sig.ident.span(), args, timer, errors);
        }
        Shape::Future(future) => {
            if let Some(output) = &future.output {
                output_type(output, args, errors);
            }
            can_cut(args, true, errors);
            can_sleep(item.sig.ident.span(), args, timer, errors);
        }
    }
}

/// Checks that an async function or block, whose name is `anchor`, has something to wait on.
pub(crate) fn can_sleep(anchor: Span, args: &Args, timer: bool, errors: &mut Errors) {
    match &args.sleep {
        None if !timer => errors.push(Error::new(
            anchor,
            "an async retry needs a timer: enable the feature `tokio` of `retry`, or say how to \
             sleep with `sleep = …`",
        )),
        Some(Expr::Path(path)) => {
            let mut last = path.path.segments.iter().rev().map(|segment| &segment.ident);
            if last.next().is_some_and(|it| it == "sleep")
                && last.next().is_some_and(|it| it == "thread")
            {
                errors.at(
                    path,
                    "a sleep that blocks holds up every task of its thread; an async retry needs \
                     one that returns a future: `tokio::time::sleep`, or that of another runtime",
                );
            }
        }
        _ => {}
    }
}

/// Types that nothing can be told from, or too early.
fn output_type(ty: &Type, args: &Args, errors: &mut Errors) {
    match ty {
        Type::Group(group) => output_type(&group.elem, args, errors),
        Type::Paren(paren) => output_type(&paren.elem, args, errors),
        Type::Never(_) => errors.at(ty, "a function that never returns has no outcome to retry on"),
        Type::Tuple(tuple) if tuple.elems.is_empty() => errors
            .at(ty, "`#[retry]` cannot tell a failure from a success in `()`; return a `Result`"),
        Type::ImplTrait(it) if lazy(it.bounds.iter()) => lazy_output(ty, errors),
        Type::Path(path) => {
            let Some(last) = path.path.segments.last() else { return };
            if (last.ident == "Box" || last.ident == "Pin") && boxes_lazy(ty) {
                lazy_output(ty, errors);
            } else if last.ident == "Option" && args.on.is_none() && args.policy.is_none() {
                errors.at(
                    ty,
                    "an `Option` does not say whether `None` is a failure: write `on = any_error()` to retry on `None`, or `on = output(|it| …)`",
                );
            }
        }
        _ => {}
    }
}

fn lazy_output(ty: &Type, errors: &mut Errors) {
    errors.at(
        ty,
        "this is handed out before anything in it can fail, so there is nothing to retry yet; return a `Result` of it, or retry where an item is made",
    );
}

fn boxes_lazy(ty: &Type) -> bool {
    match ty {
        Type::TraitObject(object) => lazy(object.bounds.iter()),
        Type::Path(path) => path.path.segments.last().is_some_and(|last| {
            matches!(&last.arguments, syn::PathArguments::AngleBracketed(arguments)
            if (last.ident == "Box" || last.ident == "Pin")
                && arguments.args.iter().any(|argument| {
                    matches!(argument, syn::GenericArgument::Type(ty) if boxes_lazy(ty))
                }))
        }),
        _ => false,
    }
}

fn lazy<'a>(mut bounds: impl Iterator<Item = &'a TypeParamBound>) -> bool {
    bounds.any(|bound| match bound {
        TypeParamBound::Trait(bound) => bound.path.segments.last().is_some_and(|last| {
            let name = last.ident.to_string();
            name.ends_with("Iterator") || name.ends_with("Stream")
        }),
        _ => false,
    })
}

fn clones(item: &Item, args: &Args, errors: &mut Errors) {
    let Some(names) = &args.clone else { return };
    let arguments = item.arguments();
    for (index, name) in names.iter().enumerate() {
        if name == "self" {
            errors.at(
                name,
                "`self` cannot be cloned for each attempt; take `&self`, and clone what the body uses up inside it",
            );
        } else if !arguments.contains(name) {
            let known: Vec<_> = arguments.iter().map(ToString::to_string).collect();
            let meant = similar(&name.to_string(), known.iter().map(String::as_str));
            let meant = meant.map_or_else(String::new, |it| format!("; did you mean `{it}`?"));
            errors.at(name, format!("`{name}` is not an argument of this function{meant}"));
        } else if names[..index].contains(name) {
            errors.at(name, format!("`{name}` is named twice"));
        }
    }
}
