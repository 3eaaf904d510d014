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
}

#[test]
fn text_of_several_lines_takes_line_breaks() {
    let mut driver = Driver::demo("taskmaster-3.json", 120, 30);
    driver.press("e").type_text("a").press("A-enter");
    driver.tell(Msg::Paste("b\r\nc".to_owned()));
    assert!(typed(&driver).ends_with("a\nb\nc"));
}

#[test]
fn id_of_who_judges_can_be_changed_as_soon_as_it_was_given() {
    for corpus in ["dbdc/demo_001.log.json", "taskmaster-3.json", "sim-m.json"] {
        let mut driver = Driver::demo(corpus, 120, 30);
        if corpus != "dbdc/demo_001.log.json" {
            driver.press("V");
        }
        driver.press("space o").shows("your annotator id");
        driver.type_text("mk").press("enter");
        assert_eq!(driver.app.judging.annotator, "mk", "{corpus}");
        for typed in ["annotator", "id"] {
            driver.press(":").type_text(typed).shows(" annotator ");
            driver.press("esc");
        }
        driver.press(":").type_text("annotator").press("enter");
        driver.shows("Your annotator id, now mk").type_text("mk2").press("enter");
        driver.shows("you judge as mk2");
    }
}
