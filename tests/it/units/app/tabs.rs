//! Tests of `src/app/tabs/mod.rs`.

use turnwise::app::tabs::*;

#[test]
fn tabs_are_distinct_and_explained() {
    let mut names: Vec<_> = TABS.iter().map(|tab| tab.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), TABS.len());
    for tab in TABS {
        assert!(tab.doc.len() > 15 && !tab.title.is_empty(), "{}", tab.name);
    }
}
