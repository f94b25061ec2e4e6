//! Empty: it is the tests that count.
