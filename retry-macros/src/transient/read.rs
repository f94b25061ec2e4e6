//! The type and its marks → [`Target`].

use proc_macro2::{TokenStream, TokenTree};
use retry_core::text::similar;
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::{
    Attribute, Expr, ExprLit, Field, Fields, Generics, Ident, Item, ItemEnum, ItemStruct, Lit,
    Member, Meta, Path,
};

use crate::diagnose::Errors;
use crate::read::short;
use crate::read::tokens::find;
use crate::transient::options::{self, Options};

/// The names of the marks.
const MARKS: [(&str, Kind); 3] = [
    ("transient", Kind::Transient),
    ("permanent", Kind::Permanent),
    ("ambiguous", Kind::Ambiguous),
];

/// What a mark says.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Transient,
    Permanent,
    Ambiguous,
}

/// `#[transient(…)]`
pub(super) struct Mark {
    pub(super) kind: Kind,
    /// Where its name stands.
    pub(super) name: Ident,
    pub(super) options: Options,
}

/// What is marked: a variant, or a struct.
pub(super) struct Place {
    pub(super) name: Ident,
    pub(super) fields: Fields,
    pub(super) marks: Vec<Mark>,
    /// A mark on a field, where none can stand.
    pub(super) on_field: Option<Ident>,
    /// An attribute that looks like one of ours and is not. The compiler, which does not know it
    /// either, says which was meant.
    pub(super) misspelled: bool,
}

/// What the derive stands on.
pub(super) struct Target {
    pub(super) name: Ident,
    pub(super) generics: Generics,
    pub(super) facade: Facade,
    /// Something in the derive's own code may be deprecated, and the user knows.
    pub(super) is_deprecated: bool,
    pub(super) body: Body,
}

pub(super) enum Body {
    /// The variants, and marks on the enum itself.
    Enum(Vec<Place>, Vec<Mark>),
    Struct(Place),
}

impl Target {
    /// `None` if nothing could stand there.
    pub(super) fn read(item: Item, errors: &mut Errors) -> Option<Self> {
        match item {
            Item::Enum(item) => Some(Self::of_enum(item, errors)),
            Item::Struct(item) => Some(Self::of_struct(item, errors)),
            Item::Union(item) => {
                errors.at(
                    item.union_token,
                    format!(
                        "a union does not tell what it holds, so no mark can; write \
                         `impl retry::Transient for {}` by hand",
                        item.ident
                    ),
                );
                None
            }
            other => {
                errors.at(other, "`Transient` is derived for enums and structs");
                None
            }
        }
    }

    fn of_enum(item: ItemEnum, errors: &mut Errors) -> Self {
        let mut is_deprecated = has_deprecated(&item.attrs);
        let mut marks = marks(&item.attrs, errors);
        let facade = Facade::take(&mut marks, errors);
        let variants = item
            .variants
            .into_iter()
            .map(|variant| {
                is_deprecated |= has_deprecated(&variant.attrs);
                is_deprecated |= variant.fields.iter().any(|field| has_deprecated(&field.attrs));
                Place::new(variant.ident, variant.fields, &variant.attrs, errors)
            })
            .collect();
        let body = Body::Enum(variants, marks);
        Self { name: item.ident, generics: item.generics, facade, is_deprecated, body }
    }

    fn of_struct(item: ItemStruct, errors: &mut Errors) -> Self {
        let is_deprecated = has_deprecated(&item.attrs)
            || item.fields.iter().any(|field| has_deprecated(&field.attrs));
        let mut place = Place::new(item.ident.clone(), item.fields, &item.attrs, errors);
        let facade = Facade::take(&mut place.marks, errors);
        let body = Body::Struct(place);
        Self { name: item.ident, generics: item.generics, facade, is_deprecated, body }
    }
}

