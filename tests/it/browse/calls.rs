//! A turn with many calls: which one is wrong, and folding each of them.

use turnwise::app::Effect;

use super::Driver;

/// A turn with three parallel calls, the second of which has an argument that the tool does not declare.
fn parallel() -> Driver {
    let call = |number: usize, name: &str, arguments: &str| {
        format!(
            "{{\"id\":\"c{number}\",\"type\":\"function\",\"function\":{{\"name\":\"{name}\",\
             \"arguments\":\"{arguments}\"}}}}"
        )
    };
    let city = |name: &str| format!("{{\\\"city\\\":\\\"{name}\\\"}}");
    let wrong = "{\\\"city\\\":\\\"Ghent\\\",\\\"town\\\":\\\"Ghent\\\"}";
    let calls = [
        call(0, "weather", &city("Bruges")),
        call(1, "weather", wrong),
        call(2, "weather", &city("Ypres")),
    ];
    let answer = |number: usize| {
        format!(
            "{{\"role\":\"tool\",\"tool_call_id\":\"c{number}\",\"content\":\"{{\\\"sky\\\":\\\"{}\\\"}}\"}}",
            "grey, with a chance of herons over the canal, ".repeat(6)
        )
    };
    let tools = "[{\"type\":\"function\",\"function\":{\"name\":\"weather\",\"parameters\":{\"type\":\"object\",\
                 \"properties\":{\"city\":{\"type\":\"string\"}},\"required\":[\"city\"],\
                 \"additionalProperties\":false}}}]";
    let text = format!(
        "{{\"messages\":[{{\"role\":\"user\",\"content\":\"Weather?\"}},{{\"role\":\"assistant\",\"content\":null,\
         \"tool_calls\":[{}]}},{},{},{},{{\"role\":\"assistant\",\"content\":\"Grey.\"}}],\"tools\":{tools}}}\n",
        calls.join(","),
        answer(0),
        answer(1),
        answer(2)
    );
    let mut driver = Driver::open(&[("chat.jsonl", text)], 200, 60);
    driver.press("w t g");
    driver
}

/// The rows of the transcript that begin with a text.
fn rows<'s>(screen: &'s str, text: &str) -> Vec<&'s str> {
    let rows = screen.lines().filter_map(|line| line.split('│').nth(1));
    rows.filter(|row| row.trim().starts_with(text)).collect()
}

#[test]
fn the_wrong_call_carries_the_mark_and_the_details_open_on_it() {
    let mut driver = parallel();
    driver.press("n");
    let screen = driver.screen();
    let calls = rows(&screen, "↳");
    assert_eq!(calls.len(), 3, "{screen}");
    let marked: Vec<_> = calls.iter().map(|row| row.contains("↳ ▲ ")).collect();
    assert_eq!(marked, [false, true, false], "{screen}");
    // In the details, its arguments are marked: JSON in a string is one value.
    let second = screen
        .lines()
        .skip_while(|line| !line.contains("2. weather"));
    let marked = second.filter(|line| line.contains("arguments ▲")).count();
    assert_eq!(marked, 1, "{screen}");
}

#[test]
fn calls_fold_one_by_one_and_responses_alone() {
    let mut driver = parallel();
    let answers = |driver: &Driver| rows(&driver.screen(), "→").len();
    let herons = |driver: &Driver| driver.screen().matches("herons").count();
    let whole = herons(&driver);
    driver.press("z z").shows("responses are one line each");
    assert_eq!(
        (rows(&driver.screen(), "↳").len(), answers(&driver)),
        (3, 3)
    );
    assert!(herons(&driver) < whole);
    driver.shows("more rows");
    driver
        .press("z")
        .shows("calls and their responses are one line each");
    assert_eq!(answers(&driver), 0);
    driver.press("z");
    assert_eq!(answers(&driver), 3);
    // One call alone, in the details.
    driver.press("j f7 z").shows("the call is folded");
    assert_eq!(answers(&driver), 2);
    driver.press("z").shows("the call is shown whole");
    assert_eq!(answers(&driver), 3);
}

