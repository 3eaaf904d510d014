//! Decodes the next few bytes from a terminal: a key, a mouse action, a focus change.

use crossterm::event::{
    Event, KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};

pub const ESC: u8 = 0x1b;

/// One decoded unit of input.
pub enum InputPiece {
    Event(Event),
    PasteBegins,
    /// The first two bytes of a string, such as the answer to a question about the terminal's colours.
    StringBegins,
    /// A sequence that the program does not use.
    Unknown,
}

/// The characters that begin a string after an escape: OSC, DCS, SOS, PM and APC.
pub const STRINGS: &[u8] = b"]PX^_";

/// Returns the first unit in `bytes` and its length; None if it is incomplete. `more` says whether more
/// may arrive soon; otherwise, a lone escape and the beginning of a string are keys.
pub fn piece(bytes: &[u8], more: bool) -> Option<(usize, InputPiece)> {
    match bytes {
        [] => None,
        [ESC] if more => None,
        [ESC] | [ESC, ESC, ..] => Some((1, key(KeyCode::Esc, KeyModifiers::NONE))),
        [ESC, b'[', rest @ ..] => sequence(rest).map(|(length, piece)| (length + 2, piece)),
        [ESC, b'O', rest @ ..] => {
            let named = final_key(*rest.first()?);
            Some((3, named.map_or(InputPiece::Unknown, |code| key(code, KeyModifiers::NONE))))
        }
        [ESC, begins, ..] if more && STRINGS.contains(begins) => {
            Some((2, InputPiece::StringBegins))
        }
        [ESC, rest @ ..] => {
            let (length, piece) = character(rest)?;
            Some((length + 1, with_alt(piece)))
        }
        _ => character(bytes),
    }
}

fn key(code: KeyCode, modifiers: KeyModifiers) -> InputPiece {
    InputPiece::Event(Event::Key(KeyEvent::new(code, modifiers)))
}

fn with_alt(piece: InputPiece) -> InputPiece {
    match piece {
        InputPiece::Event(Event::Key(event)) => {
            key(event.code, event.modifiers | KeyModifiers::ALT)
        }
        other => other,
    }
}

/// Returns a character, or a control character.
fn character(bytes: &[u8]) -> Option<(usize, InputPiece)> {
    let first = *bytes.first()?;
    let ctrl = |char: u8| key(KeyCode::Char(char.into()), KeyModifiers::CONTROL);
    let plain = |code| key(code, KeyModifiers::NONE);
    let piece = match first {
        b'\r' => plain(KeyCode::Enter),
        b'\t' => plain(KeyCode::Tab),
        0x7f => plain(KeyCode::Backspace),
        0 => ctrl(b' '),
        1..=0x1a => ctrl(first - 1 + b'a'),
        0x1c..=0x1f => ctrl(first - 0x1c + b'4'),
        _ => {
            let end = bytes.len().min(4);
            let text = match std::str::from_utf8(&bytes[..end]) {
                Ok(text) => text,
                Err(error) if error.valid_up_to() > 0 => {
                    std::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or_default()
                }
                // The rest of the character has not arrived yet.
                Err(error) if error.error_len().is_none() => return None,
                Err(_) => "",
            };
            return Some(match text.chars().next() {
                Some(char) => (char.len_utf8(), plain(KeyCode::Char(char))),
                None => (1, InputPiece::Unknown),
            });
        }
    };
    Some((1, piece))
}

/// Decodes an escape sequence; `bytes` follow the escape character.
fn sequence(bytes: &[u8]) -> Option<(usize, InputPiece)> {
    match bytes {
        // Linux console.
        [b'[', rest @ ..] => {
            let piece = match rest.first()? {
                key_1 @ b'A'..=b'E' => key(KeyCode::F(key_1 - b'A' + 1), KeyModifiers::NONE),
                _ => InputPiece::Unknown,
            };
            return Some((2, piece));
        }
        [b'M', rest @ ..] => {
            let [button, column, row] = *rest.first_chunk()?;
            let button = button.saturating_sub(32).into();
            let place = [column, row].map(|place| u16::from(place.saturating_sub(32)));
            return Some((4, mouse(button, place, false)));
        }
        _ => {}
    }
    let end = bytes.iter().position(|byte| !(0x20..=0x3f).contains(byte))?;
    if !(0x40..=0x7e).contains(&bytes[end]) {
        // A broken-off sequence.
        return Some((end, InputPiece::Unknown));
    }
    let parameters = String::from_utf8_lossy(&bytes[..end]);
    let numbers = parameters.trim_start_matches('<').split(';');
    // Numbers after a colon describe event types that the program does not use.
    let numbers: Vec<u16> =
        numbers.map_while(|number| number.split(':').next()?.parse().ok()).collect();
    let modifiers = numbers.get(1).map_or(KeyModifiers::NONE, |mask| modifiers(*mask));
    let known =
        |code: Option<KeyCode>| code.map_or(InputPiece::Unknown, |code| key(code, modifiers));
    let piece = match (bytes[end], numbers.as_slice()) {
        (last @ (b'M' | b'm'), [button, column, row]) => {
            let sgr = parameters.starts_with('<');
            let button = if sgr { *button } else { button.saturating_sub(32) };
            mouse(button, [*column, *row], last == b'm')
        }
        (b'~', [200]) => InputPiece::PasteBegins,
        (b'~', [number, ..]) => known(numbered_key(*number)),
        (b'u', [number, ..]) => known(coded_key(*number)),
        (b'I', []) if parameters.is_empty() => InputPiece::Event(Event::FocusGained),
        (b'O', []) if parameters.is_empty() => InputPiece::Event(Event::FocusLost),
        (b'Z', _) => key(KeyCode::BackTab, modifiers | KeyModifiers::SHIFT),
        // A cursor position report, or F3 in a few terminals.
        (b'R', [_, ..]) => InputPiece::Unknown,
        (_, []) if !parameters.is_empty() => InputPiece::Unknown,
        (last, _) => known(final_key(last)),
    };
    Some((end + 1, piece))
}

