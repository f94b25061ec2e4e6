//! Programs of their own, since what they bring into scope would meet the rest of this crate.

use trybuild::TestCases;

#[test]
fn a_trait_for_everything_with_the_methods_that_describe_an_error() {
    TestCases::new().pass("tests/names/pass/blanket_describe.rs");
}

#[test]
fn constants_called_like_the_variables_of_the_expansion() {
    TestCases::new().pass("tests/names/pass/lowercase_constants.rs");
}
