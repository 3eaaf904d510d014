//! The page in a browser: no data breaks out of it, it fits into any window, and asks for nothing.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::json;

use crate::support::hostile::HOSTILE;
use crate::support::{project, run, run_in, scratch};

/// Texts that would end an attribute, an element or a comment of a page.
const BREAKING: [&str; 6] = [
    "<script>alert(1)</script>",
    "\"><img src=x onerror=alert(1)>",
    "'/><svg onload=alert(1)>",
    "--></style></title><b>",
    "&lt;b&gt;",
    "]]>\u{202e}desrever\u{2066}",
];

/// Returns a corpus in which everything that can be named has a name of `names`.
fn corpus(names: &[String]) -> String {
    let dialogs: Vec<_> = names
        .iter()
        .map(|name| {
            let turn = json!({
                "index": 0, "speaker": name, "text": name,
                "segments": [{"start_index": 0, "end_index": 3, "text": name, "annotations": [{"name": name}]}],
                "apis": [{"name": name, "args": {name: name}, "index": 0, "response": {name: name}}],
            });
            json!({"conversation_id": name, "instruction_id": name, "utterances": [turn]})
        })
        .collect();
    json!(dialogs).to_string()
}

#[test]
fn no_name_breaks_out_of_a_page() {
    let folder = scratch();
    let names = BREAKING.iter().chain([&HOSTILE]);
    let names: Vec<_> = names.map(|name| (*name).to_owned()).collect();
    let file = "<b>&'\"`|*.json";
    fs::write(folder.path().join(file), corpus(&names)).unwrap();
    let page = run_in(folder.path(), &["report", file], "").out;
    for breaking in ["<script", "<img", "onload=alert(1)>", "</style></title>", "<b>"] {
        assert!(!page.contains(breaking), "{breaking}");
    }
    let is_control = |c: char| {
        c != '\n'
            && (c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'))
    };
    assert!(!page.contains(is_control));
    let arguments = ["show", file, "--format", "html", "--dialog", "0"];
    let shown = run_in(folder.path(), &arguments, "").out;
    for breaking in ["<script", "<img", "onload=alert(1)>", "</style></title>"] {
        assert!(!shown.contains(breaking), "{breaking}");
    }
    assert!(!shown.contains(is_control));
    for format in ["md", "latex"] {
        let text = run_in(folder.path(), &["report", file, "--format", format], "").out;
        assert!(!text.contains(is_control) && !text.contains("\n<"), "{text}");
    }
}

#[test]
fn the_page_of_a_dialog_says_what_its_text_says() {
    let demo = project("assets/demo");
    for more in [&[][..], &["--full", "--problems"]] {
        let show = |format| {
            let arguments = ["show", demo.to_str().unwrap(), "--format", format];
            run(&[&arguments, more].concat()).out
        };
        let page = show("html");
        let (_, body) = page.split_once("<main>").unwrap();
        let pieces = body.split('<').map(|piece| piece.split_once('>').map_or(piece, |(_, t)| t));
        let mut page = pieces.collect::<String>();
        for (written, sign) in
            [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")]
        {
            page = page.replace(written, sign);
        }
        let lines = |text: &str| -> Vec<String> {
            let lines = text.lines().map(|line| line.trim_end().to_owned());
            lines.filter(|line| !line.is_empty()).collect()
        };
        let names = |line: &String| !line.starts_with(demo.to_str().unwrap());
        let text: Vec<_> = lines(&show("text")).into_iter().filter(names).collect();
        assert_eq!(lines(&page), text);
    }
}

#[test]
fn a_page_of_very_many_names_has_less_than_a_megabyte() {
    let folder = scratch();
    let turn = |number: usize| {
        let label = format!("{number}{}", "\"<&>'".repeat(40));
        json!({
            "index": number % 10, "speaker": label, "text": "<&>".repeat(100),
            "segments": [{"start_index": 0, "end_index": 3, "text": label, "annotations": [{"name": label}]}],
            "apis": [{"name": label, "args": {label.clone(): label}, "index": 0}],
        })
    };
    let dialog = |number: usize| {
        let turns: Vec<_> = (0..10).map(|i| turn(10 * number + i)).collect();
        json!({"conversation_id": format!("d{number}"), "instruction_id": "x", "utterances": turns})
    };
    let all: Vec<_> = (0..120).map(dialog).collect();
    fs::write(folder.path().join("many.json"), json!(all).to_string()).unwrap();
    let ran = run_in(folder.path(), &["report", "many.json"], "");
    assert!(ran.out.len() < 1_000_000, "{}", ran.out.len());
    assert!(ran.out.contains("and 1,170 more"), "{}", ran.err);
}

/// The browser, if there is one.
fn browser() -> Option<PathBuf> {
    let names = ["chromium", "chromium-browser", "google-chrome"];
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut places =
        std::env::split_paths(&path).flat_map(|folder| names.map(|name| folder.join(name)));
    places.find(|place| place.is_file())
}

fn browsed(browser: &Path, folder: &Path, arguments: &[&str]) -> (String, String) {
    let ran = Command::new(browser)
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--enable-logging=stderr",
        ])
        .arg(format!("--user-data-dir={}", folder.join("browser").display()))
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&ran.stdout), text(&ran.stderr))
}

