//! Where the paragraph goes.

use quote::ToTokens;
use syn::{Attribute, Expr, Lit, Meta, parse_quote};

use crate::read::duration::bare;

/// Appends the paragraph to a documentation.
///
/// Only where there is one: a `doc` attribute would silence `missing_docs`, and would hide what a
/// method inherits from its trait. Nor inside a code block that is left open.
pub(crate) fn append(paragraph: &str, attrs: &mut Vec<Attribute>) {
    let Some(last) = attrs.iter().rposition(|attr| doc(attr).is_some()) else { return };
    let lines: Vec<String> = attrs
        .iter()
        .filter_map(doc)
        .flat_map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>())
        .collect();
    if lines.iter().all(|line| line.trim().is_empty()) || ends_in_code(&lines) {
        return;
    }
    // rustdoc removes the indentation that all lines share.
    let indent = |line: &String| line.len() - line.trim_start_matches(' ').len();
    let indent = lines.iter().filter(|line| !line.trim().is_empty()).map(indent).min();
    let line = format!("{}{paragraph}", " ".repeat(indent.unwrap_or_default()));
    attrs.splice(last + 1..=last, [parse_quote!(#[doc = ""]), parse_quote!(#[doc = #line])]);
}

/// The text of a `#[doc = …]`; of one that is not a literal, something in its place.
pub(super) fn doc(attr: &Attribute) -> Option<String> {
    let Meta::NameValue(meta) = &attr.meta else { return None };
    if !meta.path.is_ident("doc") {
        return None;
    }
    Some(match bare(&meta.value) {
        Expr::Lit(syn::ExprLit { lit: Lit::Str(text), .. }) => text.value(),
        other => other.to_token_stream().to_string(),
    })
}

/// Whether a fenced code block is still open after the last line.
fn ends_in_code(lines: &[String]) -> bool {
    let mut open: Option<&str> = None;
    for line in lines.iter().map(|line| line.trim()) {
        let fence_char = |c: &char| matches!(c, '`' | '~');
        let Some(first) = line.chars().next().filter(fence_char) else { continue };
        let info = line.trim_start_matches(first);
        let fence = &line[..line.len() - info.len()];
        match open {
            Some(open) if info.is_empty() && fence.starts_with(open) => {}
            None if fence.len() >= 3 && !(first == '`' && info.contains('`')) => {
                open = Some(fence);
                continue;
            }
            _ => continue,
        }
        open = None;
    }
    open.is_some()
}
