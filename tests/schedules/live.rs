use super::*;

#[derive(Debug)]
struct Config {
    attempts: Cell<u32>,
    delay: Cell<Duration>,
}

#[tokio::test(start_paused = true)]
async fn a_policy_read_from_live_configuration_follows_it_in_mid_call() {
    struct Service(Config);
    impl Service {
        #[retry(
            stop = attempts(self.0.attempts.get()),
            wait = fixed(self.0.delay.get()),
            on = any_error(),
        )]
        async fn run(&self, log: &mut Log) -> Result<(), u32> {
            let attempt = log.attempt();
            match attempt {
                2 => self.0.delay.set(ms(500)),
                // An operator calls it off.
                5 => self.0.attempts.set(4),
                _ => {}
            }
            Err(attempt)
        }
    }
    let service = Service(Config { attempts: Cell::new(1000), delay: Cell::new(ms(10)) });
    let mut log = Log::new();
    assert_eq!(service.run(&mut log).await, Err(5));
    assert_eq!(log.gaps(), all_ms([10, 500, 500, 500]));
}

#[tokio::test(start_paused = true)]
async fn a_limit_in_time_may_be_extended_while_the_call_runs() {
    #[retry(stop = within(limit.get()), wait = fixed(100ms), on = any_error())]
    async fn call(log: &mut Log, limit: &Cell<Duration>) -> Result<(), u32> {
        let attempt = log.attempt();
        if attempt == 2 {
            limit.set(ms(450));
        }
        Err(attempt)
    }
    let limit = Cell::new(ms(250));
    assert_eq!(call(&mut Log::new(), &limit).await, Err(5));
}

#[test]
fn a_success_evaluates_none_of_the_keys_for_failures() {
    fn never() -> u32 {
        panic!("nothing has failed")
    }
    #[retry(
        stop = attempts(never()),
        wait = fixed(1ms * never()),
        on = |_| never() > 0,
        max_hint = 1ms * never(),
        idempotent = never() > 0,
    )]
    fn call() -> Result<u32, u32> {
        Ok(1)
    }
    assert_eq!(call(), Ok(1));
}

#[test]
fn a_permanent_failure_evaluates_neither_stop_nor_wait() {
    fn never() -> u32 {
        panic!("there is no next attempt")
    }
    #[retry(
        stop = attempts(never()),
        wait = fixed(1ms * never()),
        on = |_| false,
        idempotent = never() > 0,
    )]
    fn call() -> Result<(), u32> {
        Err(1)
    }
    assert_eq!(call(), Err(1));
}

#[test]
fn the_keys_are_evaluated_once_for_every_failure() {
    #[retry(
        stop = { stops.set(stops.get() + 1); attempts(4) },
        wait = { waits.set(waits.get() + 1); none() },
        on = any_error(),
    )]
    fn call(stops: &Cell<u32>, waits: &Cell<u32>) -> Result<(), ()> {
        Err(())
    }
    let (stops, waits) = (Cell::new(0), Cell::new(0));
    assert_eq!(call(&stops, &waits), Err(()));
    assert_eq!((stops.get(), waits.get()), (4, 4));
}

#[test]
fn enabled_is_asked_once_and_false_means_the_plain_body() {
    #[retry(
        stop = attempts(4),
        wait = none(),
        on = any_error(),
        enabled = { asked.set(asked.get() + 1); on },
    )]
    fn call(log: &mut Log, on: bool, asked: &Cell<u32>) -> Result<(), u32> {
        Err(log.attempt())
    }
    let asked = Cell::new(0);
    assert_eq!(call(&mut Log::new(), false, &asked), Err(1));
    assert_eq!(asked.replace(0), 1);
    assert_eq!(call(&mut Log::new(), true, &asked), Err(4));
    assert_eq!(asked.get(), 1);
}
