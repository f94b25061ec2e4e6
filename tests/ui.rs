//! What does not compile, and what the compiler then says. The messages are those of one
//! compiler, so they are compared under that one only.

#[rustversion::attr(not(stable(1.95)), ignore = "the messages are those of Rust 1.95")]
#[test]
fn every_mistake_has_a_message_that_is_enough_to_mend_it() {
    let cases = trybuild::TestCases::new();
    cases.pass("tests/ui/pass/*/*.rs");
    cases.compile_fail("tests/ui/fail/*/*.rs");
}
