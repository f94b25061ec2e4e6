//! Mistakes, each with what is said about it: one error for one mistake, all that are independent at
//! once, and in each what to write.

mod conditions;
mod keys;
mod limits;
mod marks;
mod places;
mod strategies;
mod values;

use proc_macro2::{TokenStream, TokenTree};
use quote::quote;

use crate::emit::{block, function, policy};
use crate::transient;

/// What was typed, and a telling part of each error, in their order.
type Mistake = (&'static str, &'static [&'static str]);

/// What may be right as far as tokens say: the types decide, or names that are not to be seen here.
const LEFT_TO_THE_TYPES: &[&str] = &[
    "stop = attempts(3), wait = exponential(100ms).times(3)",
    "stop = within(self.instant), wait = none()",
    "stop = retry::stop::attempts(3), wait = none()",
    "stop = stop::attempts(3), wait = none()",
    "stop = ::retry::stop::attempts(3), wait = none()",
    "stop = attempts(3), wait = none(), on = move |e| e.busy()",
    "stop = attempts(3), wait = none(), on = is_busy()",
    "stop = attempts(3), wait = none(), on = retry::on::any_error()",
    "stop = attempts(3), wait = none(), on = condition::error(f)",
    "stop = attempts(3), wait = none(), before = f()",
    "forever, stop = attempts(3) & |s| s.x(), wait = none()",
    "forever, policy = policy! { stop = attempts(3), wait = none() }",
    "forever, policy = retry::policy!(stop = self.x, wait = none())",
    "stop = attempts(3), wait = none(), sleep = tokio",
    "stop = attempts(3), wait = none(), fallback = Default::default()",
    "stop = attempts(3), wait = none(), fallback = vec![]",
    "stop = attempts(3), wait = none(), fallback = String::new()",
    "stop = attempts(3), wait = none(), on = | f | g",
    "stop = attempts(3), wait = backoff()",
    "stop = limit(3), wait = self::fixed(1)",
    "stop = attempts(3), wait = self::ExponentialBackoff::new()",
    "stop = attempts(3), wait = Backoff::new()",
    "stop = self.n, wait = self.wait",
    "stop = n, wait = n",
    "stop = |s| s.attempt() > 3, wait = none()",
    "stop = attempts(3).cap(3s), wait = none()",
    "stop = Some(3), wait = Some(1s)",
    "stop = attempts(3), wait = exponential::new(100ms)",
    "stop = attempts(3), wait = Exponential::new(100ms)",
    "stop = attempts(3), wait = wait::exponential(100ms)",
    "stop = attempts(3), wait = fixed(1.s)",
    "stop = attempts(3), wait = sequence(vec![1s, 2s])",
    "stop = attempts(3), wait = sequence([1s; 2s])",
    "stop = attempts(3), wait = none(), on = ::is_busy",
    "stop = attempts(3), wait = none(), deadline = Some(20s)",
    "stop = attempts(3), wait = none(), deadline = self.deadline",
    "stop = attempts(3), wait = none(), deadline = limit(20s)",
    "stop = attempts(3), wait = none(), cancel = stop",
    "stop = attempts(3), wait = none(), cancel = token.cancelled()",
    "stop = attempts(3), wait = none(), budget = self.budget, breaker = &BREAKER",
    "stop = attempts(3), wait = none(), budget = Some(&BUDGET), breaker = BREAKER.waiting()",
    "stop = attempts(3), wait = none(), budget = Budgets::of(n), breaker = my::Breakers::get(n)",
    "stop = attempts(3), wait = none(), breaker = b, interrupted = late",
    "stop = attempts(3), wait = none(), deadline = 1m, reset = 30s",
];

/// The messages of all errors in an expansion.
fn messages(tokens: TokenStream) -> Vec<String> {
    let trees: Vec<_> = tokens.into_iter().collect();
    let is_error = |index: usize| {
        let name = index.checked_sub(2).and_then(|at| trees.get(at));
        matches!(name, Some(TokenTree::Ident(ident)) if ident == "compile_error")
    };
    let mut found = Vec::new();
    for (index, tree) in trees.iter().enumerate() {
        let TokenTree::Group(group) = tree else { continue };
        if is_error(index) {
            let text = syn::parse2::<syn::LitStr>(group.stream());
            found.extend(text.ok().map(|text| text.value()));
        } else {
            found.extend(messages(group.stream()));
        }
    }
    found
}

fn tokens(typed: &str) -> TokenStream {
    typed.parse().unwrap_or_else(|_| quote!(no tokens))
}

fn told(typed: &str) -> Vec<String> {
    messages(if let Some(keys) = typed.strip_prefix("B:") {
        block::block(tokens(keys))
    } else if let Some(keys) = typed.strip_prefix("P:") {
        policy::policy(tokens(keys))
    } else if let Some(item) = typed.strip_prefix("I:") {
        function::attribute(quote!(stop = attempts(3), wait = none()), &tokens(item))
    } else if let Some(item) = typed.strip_prefix("D:") {
        transient::derive(tokens(item))
    } else {
        let item = quote!(
            fn f(body: String, n: u32) -> Result<u32, E> {
                the_body(body)
            }
        );
        function::attribute(tokens(typed), &item)
    })
}

fn check(mistakes: &[Mistake]) {
    check_as(mistakes, str::to_owned);
}

/// With what was typed put where it belongs.
fn check_as(mistakes: &[Mistake], place: impl Fn(&str) -> String) {
    for (typed, parts) in mistakes {
        let told = told(&place(typed));
        assert_eq!(told.len(), parts.len(), "{typed}: {told:#?}");
        for (message, part) in told.iter().zip(*parts) {
            assert!(message.contains(part), "{typed}\n{message}\n{part}");
            assert!(!message.contains("__"), "{typed}: {message}");
        }
    }
}

#[test]
fn a_mistake_between_keys_is_told_once() {
    check(keys::MISTAKES);
}

#[test]
fn a_mistake_in_a_value_is_told_once() {
    check(values::MISTAKES);
}

#[test]
fn a_mistake_in_a_strategy_is_told_once() {
    check(strategies::MISTAKES);
}

#[test]
fn a_mistake_in_a_condition_is_told_once() {
    check(conditions::MISTAKES);
}

#[test]
fn a_mistake_in_a_mark_is_told_once() {
    let is_item = |typed: &str| ["enum", "struct", "union"].iter().any(|word| typed.contains(word));
    check_as(marks::MISTAKES, |typed| match typed {
        item if is_item(item) => format!("D:{item}"),
        mark => {
            format!("D:enum E {{ #[permanent] Other, {mark} Late {{ after: Duration, x: u8 }} }}")
        }
    });
}

#[test]
fn a_mistake_in_a_limit_or_guard_is_told_once() {
    check(limits::MISTAKES);
}

#[test]
fn a_mistake_elsewhere_is_told_once() {
    check(places::MISTAKES);
}

#[test]
fn what_may_be_right_is_left_to_the_types() {
    for typed in LEFT_TO_THE_TYPES {
        assert_eq!(told(typed), [""; 0], "{typed}");
    }
}