/// Presses a key that copies, and returns the copied text and its name in messages.
fn copied(driver: &mut Driver, key: &str) -> (String, String) {
    driver.press(key).shows("asked the terminal to copy the");
    match driver.wanted.pop() {
        Some(Effect::Copy { text, what }) => (text, what),
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_is_selected_is_copied() {
    let pair = |text: &str, what: &str| (text.to_owned(), what.to_owned());
    let mut driver = Driver::demo("taskmaster-3.json", 160, 40);
    let turn = driver.app.panes.transcript.dialog.turns[0].text.clone();
    assert_eq!(copied(&mut driver, "y"), pair(&turn, "text"));
    driver.press("enter W W");
    let words = turn.split_inclusive(' ').take(2).collect::<String>();
    let (text, what) = copied(&mut driver, "y");
    assert_eq!(
        (text.trim_end(), &*what),
        (words.trim_end(), "selected text")
    );
    // Arguments, with the keys in the details.
    driver
        .press("esc esc")
        .press(":")
        .type_text("show_api")
        .press("enter f7 g");
    let t = &driver.app.panes.transcript;
    let calls = t.dialog.turns.iter().flat_map(|turn| &turn.calls);
    let call = calls.clone().next().unwrap().clone();
    let (text, what) = copied(&mut driver, "C-y");
    assert_eq!(what, "JSON of the call");
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(json["name"].as_str(), Some(call.name.as_str()));
    let (mut texts, mut values) = (Vec::new(), Vec::new());
    for _ in 0..4 {
        driver.press("j");
        let (text, what) = copied(&mut driver, "y");
        let (json, also) = copied(&mut driver, "C-y");
        if let Some(name) = what.strip_prefix("value of ") {
            assert_eq!(also, format!("JSON of the {what}"));
            assert_eq!(
                serde_json::from_str::<String>(&json).unwrap(),
                text,
                "{name}"
            );
            values.push(json);
            texts.push((name.to_owned(), text));
        }
    }
    assert!(texts.len() >= 2, "{texts:?}");
    let Some(turnwise::dialog::Payload::Fields(fields)) = &call.arguments else {
        panic!("{call:?}");
    };
    for (name, text) in &texts {
        let mut known = fields.iter();
        assert!(
            known.any(|field| field.name == *name && field.content.as_str() == text),
            "{name}: {text}"
        );
    }
}

#[test]
fn the_text_of_an_answer_is_edited_at_its_call() {
    let mut driver = parallel();
    driver.press("3 g").shows("turn 3 ·").press("e");
    driver.shows("turn 3 is the response to this call of turn 1");
    driver.press("enter").shows("herons");
    assert!(driver.app.overlay.open.is_some());
    driver.press("esc");
    assert_eq!(driver.app.panes.transcript.turn, 1);
}

/// A chat whose tool answers with a list of `flights`.
fn flights(flights: usize) -> Driver {
    let flight = |number: usize| {
        format!("{{\\\"number\\\":{number},\\\"stops\\\":[{{\\\"at\\\":\\\"BRU\\\"}}]}}")
    };
    let list: Vec<_> = (0..flights).map(flight).collect();
    let text = format!(
        "{{\"messages\":[{{\"role\":\"user\",\"content\":\"Flights?\"}},{{\"role\":\"assistant\",\"content\":null,\
         \"tool_calls\":[{{\"id\":\"c\",\"type\":\"function\",\"function\":{{\"name\":\"search\",\
         \"arguments\":\"{{}}\"}}}}]}},{{\"role\":\"tool\",\"tool_call_id\":\"c\",\"content\":\"[{}]\"}}]}}\n",
        list.join(",")
    );
    Driver::open(&[("chat.jsonl", text)], 120, 40)
}

#[test]
fn elements_of_long_lists_are_numbered_and_rows_below_are_counted() {
    let mut driver = flights(60);
    driver.press(":").type_text("show_api").press("enter");
    driver.shows("[0] of 60").shows("[1] of 60");
    // Each flight has four rows.
    let rows = |driver: &Driver| {
        let screen = driver.screen();
        let (before, _) = screen.split_once(" rows below ↓").unwrap();
        before.rsplit(' ').next().unwrap().parse::<usize>().unwrap()
    };
    let before = rows(&driver);
    assert!((240..300).contains(&before), "{before}");
    driver
        .press("f7 G")
        .shows("[59] of 60")
        .shows_not("rows below");
    driver.press("esc");
    // As many as are counted.
    let mut long = flights(600);
    long.press(":").type_text("show_api").press("enter");
    long.shows("1,000+ rows below ↓");
}
