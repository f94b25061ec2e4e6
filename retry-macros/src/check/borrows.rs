//! A `&mut` that would be handed out of an attempt.

use syn::visit::{self, Visit};
use syn::{FnArg, Lifetime, ReceiverKind, Signature, Type, TypeReference};

use crate::diagnose::Errors;

/// Rejects a `&mut` in the outcome that is borrowed from a `&mut` argument: every attempt would borrow
/// it anew, while what the one before has handed out still holds it.
pub(crate) fn handed_out(sig: &Signature, output: &Type, errors: &mut Errors) {
    let mut found = MutReferences::default();
    found.visit_type(output);
    for reference in found.0 {
        if let Some(lender) = lender(sig, reference.lifetime.as_ref()) {
            errors.at(
                reference,
                format!(
                    "a `&mut` into `{lender}` cannot be handed out of an attempt, since the next one \
                     would borrow it again: return an index or an owned value, or retry in a function \
                     of its own and borrow after it has succeeded"
                ),
            );
        }
    }
}

/// The `&mut` argument that a reference with this lifetime borrows from.
fn lender(sig: &Signature, lifetime: Option<&Lifetime>) -> Option<String> {
    let lifetime = lifetime.filter(|lifetime| lifetime.ident != "_");
    let mut references = sig.inputs.iter().filter_map(borrowed);
    match lifetime {
        Some(lifetime) => references
            .find(|(_, is_mut, of)| *is_mut && of.as_ref() == Some(lifetime))
            .map(|(name, ..)| name),
        // Without a name it is that of `self`, or of the only reference.
        None => references.next().filter(|(_, is_mut, _)| *is_mut).map(|(name, ..)| name),
    }
}

/// The name of an argument that is a reference, whether it is a `&mut`, and its lifetime.
fn borrowed(input: &FnArg) -> Option<(String, bool, Option<Lifetime>)> {
    match input {
        FnArg::Receiver(receiver) => match &receiver.kind {
            ReceiverKind::Reference(_, lifetime, mutability) => {
                Some(("self".to_owned(), mutability.is_some(), lifetime.clone()))
            }
            _ => None,
        },
        FnArg::Typed(arg) => match (&*arg.pat, &*arg.ty) {
            (syn::Pat::Ident(pat), Type::Reference(ty)) => {
                Some((pat.ident.to_string(), ty.mutability.is_some(), ty.lifetime.clone()))
            }
            _ => None,
        },
    }
}

#[derive(Default)]
struct MutReferences<'a>(Vec<&'a TypeReference>);

impl<'a> Visit<'a> for MutReferences<'a> {
    fn visit_type_reference(&mut self, reference: &'a TypeReference) {
        if reference.mutability.is_some() {
            self.0.push(reference);
        } else {
            visit::visit_type_reference(self, reference);
        }
    }

    // What a function takes is not handed out.
    fn visit_type_fn_ptr(&mut self, _: &'a syn::TypeFnPtr) {}

    fn visit_parenthesized_generic_arguments(&mut self, _: &'a syn::ParenthesizedGenericArguments) {
    }
}
