//! What could be read and is unwise.

use retry_core::text::{list, similar};
use syn::ext::IdentExt;
use syn::{Fields, Ident, Member, Type};

use crate::check::facade;
use crate::diagnose::Errors;
use crate::read::source::text;
use crate::transient::read::{Body, Kind, Mark, Place, Target};

/// Notes all mistakes in the marks.
pub(super) fn check(target: &Target, errors: &mut Errors) {
    if let Some(path) = &target.facade.path {
        facade(path, errors);
    }
    let (variants, marks) = match &target.body {
        Body::Struct(place) => return self::place(place, errors),
        Body::Enum(variants, marks) => (variants, marks),
    };
    let name = &target.name;
    if variants.is_empty() {
        errors.at(
            name,
            format!(
                "`{name}` has no variants to mark; remove the derive, or write `impl \
                 retry::Transient for {name}` by hand, with `match *self {{}}`"
            ),
        );
        return;
    }
    let is_bare = |variant: &Place| {
        variant.marks.is_empty() && variant.on_field.is_none() && !variant.misspelled
    };
    if let Some(mark) = marks.first() {
        if !mark.options.is_unread {
            errors.at(
                &mark.name,
                format!("the variants are marked, not the enum: write `#[{}]` above each that it is true of", mark.name),
            );
        }
    } else if variants.len() > 1 && variants.iter().all(is_bare) {
        errors.at(
            name,
            format!(
                "no variant of `{name}` says whether another attempt may succeed; {}",
                how_to_mark("each of them")
            ),
        );
        return;
    }
    for variant in variants {
        if marks.is_empty() || !is_bare(variant) {
            place(variant, errors);
        }
    }
}

fn how_to_mark(what: &str) -> String {
    format!(
        "write above {what} `#[transient]` if it may, `#[permanent]` if not, or `#[ambiguous]` if the \
         failed attempt may have taken effect"
    )
}

/// A variant, or a struct.
fn place(place: &Place, errors: &mut Errors) {
    let name = &place.name;
    if let Some(mark) = &place.on_field {
        return errors.at(
            mark,
            format!("a mark stands above `{name}`, not on a field; it names the field: `#[transient(retry_after = field)]`, or asks the only one: `#[transient(forward)]`"),
        );
    }
    let Some((mark, others)) = place.marks.split_first() else {
        if !place.misspelled {
            errors.at(
                name,
                format!(
                    "`{name}` does not say whether another attempt may succeed; {}",
                    how_to_mark("it")
                ),
            );
        }
        return;
    };
    if let Some(other) = others.first() {
        let message = if other.kind == mark.kind {
            format!("`{name}` is marked `#[{}]` twice; put the options into one", mark.name)
        } else {
            format!(
                "`{name}` is marked `#[{}]` already, and one error means one thing; keep one of the two",
                mark.name
            )
        };
        return errors.at(&other.name, message);
    }
    options(place, mark, errors);
}

fn options(place: &Place, mark: &Mark, errors: &mut Errors) {
    let (name, options) = (&place.name, &mark.options);
    if let Some((krate, _)) = &options.krate {
        errors.at(
            krate,
            "`crate` is said once, on the type: `#[transient(crate = …)]` above it".to_owned(),
        );
    }
    let Some(first) = options.first() else { return };
    if mark.kind == Kind::Permanent {
        let message = if first == "forward" {
            "only `#[transient(forward)]` asks the field; its verdict is taken whole, a permanent one too"
                .to_owned()
        } else {
            let form = if first == "retry_after" { "retry_after = …" } else { "throttled" };
            format!(
                "a permanent error is returned at once, so there is nothing to say by `{first}`; write \
                 `#[permanent]`, or `#[transient({form})]` if another attempt may succeed"
            )
        };
        return errors.at(first, message);
    }
    if let Some(forward) = &options.forward {
        return self::forward(place, mark, forward, errors);
    }
    if let Some((_, field)) = &options.retry_after {
        if place.field(field).is_none() {
            errors.at(field, no_field(name, &place.fields, field));
        }
    }
}

fn forward(place: &Place, mark: &Mark, forward: &Ident, errors: &mut Errors) {
    let (name, options) = (&place.name, &mark.options);
    if mark.kind == Kind::Ambiguous {
        let message = "only `#[transient(forward)]` asks the field; its verdict is taken whole, an \
                       ambiguous one too";
        return errors.at(forward, message);
    }
    let other = options.retry_after.as_ref().map(|(key, _)| key).or(options.throttled.as_ref());
    if let Some(other) = other.filter(|_| !options.is_unread) {
        let message = format!(
            "`forward` takes the verdict of the field whole, with its hint; remove `{other}`, or `forward`"
        );
        return errors.at(other, message);
    }
    let count = place.fields.len();
    if count != 1 {
        let has = if count == 0 { "no field".to_owned() } else { format!("{count} fields") };
        errors.at(
            forward,
            format!(
                "`forward` asks the one field of a variant, and `{name}` has {has}; write `#[transient]`, \
                 `#[permanent]` or `#[ambiguous]`, or `impl retry::Transient` by hand"
            ),
        );
    }
}

/// What is said of a field that is not there.
fn no_field(name: &Ident, fields: &Fields, wanted: &Member) -> String {
    let there: Vec<String> = fields.members().map(|member| text(&member)).collect();
    if there.is_empty() {
        return format!(
            "`{name}` has no fields, so nothing in it holds how long to wait; remove `retry_after`, or \
             add a field to it"
        );
    }
    let has_names = matches!(fields, Fields::Named(_));
    let said = match wanted {
        Member::Named(wanted) if has_names => {
            let wanted = wanted.unraw().to_string();
            if let Some(similar) = similar(&wanted, there.iter().map(String::as_str)) {
                return format!("`{name}` has no field `{wanted}`; did you mean `{similar}`?");
            }
            format!("`{name}` has no field `{wanted}`")
        }
        Member::Unnamed(wanted) if !has_names => {
            format!("`{name}` has no field `{}`; they are counted from 0", wanted.index)
        }
        _ if has_names => format!("the fields of `{name}` go by their names"),
        _ => format!("the fields of `{name}` go by numbers, from 0"),
    };
    let mut hints = fields.iter().zip(&there).filter(|(field, _)| may_be_a_hint(&field.ty));
    match (hints.next(), hints.next()) {
        (Some((_, field)), None) => format!("{said}: write `retry_after = {field}`"),
        _ => format!("{said}: there is {}", list(&there)),
    }
}

/// As far as its name tells.
fn may_be_a_hint(ty: &Type) -> bool {
    text(ty).contains("Duration")
}
