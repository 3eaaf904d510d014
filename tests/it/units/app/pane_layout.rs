//! Tests of `src/app/pane/layout.rs`.

use ratatui::layout::Size;
use turnwise::app::pane::*;

#[test]
fn panes_never_overlap_and_never_leave_the_screen() {
    for columns in 40..230 {
        for focus in Focus::ALL {
            for side in [Focus::Dialogs, Focus::Details] {
                let size = Size::new(columns, 20);
                let side = if focus == Focus::Transcript { side } else { focus };
                let layout = Layout::new(size, focus, side, true).expect("room");
                let panes = [layout.dialogs, layout.transcript, layout.details];
                let mut used = 0;
                for pane in panes.into_iter().filter(|pane| !pane.is_empty()) {
                    assert!(pane.x >= used, "{columns} {focus:?}");
                    used = pane.right();
                    assert!(used <= columns);
                }
                assert!(!layout.pane(focus).is_empty());
            }
        }
    }
    assert_eq!(Layout::new(Size::new(39, 20), Focus::Dialogs, Focus::Dialogs, true), None);
}
