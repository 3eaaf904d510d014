//! Tests of `src/view/colours.rs`.

use ratatui::style::Color;
use turnwise::view::*;

#[test]
fn colours_come_down_to_what_the_terminal_has() {
    let shown = |colours: Colours| colours.nearest(Color::Rgb(240, 80, 80));
    assert_eq!(shown(Colours::Basic16), Some(Color::LightRed));
    assert_eq!(shown(Colours::Indexed256), Some(Color::Indexed(16 + 36 * 5 + 6 + 1)));
    assert_eq!(shown(Colours::None), None);
}
