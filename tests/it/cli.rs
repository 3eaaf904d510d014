//! The command line as its users know it: arguments in, text and exit codes out.

use crate::support::{project, run};

#[test]
fn no_line_of_a_shown_dialog_is_too_long_or_ends_in_spaces() {
    for file in ["taskmaster-1.json", "taskmaster-3.json", "taskmaster-4.json", "sim-m.json"] {
        let path = project("assets/demo").join(file);
        for columns in [76, 80, 100] {
            let ran = run(&["show", path.to_str().unwrap(), "--width", &columns.to_string()]);
            for line in ran.out.lines() {
                assert!(turnwise::text::width(line) <= columns, "{file} {columns}: {line}");
                assert_eq!(line.trim_end(), line);
            }
        }
    }
}
