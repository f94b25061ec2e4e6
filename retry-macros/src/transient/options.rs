//! What stands in the parentheses of a mark.

use proc_macro2::TokenTree;
use retry_core::text::{list, similar};
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::{Error, Expr, Ident, Index, Lit, LitStr, Member, Path, Token, token};

use crate::diagnose::Errors;
use crate::read::short;

/// The options of a mark; `crate` stands on the type alone.
const OPTIONS: [&str; 4] = ["retry_after", "throttled", "forward", "crate"];

/// As they are written.
const FORMS: [&str; 3] = ["retry_after = field", "throttled", "forward"];

/// What others call them.
const MEANT: [(&str, &[&str]); 3] = [
    ("retry_after = field", &["after", "delay", "hint", "retry_in", "wait", "retry_delay"]),
    ("throttled", &["throttle", "overloaded", "rate_limited", "too_many"]),
    ("forward", &["transparent", "delegate", "inner", "source", "from"]),
];

/// The options of one mark.
#[derive(Default)]
pub(super) struct Options {
    /// The field that holds how long to wait.
    pub(super) retry_after: Option<(Ident, Member)>,
    pub(super) throttled: Option<Ident>,
    pub(super) forward: Option<Ident>,
    pub(super) krate: Option<(Ident, Path)>,
    /// Something was written that could not be read.
    pub(super) is_unread: bool,
    /// `crate` was.
    pub(super) crate_is_unread: bool,
}

impl Options {
    /// The name of one that is there, but for `crate`.
    pub(super) fn first(&self) -> Option<&Ident> {
        let retry_after = self.retry_after.as_ref().map(|(key, _)| key);
        retry_after.or(self.throttled.as_ref()).or(self.forward.as_ref())
    }

    /// Reads all there are.
    pub(super) fn read(input: ParseStream, errors: &mut Errors) -> Self {
        let mut options = Self::default();
        while !input.is_empty() {
            let ahead = input.fork();
            if let Err(error) = options.read_one(input) {
                errors.push(error);
                let is_crate = ahead.peek(Token![crate]);
                options.crate_is_unread |= is_crate;
                options.is_unread |= !is_crate;
                skip(input);
            }
            if let Err(error) = separator(input) {
                errors.push(error);
                options.is_unread = true;
            }
        }
        options
    }

    fn read_one(&mut self, input: ParseStream) -> syn::Result<()> {
        let Ok(key) = input.call(Ident::parse_any) else {
            let message = format!("expected an option of a mark: {}", list(FORMS));
            return Err(input.error(message));
        };
        match key.to_string().as_str() {
            "retry_after" => {
                let value = (key.clone(), field(&key, input)?);
                set(&mut self.retry_after, &key, value)
            }
            "throttled" => {
                flag(&key, input).and_then(|()| set(&mut self.throttled, &key, key.clone()))
            }
            "forward" => flag(&key, input).and_then(|()| set(&mut self.forward, &key, key.clone())),
            "crate" => {
                let value = (key.clone(), path(&key, input)?);
                set(&mut self.krate, &key, value)
            }
            name => Err(Error::new(key.span(), unknown(name))),
        }
    }
}

/// What is said of an option that is there already.
pub(super) fn twice(option: &str) -> String {
    format!("`{option}` is given twice; keep one")
}

fn set<T>(place: &mut Option<T>, key: &Ident, value: T) -> syn::Result<()> {
    if place.is_some() {
        return Err(Error::new(key.span(), twice(&key.to_string())));
    }
    *place = Some(value);
    Ok(())
}

fn unknown(name: &str) -> String {
    if let Some((form, _)) = MEANT.iter().find(|(_, others)| others.contains(&name)) {
        return format!("unknown option `{name}`; write `{form}`");
    }
    match similar(name, OPTIONS) {
        Some(similar) => format!("unknown option `{name}`; did you mean `{similar}`?"),
        None if name == "now" => {
            "unknown option `now`; only `impl Transient` by hand, or a mark in the \
                                  body, can ask for no wait"
                .to_owned()
        }
        None => format!("unknown option `{name}`; the options are {}", list(FORMS)),
    }
}

fn ends(input: ParseStream) -> bool {
    input.is_empty() || input.peek(Token![,]) || input.peek(Token![;])
}

fn flag(key: &Ident, input: ParseStream) -> syn::Result<()> {
    let has_value = input.peek(Token![=])
        || input.peek(Token![:])
        || input.peek(token::Paren)
        || input.peek(Lit);
    if !has_value {
        return Ok(());
    }
    let message = if key == "forward" {
        "`forward` asks the one field that there is, and takes no value: write `forward` alone"
            .to_owned()
    } else {
        format!("`{key}` is a flag and takes no value: write `{key}` alone")
    };
    Err(Error::new(key.span(), message))
}

