//! `forever` beside what is sure to end.

use syn::BinOp;

use crate::diagnose::Errors;
use crate::read::strategy::{Form, Strategy};

/// Beside `forever` stands only a stop that may never say so. What cannot be seen is left to the
/// types.
pub(super) fn check(stop: &Strategy, errors: &mut Errors) {
    if is_bounded(stop) {
        errors.at(
            &stop.typed,
            "this ends the call, and `forever` says that nothing does: remove `forever`, or this",
        );
    }
}

fn is_bounded(stop: &Strategy) -> bool {
    match &stop.form {
        Form::Known(name, _) => *name != "when",
        Form::Joined(BinOp::BitOr(_), sides) => sides.iter().any(is_bounded),
        Form::Joined(BinOp::BitAnd(_), sides) => sides.iter().all(is_bounded),
        Form::Branches(_, tails) => !tails.is_empty() && tails.iter().all(is_bounded),
        _ => false,
    }
}