/// Needs a browser, so the gate runs it apart from `cargo test`.
#[test]
#[ignore = "needs a browser"]
fn a_page_fits_into_windows_and_asks_for_nothing() {
    let Some(browser) = browser() else {
        eprintln!("SKIPPED: there is no chromium, so no page was opened");
        return;
    };
    let folder = scratch();
    let demo = project("assets/demo");
    let page = run(&["report", demo.to_str().unwrap()]).out;
    for loaded in ["src=", "url(", "@import", "<script", "href=\"http"] {
        assert!(!page.contains(loaded), "{loaded}");
    }
    // The page itself has no script; this one measures it.
    let measured = "<script>document.title = 'WIDTHS ' + document.documentElement.scrollWidth + ' ' + innerWidth</script></body>";
    fs::write(folder.path().join("page.html"), page.replace("</body>", measured)).unwrap();
    for width in [400, 900, 1600] {
        let window = format!("--window-size={width},1000");
        let (dom, log) = browsed(&browser, folder.path(), &[&window, "--dump-dom", "page.html"]);
        let widths = dom.split("<title>WIDTHS ").nth(1).unwrap_or_else(|| panic!("{log}"));
        let widths: Vec<u32> =
            widths.split('<').next().unwrap().split(' ').map(|n| n.parse().unwrap()).collect();
        assert!(widths[0] <= widths[1], "{width}: {widths:?}");
        assert!(!log.contains("CONSOLE"), "{log}");
    }
    browsed(&browser, folder.path(), &["--print-to-pdf=page.pdf", "page.html"]);
    let pdf = fs::read(folder.path().join("page.pdf")).unwrap();
    assert!(pdf.starts_with(b"%PDF") && pdf.len() > 10_000);
}

/// Relative luminance, as WCAG 2.1 defines it.
fn luminance(colour: &str) -> f64 {
    let digits = colour.trim_start_matches('#');
    let digits: String = if digits.len() == 3 {
        digits.chars().flat_map(|c| [c, c]).collect()
    } else {
        digits.to_owned()
    };
    let channel = |at: usize| {
        let value = f64::from(u8::from_str_radix(&digits[at..at + 2], 16).unwrap()) / 255.0;
        if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    };
    0.2126 * channel(0) + 0.7152 * channel(2) + 0.0722 * channel(4)
}

fn contrast(one: &str, other: &str) -> f64 {
    let (one, other) = (luminance(one), luminance(other));
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

#[test]
fn text_has_enough_contrast_in_light_and_dark() {
    let demo = project("assets/demo/sim-m.json");
    let page = run(&["report", demo.to_str().unwrap()]).out;
    let schemes: Vec<_> =
        page.split("--paper:").skip(1).map(|rest| rest.split('}').next().unwrap()).collect();
    assert_eq!(schemes.len(), 2);
    for scheme in schemes {
        let colour = |name: &str| {
            let rest = scheme.split(&format!("--{name}:")).nth(1).unwrap();
            rest.split([';', '}']).next().unwrap()
        };
        let paper = scheme.split(';').next().unwrap();
        for text in ["ink", "soft", "a"] {
            assert!(contrast(colour(text), paper) >= 4.5, "{text} on {paper}");
        }
        assert!(contrast(colour("ink"), colour("mark")) >= 4.5);
        for bar in ["a", "b", "c"] {
            assert!(contrast(colour(bar), paper) >= 3.0, "{bar} on {paper}");
        }
    }
}
