use super::*;
use std::sync::Mutex;
use tracing::field::{Field, Visit};
use tracing::{Event, Subscriber};
use tracing_subscriber::layer::{Layer, SubscriberExt};

/// The message, name and error of every event, one line each.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<String>>>);

#[derive(Default)]
struct Line {
    message: String,
    rest: String,
}

impl Visit for Line {
    fn record_str(&mut self, field: &Field, value: &str) {
        self.record_debug(field, &format_args!("{value}"));
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        match field.name() {
            "message" => self.message = format!("{value:?}"),
            "name" | "error" | "reason" => self.rest = format!("{}, {value:?}", self.rest),
            _ => {}
        }
    }
}

impl<S: Subscriber> Layer<S> for Log {
    fn on_event(&self, event: &Event<'_>, _: tracing_subscriber::layer::Context<'_, S>) {
        let mut line = Line::default();
        event.record(&mut line);
        self.0.lock().unwrap().push(line.message + &line.rest);
    }
}

fn logged(run: impl FnOnce()) -> Vec<String> {
    crate::support::listening::surely();
    let log = Log::default();
    tracing::subscriber::with_default(tracing_subscriber::registry().with(log.clone()), run);
    log.0.lock().unwrap().clone()
}

#[test]
fn calls_are_named_after_the_function_that_the_policy_stands_in() {
    let lines = logged(|| {
        let policy = policy! { stop = attempts(2), wait = none() };
        let _: Result<(), _> = policy.call(|| Err(ApiError::Status(404)));
        let mut answers = [Err(ApiError::Busy), Ok(1)].into_iter();
        assert_eq!(policy.call(|| answers.next().unwrap()), Ok(1));
        let _: Result<(), _> = policy.call(|| Err(ApiError::Busy));
    });
    let name = "policies::events::calls_are_named_after_the_function_that_the_policy_stands_in";
    // Nothing of the first: it fails for good at once.
    assert_eq!(
        lines,
        [
            format!("attempt failed, retrying, {name}, Busy"),
            format!("succeeded after retrying, {name}, success"),
            format!("attempt failed, retrying, {name}, Busy"),
            format!("giving up, {name}, attempts, Busy"),
        ]
    );
}

#[test]
fn a_final_failure_after_a_retry_is_told_with_its_name() {
    let lines = logged(|| {
        let policy = policy! { stop = attempts(5), wait = none(), name = "orders.fetch" };
        let mut errors = [ApiError::Busy, ApiError::Status(404)].into_iter();
        let _: Result<(), _> = policy.call(|| Err(errors.next().unwrap()));
    });
    assert_eq!(
        lines,
        [
            "attempt failed, retrying, orders.fetch, Busy",
            "giving up, orders.fetch, permanent, Status(404)"
        ]
    );
}

#[test]
fn a_schedule_logs_nothing() {
    let lines = logged(|| {
        let policy = policy! { stop = attempts(2), wait = none() };
        let mut schedule = policy.schedule();
        while let Step::Wait(_) = schedule.failed(&Err::<(), _>(ApiError::Busy)) {}
    });
    assert_eq!(lines, [""; 0]);
}
