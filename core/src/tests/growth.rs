//! Compares the time for a large input with the time for a small one: a ratio holds on any machine and in any build. Linux tells how
//! long a thread itself has run, so that other work on the machine does not count.

use std::time::{Duration, Instant};

/// How much larger the large input is.
const TIMES: usize = 4;
/// Between linear growth, which takes four times as long, and quadratic growth, which takes sixteen times as long.
const LIMIT: u32 = 9;

/// How often both times are taken: so often that one of them is undisturbed, and at most.
const ROUNDS: (usize, usize) = (3, 10);

/// Checks that the time of `read` grows linearly from an input of `size` to one of `4 * size`. The shortest of several
/// times is the one that other work has disturbed least; more are taken only while it does not pass.
pub(super) fn grows_linearly(size: usize, read: impl Fn(usize)) {
    let start = Instant::now();
    let ran = || time_of_thread().unwrap_or_else(|| start.elapsed());
    let time = |size| {
        let before = ran();
        read(size);
        ran().saturating_sub(before)
    };
    let mut shortest = [Duration::MAX; 2];
    for round in 1..=ROUNDS.1 {
        shortest = [shortest[0].min(time(size)), shortest[1].min(time(TIMES * size))];
        let [small, large] = shortest;
        if round >= ROUNDS.0 && large < small * LIMIT {
            return;
        }
    }
    let [small, large] = shortest;
    panic!("{size}: {small:?}, {TIMES} times as much: {large:?}");
}

/// How long this thread has run; `None` where the system does not tell.
fn time_of_thread() -> Option<Duration> {
    // Linux counts the time up to now when a thread yields.
    std::thread::yield_now();
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split(' ').next()?.parse().ok().map(Duration::from_nanos)
}

#[test]
fn linear_work_passes() {
    grows_linearly(20_000, |size| {
        assert_eq!(std::hint::black_box(vec![1; size]).iter().sum::<usize>(), size);
    });
}

#[test]
#[should_panic(expected = "4 times as much")]
fn quadratic_work_fails() {
    grows_linearly(300, |size| {
        let pairs = (0..size).flat_map(|one| (0..size).map(move |other| std::hint::black_box(one ^ other)));
        assert!(pairs.max() > Some(0));
    });
}
