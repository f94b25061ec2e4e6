//! What a call costs in instructions, which do not change with the load of the machine: the plain
//! call, the same loop written by hand, and the attribute. Needs valgrind.
//!
//! Nobody listens: no subscriber, no recorder, no override; the counters are on.

#![allow(missing_docs, unreachable_pub)] // a program

use std::pin::pin;
use std::process::ExitCode;

mod count;
mod functions;

use count::{Case, Way, repeat};
use functions::{asynchronous, poll, sync};

macro_rules! way {
    ($name:literal, async $function:path) => {
        Way { name: $name, run: |calls| repeat(calls, |x| poll(pin!($function(x)))) }
    };
    ($name:literal, $function:path) => {
        Way { name: $name, run: |calls| repeat(calls, $function) }
    };
}

const CASES: &[Case] = &[
    Case {
        name: "sync, first success",
        ways: &[
            way!("plain", sync::plain),
            way!("by hand", sync::by_hand),
            way!("#[retry]", sync::annotated),
        ],
        target: Some(62),
    },
    Case {
        name: "sync, `within`",
        ways: &[
            way!("plain", sync::plain),
            way!("by hand", sync::by_hand_timed),
            way!("#[retry]", sync::annotated_timed),
        ],
        target: Some(95),
    },
    Case {
        name: "async, first success",
        ways: &[
            way!("plain", async asynchronous::plain),
            way!("by hand", async asynchronous::by_hand),
            way!("#[retry]", async asynchronous::annotated),
        ],
        target: Some(115),
    },
    Case {
        name: "sync, guards, first success",
        ways: &[
            way!("without", sync::annotated),
            way!("`budget`", sync::annotated_budget),
            way!("`breaker`", sync::annotated_breaker),
            way!("both", sync::annotated_guarded),
        ],
        target: Some(118),
    },
    Case {
        name: "async, guards, first success",
        ways: &[
            way!("without", async asynchronous::annotated),
            way!("`budget`", async asynchronous::annotated_budget),
            way!("`breaker`", async asynchronous::annotated_breaker),
            way!("both", async asynchronous::annotated_guarded),
        ],
        target: Some(192),
    },
    Case {
        name: "sync, two failures",
        ways: &[
            way!("plain", sync::plain),
            way!("by hand", sync::by_hand_failing),
            way!("#[retry]", sync::annotated_failing),
        ],
        target: Some(600),
    },
    Case {
        name: "async, two failures",
        ways: &[
            way!("plain", async asynchronous::plain),
            way!("by hand", async asynchronous::by_hand_failing),
            way!("#[retry]", async asynchronous::annotated_failing),
        ],
        target: Some(900),
    },
];

fn main() -> ExitCode {
    count::main(CASES)
}
