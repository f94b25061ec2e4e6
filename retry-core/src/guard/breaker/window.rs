//! How many calls have failed and how many succeeded of late.

/// How many parts the window has. What is in the oldest leaves at once, so the window is between nine
/// tenths and all of its length.
const PARTS: usize = 10;

/// What has been counted since somebody has last looked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counted {
    pub(crate) failures: u64,
    pub(crate) successes: u64,
}

/// The counts of the last while, in parts by the time.
#[derive(Clone, Debug)]
pub(crate) struct Window {
    parts: [Part; PARTS],
    /// The time up to which everything is in the parts.
    seen: u64,
}

#[derive(Clone, Copy, Debug)]
struct Part {
    /// The time of the part, in widths of one.
    index: u64,
    counted: Counted,
}

impl Window {
    /// Empty, from this time on.
    pub(crate) const fn new(now: u64) -> Self {
        let counted = Counted { failures: 0, successes: 0 };
        Self { parts: [Part { index: 0, counted }; PARTS], seen: now }
    }

    /// Adds what was counted since the last time: the failures now, and the successes evenly over the
    /// time since, as nobody reads a clock for each. Then tells what the window of this length holds.
    pub(crate) fn add(&mut self, counted: Counted, now: u64, length: u64) -> Counted {
        let width = (length / PARTS as u64).max(1);
        let (from, now) = (self.seen, now.max(self.seen));
        let last = now / width;
        let first = (from / width).max(last.saturating_sub(PARTS as u64 - 1));
        let span = u128::from((now - from).max(1));
        // How many of the successes lie before this time.
        let before = |time: u64| {
            let share =
                u128::from(counted.successes) * u128::from(time.saturating_sub(from)) / span;
            u64::try_from(share).unwrap_or(u64::MAX)
        };
        for index in first..=last {
            let start = before(index.saturating_mul(width));
            let end = if index == last { counted.successes } else { before((index + 1) * width) };
            self.part(index).successes += end - start;
        }
        self.part(last).failures += counted.failures;
        self.seen = now;
        self.parts.iter().filter(|part| last.saturating_sub(part.index) < PARTS as u64).fold(
            Counted::default(),
            |sum, part| Counted {
                failures: sum.failures + part.counted.failures,
                successes: sum.successes + part.counted.successes,
            },
        )
    }

    /// The part of this time, emptied if it was another's.
    fn part(&mut self, index: u64) -> &mut Counted {
        #[allow(clippy::cast_possible_truncation)] // below ten
        let part = &mut self.parts[(index % PARTS as u64) as usize];
        if part.index != index {
            *part = Part { index, counted: Counted::default() };
        }
        &mut part.counted
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A window of ten seconds, in milliseconds.
    const LENGTH: u64 = 10_000;

    fn counted(failures: u64, successes: u64) -> Counted {
        Counted { failures, successes }
    }

    #[test]
    fn what_is_older_than_the_window_is_not_in_it() {
        let mut window = Window::new(0);
        assert_eq!(window.add(counted(3, 0), 500, LENGTH), counted(3, 0));
        assert_eq!(window.add(counted(2, 0), 9_999, LENGTH), counted(5, 0));
        assert_eq!(window.add(counted(1, 0), 10_000, LENGTH), counted(3, 0));
        assert_eq!(window.add(counted(1, 0), 18_999, LENGTH), counted(4, 0));
        assert_eq!(window.add(counted(1, 0), 19_000, LENGTH), counted(3, 0));
    }

    #[test]
    fn a_time_without_traffic_empties_all_of_it() {
        // Not one part, so that what was long ago would still count.
        for idle in [10_000, 11_000, 19_000, 20_000, 1_000_000] {
            let mut window = Window::new(0);
            window.add(counted(50, 0), 0, LENGTH);
            assert_eq!(window.add(counted(1, 0), idle, LENGTH), counted(1, 0), "{idle}");
        }
    }

    #[test]
    fn successes_are_spread_over_the_time_in_which_they_were_counted() {
        let mut window = Window::new(500);
        // Ten a second from half a second on; the failure is the first to read the time.
        assert_eq!(window.add(counted(1, 45), 5_000, LENGTH), counted(1, 45));
        assert_eq!(window.add(counted(0, 50), 10_000, LENGTH), counted(1, 90));
        assert_eq!(window.add(counted(0, 50), 15_000, LENGTH), counted(0, 90));
    }

    #[test]
    fn of_a_longer_time_only_the_share_in_the_window_counts() {
        let mut window = Window::new(0);
        // An hour of health, one call a second.
        assert_eq!(window.add(counted(1, 3_600), 3_600_000, LENGTH), counted(1, 9));
        let mut window = Window::new(0);
        assert_eq!(window.add(counted(1, 3_600), 3_600_999, LENGTH), counted(1, 10));
    }

    #[test]
    fn times_that_go_backwards_or_stand_still_lose_nothing() {
        let mut window = Window::new(5_000);
        assert_eq!(window.add(counted(1, 7), 5_000, LENGTH), counted(1, 7));
        assert_eq!(window.add(counted(1, 7), 0, LENGTH), counted(2, 14));
        assert_eq!(window.add(counted(1, 0), u64::MAX, LENGTH), counted(1, 0));
        assert_eq!(window.add(counted(1, 1), u64::MAX, 0), counted(1, 1));
    }
}
