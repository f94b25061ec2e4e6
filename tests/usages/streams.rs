//! Streams and downloads.

use std::io;
use std::pin::{Pin, pin};
use std::task::{Context, Poll};
use std::time::Duration;

use retry::{Pace, Schedule, Step, StopReason, Verdict, policy, record, retry, stop};
use tokio::time::{Instant, Sleep, sleep};

use crate::support::{ms, secs};

/// A stream around another that ends its outages: it waits after an error, and an item says that all is well.
#[tokio::test(start_paused = true)]
async fn a_watcher_that_backs_off_between_errors_and_starts_anew_at_an_item() {
    type Item = Result<u32, &'static str>;
    struct Watch {
        items: std::vec::IntoIter<Item>,
        schedule: Schedule<Pace<stop::Unbounded>>,
        pause: Option<Pin<Box<Sleep>>>,
        waits: Vec<Duration>,
    }
    impl Watch {
        fn poll_next(&mut self, cx: &mut Context<'_>) -> Poll<Option<Item>> {
            if let Some(pause) = &mut self.pause {
                if pause.as_mut().poll(cx).is_pending() {
                    return Poll::Pending;
                }
                self.pause = None;
            }
            let item = self.items.next();
            match &item {
                Some(Ok(_)) => self.schedule.reset(),
                Some(Err(_)) => {
                    let now = Instant::now().into_std();
                    if let Step::Wait(delay) = self.schedule.failed_with_at(now, Verdict::Retry) {
                        self.waits.push(delay);
                        self.pause = Some(Box::pin(sleep(delay)));
                    }
                }
                None => {}
            }
            Poll::Ready(item)
        }
    }
    let policy = policy! { forever, wait = exponential(800ms).cap(30s) };
    let mut watch = Watch {
        items: vec![Err("a"), Err("b"), Ok(1), Err("c"), Ok(2)].into_iter(),
        schedule: policy.into_schedule(),
        pause: None,
        waits: Vec::new(),
    };
    let start = Instant::now();
    let mut seen = Vec::new();
    while let Some(item) = std::future::poll_fn(|cx| watch.poll_next(cx)).await {
        seen.push(item);
    }
    assert_eq!(seen, [Err("a"), Err("b"), Ok(1), Err("c"), Ok(2)]);
    assert_eq!(watch.waits, [800, 1600, 800].map(ms));
    assert_eq!(start.elapsed(), ms(3200));
}

/// A body is read on from where it broke, by the same call that asks for it: the attempts of both are counted
/// together, and what was read is not read again.
#[tokio::test(start_paused = true)]
async fn a_download_that_goes_on_where_it_broke() {
    type Chunks = &'static [Result<u8, io::ErrorKind>];
    struct Store(Vec<Chunks>);
    #[retry(stop = attempts(4), wait = fixed(1s), on = transient(), idempotent)]
    async fn download(
        store: &mut Store,
        data: &mut Vec<u8>,
        from: &mut Vec<usize>,
    ) -> io::Result<()> {
        from.push(data.len());
        for chunk in store.0.remove(0) {
            data.push((*chunk)?);
        }
        Ok(())
    }
    const CUT: Result<u8, io::ErrorKind> = Err(io::ErrorKind::ConnectionReset);
    const REFUSED: Result<u8, io::ErrorKind> = Err(io::ErrorKind::ConnectionRefused);
    let first: Chunks = &[Ok(1), Ok(2), CUT];
    let mut store = Store(vec![first, &[REFUSED], &[Ok(3), CUT], &[Ok(4)]]);
    let (mut data, mut from) = (Vec::new(), Vec::new());
    let (outcome, reports) = record(download(&mut store, &mut data, &mut from)).await;
    outcome.unwrap();
    assert_eq!((data, from), (vec![1, 2, 3, 4], vec![0, 2, 2, 3]));
    assert_eq!(reports[0].attempts(), 4);
}

/// A page that comes gives all attempts back, so that a long listing may be broken more often than a page may.
#[tokio::test(start_paused = true)]
async fn a_listing_whose_every_page_has_all_the_attempts() {
    #[retry(stop = attempts(3), wait = exponential(1s), on = any_error())]
    async fn list(
        answers: &mut dyn Iterator<Item = Option<u32>>,
        pages: &mut Vec<u32>,
    ) -> Result<(), ()> {
        for answer in &mut *answers {
            pages.push(answer.ok_or(())?);
            retry::current().unwrap().progress();
        }
        Ok(())
    }
    let answers = [None, None, Some(1), None, Some(2), None, None, Some(3)];
    let mut pages = Vec::new();
    let (outcome, reports) = record(list(&mut answers.into_iter(), &mut pages)).await;
    assert_eq!((outcome, pages), (Ok(()), vec![1, 2, 3]));
    assert!(reports[0].delays().eq([1, 2, 1, 1, 2].map(secs)));
    // Three failures of one page are too many, and the one after a page is the first of them.
    let answers = [Some(1), None, None, None, Some(2)];
    let (outcome, reports) = record(list(&mut answers.into_iter(), &mut Vec::new())).await;
    assert_eq!((outcome, reports[0].reason()), (Err(()), StopReason::Attempts));
    assert_eq!(reports[0].attempts(), 3);
}

/// A large object that still comes is healthy, however long it takes; one that hangs is cut and read on.
#[tokio::test(start_paused = true)]
async fn a_large_object_is_cut_only_where_it_hangs() {
    #[retry(
        stop = attempts(3),
        wait = fixed(1s),
        attempt_timeout = idle(10s),
        idempotent,
    )]
    async fn fetch(gaps: &mut std::vec::IntoIter<u64>, read: &mut u32) -> io::Result<u32> {
        for gap in &mut *gaps {
            sleep(secs(gap)).await;
            *read += 1;
            retry::current().unwrap().progress();
        }
        Ok(*read)
    }
    let start = Instant::now();
    let read = pin!(fetch(&mut vec![9, 9, 9, 60, 9, 9].into_iter(), &mut 0)).await;
    assert_eq!(read.unwrap(), 5);
    assert_eq!(start.elapsed(), secs(3 * 9 + 10 + 1 + 2 * 9));
}
