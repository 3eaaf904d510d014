//! Tests of `src/votes/spans/matching.rs`.

use turnwise::votes::spans::*;

fn weight(pairs: &[WeighedPair]) -> f64 {
    pairs.iter().map(|pair| pair.weight).sum()
}

/// The greatest weight, by trying all matchings.
fn by_trying(pairs: &[WeighedPair]) -> f64 {
    let Some((first, rest)) = pairs.split_first() else {
        return 0.0;
    };
    let free = rest.iter().copied();
    let free = free.filter(|pair| pair.one != first.one && pair.other != first.other);
    let with = first.weight + by_trying(&free.collect::<Vec<_>>());
    with.max(by_trying(rest))
}

#[test]
fn the_best_matching_is_that_found_by_trying_all() {
    let mut state = 7_u64;
    let mut random = |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 33) % below
    };
    for _ in 0..300 {
        let (ones, others) = (1 + random(5), 1 + random(5));
        let mut pairs = Vec::new();
        for one in 0..ones as usize {
            for other in 0..others as usize {
                if random(3) > 0 {
                    let weight = (1 + random(20)) as f64 / 4.0;
                    pairs.push(WeighedPair { one, other, weight });
                }
            }
        }
        let best = best_matching(&pairs);
        assert_eq!(Some(weight(&best)), Some(by_trying(&pairs)), "{pairs:?}");
        let ones = distinct(best.iter().map(|pair| pair.one));
        let others = distinct(best.iter().map(|pair| pair.other));
        assert_eq!((ones.len(), others.len()), (best.len(), best.len()));
    }
}