/// Returns the key of a sequence that ends in `last`.
fn final_key(last: u8) -> Option<KeyCode> {
    Some(match last {
        b'A' => KeyCode::Up,
        b'B' => KeyCode::Down,
        b'C' => KeyCode::Right,
        b'D' => KeyCode::Left,
        b'F' => KeyCode::End,
        b'H' => KeyCode::Home,
        b'P'..=b'S' => KeyCode::F(last - b'P' + 1),
        _ => return None,
    })
}

/// Returns the key of a sequence with this number that ends in `~`.
fn numbered_key(number: u16) -> Option<KeyCode> {
    Some(match number {
        1 | 7 => KeyCode::Home,
        2 => KeyCode::Insert,
        3 => KeyCode::Delete,
        4 | 8 => KeyCode::End,
        5 => KeyCode::PageUp,
        6 => KeyCode::PageDown,
        11..=15 => KeyCode::F((number - 10) as u8),
        17..=21 => KeyCode::F((number - 11) as u8),
        23..=26 => KeyCode::F((number - 12) as u8),
        28..=29 => KeyCode::F((number - 13) as u8),
        31..=34 => KeyCode::F((number - 14) as u8),
        _ => return None,
    })
}

/// Returns the key of a sequence with this character code that ends in `u`.
fn coded_key(code: u16) -> Option<KeyCode> {
    Some(match code {
        9 => KeyCode::Tab,
        13 => KeyCode::Enter,
        27 => KeyCode::Esc,
        127 => KeyCode::Backspace,
        other => KeyCode::Char(char::from_u32(other.into()).filter(|char| !char.is_control())?),
    })
}

fn modifiers(mask: u16) -> KeyModifiers {
    let bits = mask.saturating_sub(1);
    let all = [(1, KeyModifiers::SHIFT), (2, KeyModifiers::ALT), (4, KeyModifiers::CONTROL)];
    let held = all.iter().filter(|(bit, _)| bits & bit != 0);
    held.fold(KeyModifiers::NONE, |all, (_, held)| all | *held)
}

