use futures::future::BoxFuture;
use retry::retry;

use crate::{Busy, ask, ask_slowly};

#[expect(unused_variables)]
#[retry(stop = attempts(3), wait = none(), on = any_error())]
pub(crate) fn unused_argument(text: &str, unused: u32) -> Result<usize, Busy> {
    ask(text)
}

#[expect(unused_variables)]
#[retry(stop = attempts(3), wait = none(), on = any_error())]
pub(crate) async fn unused_argument_async(text: &str, unused: String) -> Result<usize, Busy> {
    ask_slowly(text).await
}

#[retry(stop = attempts(3), wait = none(), on = any_error())]
#[expect(unused_variables)]
pub(crate) async fn unused_local(text: &str) -> Result<usize, Busy> {
    let unused = 1;
    ask_slowly(text).await
}

#[retry(stop = attempts(3), wait = none(), on = any_error())]
pub(crate) fn unused_on_the_argument(
    text: &str,
    #[expect(unused_variables)] unused: u32,
) -> Result<usize, Busy> {
    ask(text)
}

#[expect(unused_variables)]
#[retry(stop = attempts(3), wait = none(), on = any_error())]
pub(crate) fn unused_in_a_pattern((text, unused): (&str, u32)) -> Result<usize, Busy> {
    ask(text)
}

#[expect(unused_variables)]
#[retry(stop = attempts(3), wait = none(), on = any_error())]
pub(crate) fn unused_boxed(
    text: &'static str,
    unused: u32,
) -> BoxFuture<'static, Result<usize, Busy>> {
    Box::pin(async move { ask_slowly(text).await })
}

#[expect(dead_code)]
#[retry(stop = attempts(3), wait = none(), on = any_error())]
fn dead(text: &str) -> Result<usize, Busy> {
    ask(text)
}

#[retry(stop = attempts(3), wait = none(), on = any_error())]
#[expect(dead_code)]
async fn dead_async(text: &str) -> Result<usize, Busy> {
    ask_slowly(text).await
}

#[expect(dead_code)]
#[retry(stop = attempts(3), wait = none(), on = any_error())]
fn dead_boxed(text: &'static str) -> BoxFuture<'static, Result<usize, Busy>> {
    Box::pin(async move { ask_slowly(text).await })
}

pub(crate) struct Client;

impl Client {
    #[expect(dead_code)]
    #[retry(stop = attempts(3), wait = none(), on = any_error())]
    async fn dead_method(&self, text: &str) -> Result<usize, Busy> {
        ask_slowly(text).await
    }

    #[expect(clippy::unused_self)]
    #[retry(stop = attempts(3), wait = none(), on = any_error())]
    pub(crate) fn unused_self(&self, text: &str) -> Result<usize, Busy> {
        ask(text)
    }
}

#[expect(unused_mut)]
#[retry(stop = attempts(3), wait = none(), on = any_error())]
pub(crate) fn never_mutated(mut length: usize) -> Result<usize, Busy> {
    ask("text").map(|n| n.max(length))
}

#[expect(unused_mut)]
#[retry(stop = attempts(3), wait = none(), on = any_error())]
pub(crate) fn never_mutated_local(text: &str) -> Result<usize, Busy> {
    let mut length = ask(text)?;
    Ok(length)
}

#[expect(unused_mut)]
#[retry(stop = attempts(3), wait = none(), on = any_error())]
pub(crate) async fn never_mutated_local_async(text: &str) -> Result<usize, Busy> {
    let mut length = ask_slowly(text).await?;
    Ok(length)
}

#[expect(unused_mut)]
#[retry(stop = attempts(3), wait = none(), on = any_error(), clone(text))]
pub(crate) fn never_mutated_clone(mut text: String) -> Result<usize, Busy> {
    ask(&text)
}

#[expect(unused_must_use)]
#[retry(stop = attempts(3), wait = none(), on = any_error())]
pub(crate) fn unused_result(text: &str) -> Result<usize, Busy> {
    ask(text);
    ask(text)
}

#[expect(unreachable_code)]
#[retry(stop = attempts(3), wait = none(), on = any_error())]
pub(crate) fn unreachable(text: &str) -> Result<usize, Busy> {
    return ask(text);
    Err(Busy)
}

#[expect(unreachable_code)]
#[retry(stop = attempts(3), wait = none(), on = any_error())]
pub(crate) async fn unreachable_async(text: &str) -> Result<usize, Busy> {
    return ask_slowly(text).await;
    Err(Busy)
}

#[expect(unused_assignments, unused_variables)]
#[retry(stop = attempts(3), wait = none(), on = any_error())]
pub(crate) async fn unused_assignment(text: &str) -> Result<usize, Busy> {
    let mut length = 0;
    length = 1;
    ask_slowly(text).await
}

#[expect(clippy::needless_question_mark)]
#[retry(stop = attempts(3), wait = none(), on = any_error())]
pub(crate) fn needless_question_mark(text: &str) -> Result<usize, Busy> {
    Ok(ask(text)?)
}

#[expect(clippy::needless_question_mark)]
#[retry(stop = attempts(3), wait = none(), on = any_error())]
pub(crate) async fn needless_question_mark_async(text: &str) -> Result<usize, Busy> {
    Ok(ask_slowly(text).await?)
}

#[expect(clippy::let_and_return)]
#[retry(stop = attempts(3), wait = none(), on = any_error())]
pub(crate) fn let_and_return(text: &str) -> Result<usize, Busy> {
    let result = ask(text);
    result
}

#[expect(clippy::len_zero)]
#[retry(stop = attempts(3), wait = none(), on = |_| text.len() == 0)]
pub(crate) fn in_a_key(text: &str) -> Result<usize, Busy> {
    ask(text)
}

#[expect(clippy::needless_pass_by_value)]
#[retry(stop = attempts(3), wait = none(), on = any_error())]
pub(crate) fn by_value(text: String) -> Result<usize, Busy> {
    ask(&text)
}

#[expect(clippy::too_many_arguments)]
#[retry(stop = attempts(3), wait = none(), on = any_error())]
pub(crate) async fn many_arguments(
    text: &str,
    _: u8,
    _: u8,
    _: u8,
    _: u8,
    _: u8,
    _: u8,
    _: u8,
) -> Result<usize, Busy> {
    ask_slowly(text).await
}

#[expect(clippy::large_types_passed_by_value)]
#[retry(stop = attempts(3), wait = none(), on = any_error())]
pub(crate) fn large(array: [u8; 1024]) -> Result<usize, Busy> {
    ask("text").map(|length| length.max(array.len()))
}

#[expect(deprecated)]
#[retry(stop = attempts(3), wait = none(), on = any_error())]
pub(crate) fn deprecated(text: &str) -> Result<usize, Busy> {
    old(text)
}

#[deprecated]
#[retry(stop = attempts(3), wait = none(), on = any_error())]
fn old(text: &str) -> Result<usize, Busy> {
    ask(text)
}

#[must_use = "of the function"]
#[retry(stop = attempts(3), wait = none(), on = output(|n| *n == 0))]
pub(crate) fn must_be_used(text: &str) -> usize {
    text.len()
}

#[expect(unused_must_use)]
pub(crate) fn does_not_use() {
    must_be_used("text");
}
