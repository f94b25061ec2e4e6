use super::*;

use retry::Breaker;

/// What is told of the breaker of a call that is opened by its first failure, asked for a probe that
/// fails, and closed by one that succeeds.
#[test]
fn that_changes_says_so_with_how_long_it_is_open() {
    static BREAKER: Breaker =
        Breaker::consecutive(1).open_for(Duration::from_secs(10)).factor(3.0).jitter_factor(0.0);
    #[retry(stop = attempts(2), wait = none(), on = any_error(), breaker = BREAKER, name = "peer")]
    async fn call(fails: bool) -> std::io::Result<()> {
        if fails { Err(std::io::ErrorKind::ConnectionRefused.into()) } else { Ok(()) }
    }
    let events = paused(async {
        for (fails, pause) in [(true, ms(10_000)), (true, ms(30_000)), (false, ms(0))] {
            let _ = call(fails).await;
            tokio::time::sleep(pause).await;
        }
    });
    let changes = events.iter().filter(|event| event.get("to").is_some());
    let changes: Vec<_> =
        changes.map(|it| (it.name(), it.level, it.message().to_owned(), it.rest())).collect();
    let change = |level, message: &str, from, to, open_for: Option<f64>| {
        let open_for = open_for.map(|secs| ("open_for", Value::F64(secs)));
        let rest: Vec<_> =
            [("from", word(from))].into_iter().chain(open_for).chain([("to", word(to))]).collect();
        ("peer", level, message.to_owned(), rest)
    };
    let half_open = || change(Level::INFO, "breaker is half-open", "open", "half_open", None);
    assert_eq!(
        changes,
        [
            change(Level::WARN, "breaker opened", "closed", "open", Some(10.0)),
            half_open(),
            change(Level::WARN, "breaker opened", "half_open", "open", Some(30.0)),
            half_open(),
            change(Level::INFO, "breaker closed", "half_open", "closed", None),
        ]
    );
}