/// Decodes a mouse action at a column and row, counted from 1.
fn mouse(button: u16, [column, row]: [u16; 2], released: bool) -> InputPiece {
    let (Some(column), Some(row)) = (column.checked_sub(1), row.checked_sub(1)) else {
        return InputPiece::Unknown;
    };
    let named = [MouseButton::Left, MouseButton::Middle, MouseButton::Right];
    let which = named.get(usize::from(button & 3)).copied();
    let kind = match (button & 0xe0, which) {
        (0, Some(which)) if released => MouseEventKind::Up(which),
        (0, Some(which)) => MouseEventKind::Down(which),
        // The terminal does not report which button.
        (0, None) => MouseEventKind::Up(MouseButton::Left),
        (0x20, Some(which)) => MouseEventKind::Drag(which),
        (0x20, None) => MouseEventKind::Moved,
        (0x40, Some(MouseButton::Left)) => MouseEventKind::ScrollUp,
        (0x40, Some(MouseButton::Middle)) => MouseEventKind::ScrollDown,
        _ => return InputPiece::Unknown,
    };
    let modifiers = KeyModifiers::NONE;
    InputPiece::Event(Event::Mouse(MouseEvent { kind, column, row, modifiers }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use KeyModifiers as With;

    /// Decodes `bytes` after which nothing more will arrive.
    fn events(mut bytes: &[u8]) -> Vec<Event> {
        let mut found = Vec::new();
        while let Some((length, piece)) = piece(bytes, false) {
            bytes = &bytes[length..];
            match piece {
                InputPiece::Event(event) => found.push(event),
                InputPiece::PasteBegins | InputPiece::StringBegins => panic!("only keys"),
                InputPiece::Unknown => {}
            }
        }
        found
    }

    fn key(code: KeyCode, held: KeyModifiers) -> Event {
        Event::Key(KeyEvent::new(code, held))
    }

    #[test]
    fn keys_are_what_terminals_send() {
        for (bytes, code, held) in [
            ("j", KeyCode::Char('j'), With::NONE),
            ("世", KeyCode::Char('世'), With::NONE),
            ("\r", KeyCode::Enter, With::NONE),
            ("\n", KeyCode::Char('j'), With::CONTROL),
            ("\t", KeyCode::Tab, With::NONE),
            ("\x7f", KeyCode::Backspace, With::NONE),
            ("\0", KeyCode::Char(' '), With::CONTROL),
            ("\x13", KeyCode::Char('s'), With::CONTROL),
            ("\x1f", KeyCode::Char('7'), With::CONTROL),
            ("\x1b", KeyCode::Esc, With::NONE),
            ("\x1bj", KeyCode::Char('j'), With::ALT),
            ("\x1bé", KeyCode::Char('é'), With::ALT),
            ("\x1b]", KeyCode::Char(']'), With::ALT),
            ("\x1bP", KeyCode::Char('P'), With::ALT),
            ("\x1b\x7f", KeyCode::Backspace, With::ALT),
            ("\x1b[A", KeyCode::Up, With::NONE),
            ("\x1bOB", KeyCode::Down, With::NONE),
            ("\x1b[1;5C", KeyCode::Right, With::CONTROL),
            ("\x1b[1;4D", KeyCode::Left, With::SHIFT.union(With::ALT)),
            ("\x1b[H", KeyCode::Home, With::NONE),
            ("\x1b[4~", KeyCode::End, With::NONE),
            ("\x1b[3;2~", KeyCode::Delete, With::SHIFT),
            ("\x1b[5~", KeyCode::PageUp, With::NONE),
            ("\x1b[Z", KeyCode::BackTab, With::SHIFT),
            ("\x1bOP", KeyCode::F(1), With::NONE),
            ("\x1b[[E", KeyCode::F(5), With::NONE),
            ("\x1b[15~", KeyCode::F(5), With::NONE),
            ("\x1b[17~", KeyCode::F(6), With::NONE),
            ("\x1b[24~", KeyCode::F(12), With::NONE),
            ("\x1b[34~", KeyCode::F(20), With::NONE),
            ("\x1b[115;5u", KeyCode::Char('s'), With::CONTROL),
        ] {
            assert_eq!(events(bytes.as_bytes()), [key(code, held)], "{bytes:?}");
        }
        assert_eq!(events("a\x1b[Bé".as_bytes()).len(), 3);
        assert_eq!(events("\x1b\x1b[A".as_bytes()).len(), 2);
    }

    #[test]
    fn unrequested_answers_are_ignored() {
        for odd in [
            "\x1b[99;99R",
            "\x1b[?1;2c",
            "\x1b[>0;1;2c",
            "\x1b[35~",
            "\x1bOz",
            "\x1b[201~",
            "\x1b[<0;0;0M",
            "\x1b[M   ",
            "\x1b[<1M",
            "\x1b[;;;A",
            "\x1b[1;2",
            "\x1b[[Z",
            "\x1b[99999999~",
        ] {
            assert_eq!(events(odd.as_bytes()), [], "{odd:?}");
        }
        // A key breaks off the sequence.
        assert_eq!(events("\x1b[1;\x1b[A".as_bytes()), [key(KeyCode::Up, With::NONE)]);
        let bytes = b"\xff\xc3(\xf0\x9f\x98";
        assert_eq!(events(bytes), [key(KeyCode::Char('('), With::NONE)]);
    }

    #[test]
    fn mouse_and_focus_are_reported() {
        let mouse = |kind, column, row| {
            let modifiers = With::NONE;
            Event::Mouse(MouseEvent { kind, column, row, modifiers })
        };
        let left = MouseButton::Left;
        for (bytes, kind) in [
            ("\x1b[<0;3;2M", MouseEventKind::Down(left)),
            ("\x1b[<0;3;2m", MouseEventKind::Up(left)),
            ("\x1b[<32;3;2M", MouseEventKind::Drag(left)),
            ("\x1b[<35;3;2M", MouseEventKind::Moved),
            ("\x1b[<64;3;2M", MouseEventKind::ScrollUp),
            ("\x1b[<65;3;2M", MouseEventKind::ScrollDown),
            ("\x1b[32;3;2M", MouseEventKind::Down(left)),
            ("\x1b[M #\"", MouseEventKind::Down(left)),
            ("\x1b[M##\"", MouseEventKind::Up(left)),
        ] {
            assert_eq!(events(bytes.as_bytes()), [mouse(kind, 2, 1)], "{bytes:?}");
        }
        let focus = [Event::FocusGained, Event::FocusLost];
        assert_eq!(events("\x1b[I\x1b[O".as_bytes()), focus);
    }
}
