//! Tests of `src/app/pane/window_space.rs`.

use ratatui::layout::{Rect, Size};
use turnwise::app::pane::window_space::*;

#[test]
fn a_window_is_at_the_bottom_and_as_high_as_its_lines() {
    let space = WindowSpace(Size::new(80, 24));
    assert_eq!(space.frame(3), Rect::new(0, 18, 80, 5));
    assert_eq!(space.frame(99), Rect::new(0, 1, 80, 22));
    assert_eq!(inside(space.frame(3)), Rect::new(1, 19, 78, 3));
    assert_eq!(space.columns(), 78);
    assert_eq!(WindowSpace(Size::new(120, 40)).frame(1), Rect::new(11, 36, 98, 3));
}
