//! Tests of `src/judging/assignment.rs`.

use std::collections::HashSet;
use turnwise::judging::*;

#[test]
fn dialogs_are_divided_with_a_shared_part() {
    let ids: Vec<String> = (0..100).map(|number| format!("d{number}")).collect();
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    let division = Division { per: 20, overlap: 0.25, seed: 7 };
    let all = division.divide(&ids, 3).unwrap();
    let sets: Vec<HashSet<usize>> =
        all.iter().map(|of_one| of_one.iter().copied().collect()).collect();
    assert!(sets.iter().all(|set| set.len() == 20));
    for (one, other) in [(0, 1), (0, 2), (1, 2)] {
        assert_eq!(sets[one].intersection(&sets[other]).count(), 5);
    }
    assert_eq!(division.needed(3), 50);
    assert_eq!(division.divide(&ids, 3).unwrap(), all);
    assert_ne!(Division { seed: 8, ..division }.divide(&ids, 3).unwrap(), all);
    assert!(division.divide(&ids[..49], 3).is_none());
    assert!(division.divide(&ids[..50], 3).is_some());
    let alike = Division { overlap: 1.0, ..division };
    assert_eq!(alike.divide(&ids[..20], 9).unwrap().len(), 9);
}
