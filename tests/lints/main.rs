//! Nothing in an expansion sets off a lint, and the user's own lints still work.
//!
//! What is denied here is checked by `cargo clippy --test lints -- -D warnings`, and as far as
//! rustc's own lints go by compiling it.

/// One function of every shape, with all lints denied.
///
/// The restriction lints are those that people do turn on for whole code bases.
#[deny(
    warnings,
    unused,
    dead_code,
    nonstandard_style,
    let_underscore_drop,
    missing_debug_implementations,
    rust_2018_idioms,
    single_use_lifetimes,
    trivial_casts,
    trivial_numeric_casts,
    unreachable_pub,
    unused_extern_crates,
    unused_import_braces,
    unused_lifetimes,
    unused_macro_rules,
    unused_qualifications,
    unused_results,
    variant_size_differences,
    clippy::all,
    clippy::pedantic,
    clippy::nursery,
    clippy::cargo,
    clippy::as_conversions,
    clippy::arithmetic_side_effects,
    clippy::clone_on_ref_ptr,
    clippy::default_numeric_fallback,
    clippy::else_if_without_else,
    clippy::empty_drop,
    clippy::exhaustive_structs,
    clippy::expect_used,
    clippy::if_then_some_else_none,
    clippy::indexing_slicing,
    clippy::infinite_loop,
    clippy::let_underscore_must_use,
    clippy::let_underscore_untyped,
    clippy::min_ident_chars,
    clippy::missing_assert_message,
    clippy::mod_module_files,
    clippy::multiple_unsafe_ops_per_block,
    clippy::needless_raw_strings,
    clippy::panic,
    clippy::panic_in_result_fn,
    clippy::pattern_type_mismatch,
    clippy::print_stdout,
    clippy::redundant_type_annotations,
    clippy::rest_pat_in_fully_bound_structs,
    clippy::same_name_method,
    clippy::self_named_module_files,
    clippy::semicolon_inside_block,
    clippy::shadow_reuse,
    clippy::shadow_same,
    clippy::shadow_unrelated,
    clippy::str_to_string,
    clippy::todo,
    clippy::try_err,
    clippy::undocumented_unsafe_blocks,
    clippy::unimplemented,
    clippy::unnecessary_self_imports,
    clippy::unneeded_field_pattern,
    clippy::unreachable,
    clippy::unseparated_literal_suffix,
    clippy::unused_result_ok,
    clippy::unwrap_in_result,
    clippy::unwrap_used,
    clippy::verbose_file_reads,
    clippy::wildcard_enum_match_arm
)]
// Not about code in functions.
#[allow(
    clippy::cargo_common_metadata,
    clippy::multiple_crate_versions,
    // Contradicts `unreachable_pub`.
    clippy::redundant_pub_crate
)]
mod quiet;

/// Lints that the user expects, in functions of every shape: each `expect` is fulfilled, or this
/// would not compile without a warning.
///
/// Three lints of clippy's are lost, since what they are about is gone from the expansion:
/// `needless_return` and `unwrap_in_result` (the body is no longer the function's) and
/// `unused_async` (the loop awaits).
#[deny(unfulfilled_lint_expectations)]
mod expected;

#[deny(unfulfilled_lint_expectations)]
mod inside;

#[derive(Clone, Debug, PartialEq, Eq)]
struct Busy;

impl std::fmt::Display for Busy {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("busy")
    }
}

impl std::error::Error for Busy {}

thread_local! {
    static FAILS: std::cell::Cell<bool> = const { std::cell::Cell::new(true) };
}

/// Fails every other time.
fn ask(text: &str) -> Result<usize, Busy> {
    let fails = FAILS.replace(!FAILS.get());
    if fails { Err(Busy) } else { Ok(text.len()) }
}

async fn ask_slowly(text: &str) -> Result<usize, Busy> {
    tokio::task::yield_now().await;
    ask(text)
}

#[tokio::test]
async fn functions_of_every_shape_are_quiet_and_work() {
    assert_eq!(quiet::all().await, 35);
    assert_eq!(quiet::hooks().await, 9);
}

#[tokio::test]
async fn functions_with_expected_lints_work() {
    use expected::{self as e, Client};
    let text = || "text".to_owned();
    let results = [
        e::unused_argument("text", 0),
        e::unused_argument_async("text", text()).await,
        e::unused_local("text").await,
        e::unused_on_the_argument("text", 0),
        e::unused_in_a_pattern(("text", 0)),
        e::unused_boxed("text", 0).await,
        Client.unused_self("text"),
        e::never_mutated(0),
        e::never_mutated_local("text"),
        e::never_mutated_local_async("text").await,
        e::never_mutated_clone(text()),
        e::unused_result("text"),
        e::unreachable("text"),
        e::unreachable_async("text").await,
        e::unused_assignment("text").await,
        e::needless_question_mark("text"),
        e::needless_question_mark_async("text").await,
        e::let_and_return("text"),
        e::by_value(text()),
        e::many_arguments("text", 0, 0, 0, 0, 0, 0, 0).await,
        e::large([0; 1024]).map(|n| n.min(4)),
        e::deprecated("text"),
    ];
    for (index, result) in results.into_iter().enumerate() {
        assert_eq!(result, Ok(4), "{index}");
    }
    // Permanent, since the text is not empty.
    FAILS.set(true);
    assert_eq!(e::in_a_key("text"), Err(Busy));
    e::does_not_use();
}

#[tokio::test]
async fn functions_with_expected_macro_calls_work() {
    use inside::{self as i, Asking};
    for round in 0..2 {
        let text = "4040";
        let results = [
            i::sync(text),
            i::asynchronous(text).await,
            i::boxed(text).await,
            ().method(text).await,
            i::block(text),
            i::async_block(text).await,
        ];
        assert_eq!(results, [const { Ok(4) }; 6], "{round}");
    }
    let _: fn(&'static str) -> _ = i::not_yet;
    drop(i::never("text"));
}
