//! What a first-try success costs: the plain call, the same loop written by hand, and the
//! attribute with its counters and its context, sync and async, and by several threads at once,
//! in one run.
//!
//! A harness of its own, since what counts is the difference between three things that take a
//! nanosecond each: they take turns within every round, so that a change of the machine's speed
//! meets all three, and the best round of each is kept.

#![allow(missing_docs, unreachable_pub)] // a program

use std::hint::black_box;
use std::pin::pin;
use std::time::Instant;

mod functions;

use functions::{Outcome, asynchronous, poll, sync};

const ROUNDS: u32 = 200;
const CALLS: u32 = 50_000;

fn main() {
    println!("first-try success, best of {ROUNDS} rounds of {CALLS} calls\n");
    let sync = compare([&mut sync::plain, &mut sync::by_hand, &mut sync::annotated]);
    report("sync", sync);
    let timed = compare([&mut sync::plain, &mut sync::by_hand_timed, &mut sync::annotated_timed]);
    report("sync, `within`", timed);
    let run = compare([
        &mut |x| poll(pin!(asynchronous::plain(x))),
        &mut |x| poll(pin!(asynchronous::by_hand(x))),
        &mut |x| poll(pin!(asynchronous::annotated(x))),
    ]);
    report("async", run);
    threads();
    sizes();
}

/// The same function called by more and more threads at once: what counts the calls must not be
/// what they wait for.
fn threads() {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    println!("sync, threads at once");
    let mut alone = 0.0;
    for threads in (1..=cores).filter(|threads| threads.is_power_of_two() || *threads == cores) {
        let time = (0..ROUNDS / 4).map(|_| at_once(threads)).fold(f64::INFINITY, f64::min);
        if threads == 1 {
            alone = time;
        }
        println!("  {threads:2} of {cores}         {time:6.2} ns  {:5.2} x alone", time / alone);
    }
    println!();
}

/// Nanoseconds a call, of the slowest thread.
fn at_once(threads: usize) -> f64 {
    let start = std::sync::Barrier::new(threads);
    let run = || {
        start.wait();
        let start = Instant::now();
        for x in 0..u64::from(CALLS) {
            let _ = black_box(sync::annotated(black_box(x)));
        }
        start.elapsed().as_secs_f64() * 1e9 / f64::from(CALLS)
    };
    std::thread::scope(|scope| {
        let others: Vec<_> = (0..threads).map(|_| scope.spawn(run)).collect();
        others.into_iter().filter_map(|thread| thread.join().ok()).fold(0.0, f64::max)
    })
}

/// Nanoseconds a call of each, the best of all rounds.
fn compare(mut contestants: [&mut dyn FnMut(u64) -> Outcome; 3]) -> [f64; 3] {
    let mut best = [f64::INFINITY; 3];
    for _ in 0..ROUNDS {
        for (best, call) in best.iter_mut().zip(&mut contestants) {
            let start = Instant::now();
            for x in 0..u64::from(CALLS) {
                let _ = black_box(call(black_box(x)));
            }
            *best = best.min(start.elapsed().as_secs_f64() * 1e9 / f64::from(CALLS));
        }
    }
    best
}

fn report(what: &str, [plain, by_hand, annotated]: [f64; 3]) {
    println!("{what}");
    println!("  plain call      {plain:6.2} ns");
    println!("  loop by hand    {by_hand:6.2} ns  {:5.2} x plain", by_hand / plain);
    println!(
        "  #[retry]        {annotated:6.2} ns  {:5.2} x plain ({:+.2} ns), {:.2} x by hand ({:+.2} ns)\n",
        annotated / plain,
        annotated - plain,
        annotated / by_hand,
        annotated - by_hand
    );
}

fn sizes() {
    let plain = size_of_val(&asynchronous::plain(1));
    let by_hand = size_of_val(&asynchronous::by_hand(1));
    let annotated = size_of_val(&asynchronous::annotated(1));
    println!("future");
    println!("  plain call      {plain:6} bytes");
    println!("  loop by hand    {by_hand:6} bytes");
    #[allow(clippy::cast_precision_loss)]
    let ratio = annotated as f64 / by_hand as f64;
    println!("  #[retry]        {annotated:6} bytes  {ratio:.2} x by hand");
}