/// `= field`, by name or by number
fn field(key: &Ident, input: ParseStream) -> syn::Result<Member> {
    let said = |value: &str| format!("write `retry_after = {value}`");
    if input.peek(token::Paren) {
        let inside = match input.parse::<TokenTree>()? {
            TokenTree::Group(group) => short(&group.stream()),
            other => short(&other),
        };
        return Err(Error::new(key.span(), format!("{}, not `retry_after(…)`", said(&inside))));
    }
    if ends(input) {
        let message =
            "`retry_after` needs the field that holds how long to wait: `retry_after = after`";
        return Err(Error::new(key.span(), message));
    }
    if input.peek(Token![:]) {
        let colon = input.parse::<Token![:]>()?;
        let message = format!("{}, with `=` in place of `:`", said("field"));
        return Err(Error::new_spanned(colon, message));
    }
    if !input.peek(Token![=]) {
        return Err(input.error(format!("a `=` is missing before this: {}", said("field"))));
    }
    input.parse::<Token![=]>()?;
    if ends(input) {
        return Err(Error::new(key.span(), "`retry_after` needs a field after the `=`"));
    }
    let ahead = input.fork();
    if let Ok(name) = ahead.call(Ident::parse_any) {
        if name != "self" && is_whole(&ahead) {
            input.call(Ident::parse_any)?;
            return Ok(Member::Named(name));
        }
    }
    let value = input.fork();
    let typed = value.parse::<Expr>().map_err(|_| {
        input.error("`retry_after` takes the name of a field, or its number: `retry_after = after`")
    })?;
    let message = match bare(&typed) {
        Expr::Lit(lit) => match &lit.lit {
            Lit::Int(int) if int.suffix().is_empty() => {
                return input.parse::<Index>().map(Member::Unnamed);
            }
            Lit::Str(text) => format!("a field has no quotes: {}", said(&text.value())),
            _ => constant(),
        },
        Expr::Field(it) if matches!(&*it.base, Expr::Path(base) if base.path.is_ident("self")) => {
            format!("the field stands alone: {}", said(&short(&it.member)))
        }
        Expr::Reference(it) => format!("the field stands alone: {}", said(&short(&it.expr))),
        Expr::Call(_) | Expr::MethodCall(_) | Expr::Path(_) => constant(),
        _ => "`retry_after` takes the name of a field, or its number: `retry_after = after`"
            .to_owned(),
    };
    Err(Error::new_spanned(typed, message))
}

/// Nothing more belongs to the name.
fn is_whole(input: ParseStream) -> bool {
    let goes_on = input.peek(Token![.]) || input.peek(Token![::]) || input.peek(token::Paren);
    !goes_on
}

fn bare(expr: &Expr) -> &Expr {
    match expr {
        Expr::Group(group) => bare(&group.expr),
        other => other,
    }
}

fn constant() -> String {
    "`retry_after` takes a field, which holds what the other side asked for; a wait that is always the \
     same belongs in `wait`"
        .to_owned()
}

/// `= ::path`
fn path(key: &Ident, input: ParseStream) -> syn::Result<Path> {
    if !input.peek(Token![=]) {
        let message = "`crate` needs a path: `crate = ::my_crate::retry`";
        return Err(Error::new(key.span(), message));
    }
    input.parse::<Token![=]>()?;
    if let Ok(text) = input.fork().parse::<LitStr>() {
        let message = format!("a path has no quotes: write `crate = {}`", text.value());
        return Err(Error::new(text.span(), message));
    }
    input.parse().map_err(|error| {
        Error::new(
            error.span(),
            "`crate` takes the path of the facade: `crate = ::my_crate::retry`",
        )
    })
}

/// What follows an option.
fn separator(input: ParseStream) -> syn::Result<()> {
    if input.is_empty() {
        return Ok(());
    }
    if input.peek(Token![,]) {
        return input.parse::<Token![,]>().map(drop);
    }
    if input.peek(Token![;]) {
        let semicolon = input.parse::<Token![;]>()?;
        return Err(Error::new_spanned(semicolon, "a `,` parts the options, not a `;`"));
    }
    let next = input.fork().parse::<TokenTree>()?;
    let is_option =
        OPTIONS.iter().any(|option| matches!(&next, TokenTree::Ident(it) if it == option));
    let error = if is_option {
        format!("a `,` is missing before `{}`", short(&next))
    } else {
        format!("`{}` belongs to no option; the options are {}", short(&next), list(FORMS))
    };
    if !is_option {
        skip(input);
        let _ = input.parse::<Option<Token![,]>>();
    }
    Err(Error::new(next.span(), error))
}

/// Goes on at the next separator.
fn skip(input: ParseStream) {
    while !ends(input) {
        if input.parse::<TokenTree>().is_err() {
            return;
        }
    }
}
