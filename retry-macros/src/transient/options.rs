//! What stands in the parentheses of a mark.

use proc_macro2::TokenTree;
use retry_core::text::{list, similar};
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::{Error, Expr, Ident, Index, Lit, LitStr, Member, Path, Token, UnOp, token};

use crate::diagnose::Errors;
use crate::read::{ends, equals, short, snake};

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
        let Ok(key) = input.call(Ident::parse_any) else { return Err(no_option(input)) };
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

/// What stands instead of the name of an option.
fn no_option(input: ParseStream) -> Error {
    if input.peek(Token![,]) || input.peek(Token![;]) {
        return input.error("one separator too many: a single `,` parts two options");
    }
    match input.fork().parse::<LitStr>() {
        Ok(text) => {
            let message = format!("an option stands without quotes: write `{}`", text.value());
            Error::new(text.span(), message)
        }
        Err(_) => input.error(format!("expected an option of a mark: {}", list(FORMS))),
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
    // `retryAfter`, `Throttled`
    let name_here = snake(name);
    let same = OPTIONS.into_iter().find(|option| *option == name_here);
    match same.or_else(|| similar(&name_here, OPTIONS)) {
        Some(similar) => format!("unknown option `{name}`; did you mean `{similar}`?"),
        None if name == "now" => {
            "unknown option `now`; only `impl Transient` by hand, or a mark in the \
                                  body, can ask for no wait"
                .to_owned()
        }
        None => format!("unknown option `{name}`; the options are {}", list(FORMS)),
    }
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
    if ends(input) {
        let message =
            "`retry_after` needs the field that holds how long to wait: `retry_after = after`";
        return Err(Error::new(key.span(), message));
    }
    // Said here, since `after` is a key elsewhere.
    if let Ok(name) = input.fork().call(Ident::parse_any) {
        return Err(
            input.error(format!("a `=` is missing before this: write `retry_after = {name}`"))
        );
    }
    equals(key, input)?;
    let ahead = input.fork();
    if ahead.call(Ident::parse_any).is_ok_and(|name| name != "self") && is_whole(&ahead) {
        return input.call(Ident::parse_any).map(Member::Named);
    }
    let Ok(typed) = input.fork().parse::<Expr>() else { return Err(input.error(TAKES)) };
    if let Some(field) = around(&typed) {
        let message = format!("the field stands alone: write `retry_after = {field}`");
        return Err(Error::new_spanned(typed, message));
    }
    let message = match &typed {
        Expr::Lit(lit) => match &lit.lit {
            Lit::Int(int) if int.suffix().is_empty() => {
                return input.parse::<Index>().map(Member::Unnamed);
            }
            Lit::Str(text) => {
                format!("a field has no quotes: write `retry_after = {}`", text.value())
            }
            _ => CONSTANT.to_owned(),
        },
        Expr::Call(_) | Expr::MethodCall(_) | Expr::Path(_) => CONSTANT.to_owned(),
        _ => TAKES.to_owned(),
    };
    Err(Error::new_spanned(typed, message))
}

const TAKES: &str = "`retry_after` takes the name of a field, or its number: `retry_after = after`";

const CONSTANT: &str = "`retry_after` takes a field, which holds what the other side asked for; a wait \
                        that is always the same belongs in `wait`";

/// The field in an expression that hands it on as it is: `self.after`, `*after`, `Some(after)`.
fn around(expr: &Expr) -> Option<String> {
    match expr {
        Expr::Path(path) => path.path.get_ident().map(ToString::to_string),
        Expr::Field(it) => {
            let of_self = matches!(&*it.base, Expr::Path(base) if base.path.is_ident("self"));
            of_self.then(|| short(&it.member))
        }
        Expr::Reference(it) => around(&it.expr),
        Expr::Unary(it) if matches!(it.op, UnOp::Deref(_)) => around(&it.expr),
        Expr::Paren(it) => around(&it.expr),
        Expr::Group(it) => around(&it.expr),
        Expr::Call(it) if it.args.len() == 1 => {
            let is_some = matches!(&*it.func, Expr::Path(func) if func.path.is_ident("Some"));
            it.args.first().filter(|_| is_some).and_then(around)
        }
        _ => None,
    }
}

/// Nothing more belongs to the name.
fn is_whole(input: ParseStream) -> bool {
    let starts = |next: &str| OPTIONS.contains(&next);
    ends(input) || input.fork().call(Ident::parse_any).is_ok_and(|next| starts(&next.to_string()))
}

/// `= ::path`
fn path(key: &Ident, input: ParseStream) -> syn::Result<Path> {
    if ends(input) {
        let message = "`crate` needs a path: `crate = ::my_crate::retry`";
        return Err(Error::new(key.span(), message));
    }
    equals(key, input)?;
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
    if input.peek(Token![;]) || input.peek(Token![|]) || input.peek(Token![&]) {
        let other = input.parse::<TokenTree>()?;
        let message = format!("a `,` parts the options, not a `{}`", short(&other));
        return Err(Error::new(other.span(), message));
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