impl Place {
    fn new(name: Ident, fields: Fields, attrs: &[Attribute], errors: &mut Errors) -> Self {
        let on_field = fields
            .iter()
            .flat_map(|field| &field.attrs)
            .find_map(|attr| kind(attr).map(|(name, _)| name.clone()));
        Self {
            name,
            fields,
            marks: marks(attrs, errors),
            on_field,
            misspelled: attrs.iter().any(is_misspelled),
        }
    }

    /// The field that is meant, and how a pattern names it.
    pub(super) fn field(&self, wanted: &Member) -> Option<(Member, &Field)> {
        self.fields.members().zip(&self.fields).find(|(member, _)| match (member, wanted) {
            (Member::Named(member), Member::Named(wanted)) => member.unraw() == wanted.unraw(),
            (Member::Unnamed(member), Member::Unnamed(wanted)) => member.index == wanted.index,
            _ => false,
        })
    }
}

impl Mark {
    fn read(name: &Ident, kind: Kind, meta: &Meta, errors: &mut Errors) -> Self {
        let options = match meta {
            Meta::Path(_) => Options::default(),
            Meta::List(list) => {
                let read = |input: ParseStream| Ok(Options::read(input, errors));
                read.parse2(list.tokens.clone()).unwrap_or_default()
            }
            Meta::NameValue(pair) => {
                let value = match &pair.value {
                    Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => text.value(),
                    value => short(value),
                };
                errors.at(
                    &pair.value,
                    format!("options stand in parentheses: write `#[{name}({value})]`"),
                );
                Options { is_unread: true, ..Options::default() }
            }
        };
        Self { kind, name: name.clone(), options }
    }
}

fn marks(attrs: &[Attribute], errors: &mut Errors) -> Vec<Mark> {
    attrs
        .iter()
        .filter_map(|attr| {
            let (name, kind) = kind(attr)?;
            Some(Mark::read(name, kind, &attr.meta, errors))
        })
        .collect()
}

fn kind(attr: &Attribute) -> Option<(&Ident, Kind)> {
    let name = attr.path().get_ident()?;
    MARKS.iter().find(|(mark, _)| name == mark).map(|(_, kind)| (name, *kind))
}

fn is_misspelled(attr: &Attribute) -> bool {
    attr.path().get_ident().is_some_and(|name| {
        let name = name.unraw().to_string();
        similar(&name, MARKS.map(|(mark, _)| mark)).is_some()
    })
}

/// Whether something there is deprecated, or that of something there is allowed.
fn has_deprecated(attrs: &[Attribute]) -> bool {
    attrs.iter().any(|attr| {
        let is_allowed = || {
            let levels = ["allow", "expect"].iter().any(|level| attr.path().is_ident(level));
            levels
                && matches!(&attr.meta, Meta::List(list) if names_deprecated(list.tokens.clone()))
        };
        attr.path().is_ident("deprecated") || is_allowed()
    })
}

fn names_deprecated(tokens: TokenStream) -> bool {
    find(tokens, &mut |tree| match tree {
        TokenTree::Ident(word) if word == "deprecated" => Some(()),
        _ => None,
    })
    .is_some()
}

/// `#[transient(crate = …)]` on the type. One that says nothing else is no mark.
#[derive(Default)]
pub(super) struct Facade {
    pub(super) path: Option<Path>,
    /// It was written, and could not be read.
    pub(super) is_unread: bool,
}

impl Facade {
    /// Takes it out of the marks on a type.
    fn take(marks: &mut Vec<Mark>, errors: &mut Errors) -> Self {
        let mut facade = Self::default();
        marks.retain_mut(|mark| {
            let Options { krate, crate_is_unread, .. } = &mut mark.options;
            if mark.kind != Kind::Transient || (krate.is_none() && !*crate_is_unread) {
                return true;
            }
            facade.is_unread |= *crate_is_unread;
            match krate.take() {
                Some((key, _)) if facade.path.is_some() => errors.at(key, options::twice("crate")),
                Some((_, path)) => facade.path = Some(path),
                None => {}
            }
            mark.options.is_unread || mark.options.first().is_some()
        });
        facade
    }
}
