//! Prompts: the text that gets into them, and the text that does not.

use turnwise::app::{Msg, Prompt};

use super::Driver;

/// The text of the open prompt.
fn typed(driver: &Driver) -> String {
    let prompt: &Prompt = driver.app.windows.get().expect("a prompt is open");
    prompt.input.text()
}

#[test]
fn a_prompt_for_a_short_text_stays_one_line() {
    for accept in ["enter", "A-enter", "C-m"] {
        let mut driver = Driver::demo("dbdc/demo_001.log.json", 120, 30);
        driver.press("/").type_text("ab");
        driver.tell(Msg::Paste("c\r\nd\re\tf\u{b}g\u{2028}h".to_owned()));
        driver.press(accept);
        let searched = driver.app.session.searched.last();
        assert_eq!(searched.map(String::as_str), Some("abc d e f g h"), "{accept}");
    }
    // A text of several lines takes line breaks.
    let mut driver = Driver::demo("taskmaster-3.json", 120, 30);
    driver.press("e").type_text("a").press("A-enter");
    driver.tell(Msg::Paste("b\r\nc".to_owned()));
    assert!(typed(&driver).ends_with("a\nb\nc"));
}
