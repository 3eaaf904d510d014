//! Damage to the bytes of a journal.

use twox_hash::XxHash3_64;

use crate::support::random::Random;

/// A damaged journal, and a description of the damage.
pub fn mutated(journal: &[u8], random: &mut Random) -> (String, Vec<u8>) {
    let (mut bytes, mut all) = (journal.to_vec(), Vec::new());
    while bytes == journal {
        // Mostly one thing, sometimes several.
        for _ in 0..=random.below(8) / 6 {
            all.push(mutate(&mut bytes, random));
        }
    }
    (all.join(", "), bytes)
}

fn mutate(bytes: &mut Vec<u8>, random: &mut Random) -> String {
    let at = random.position(bytes.len());
    let mut lines: Vec<Vec<u8>> =
        bytes.split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect();
    let (one, other) = (random.position(lines.len()), random.position(lines.len()));
    match random.below(12) {
        _ if bytes.is_empty() => {
            *bytes = b"[".to_vec();
            return "filled".to_owned();
        }
        0..=2 => {
            let bit = random.below(8);
            bytes[at] ^= 1 << bit;
            return format!("bit {bit} of byte {at} flipped");
        }
        3 => {
            bytes.truncate(at);
            return format!("cut at {at}");
        }
        4 => {
            let end = bytes.len().min(at + 1 + random.position(400));
            bytes.drain(at..end);
            return format!("bytes {at}..{end} removed");
        }
        5 => {
            let end = bytes.len().min(at + 1 + random.position(400));
            bytes[at..end].fill(0);
            return format!("bytes {at}..{end} zeroed");
        }
        6 => lines.swap(one, other),
        7 => {
            let line = lines[one].clone();
            lines.insert(other, line);
        }
        8 => drop(lines.remove(one)),
        9 => {
            let line = lines.remove(one);
            lines.insert(other.min(lines.len()), line);
        }
        10 => {
            let (first, last) = (one.min(other), one.max(other));
            lines.drain(first..last);
        }
        _ => {
            let head = format!("{{\"journal\":{}}}", random.below(7));
            lines[0] = match random.below(3) {
                0 => checked(&head).into_bytes(),
                1 => format!("{head}\n").into_bytes(),
                _ => format!("0123456789abcdef {head}\n").into_bytes(),
            };
            *bytes = lines.concat();
            return format!("head {}", String::from_utf8_lossy(&lines[0]));
        }
    }
    *bytes = lines.concat();
    format!("lines {one} and {other} swapped, doubled, removed or moved")
}

fn checked(line: &str) -> String {
    of_form(0, line)
}

/// A line with its checksum; each form has its own.
fn of_form(form: u64, line: &str) -> String {
    format!("{:016x} {line}\n", XxHash3_64::oneshot_with_seed(form, line.as_bytes()))
}

/// The same journal in the form before, which had numbers and hashes before its lines.
pub fn of_form_3(journal: &[u8]) -> Vec<u8> {
    let (text, mut hash) = (std::str::from_utf8(journal).unwrap(), "0".repeat(32));
    let mut form_3 = checked("{\"journal\":3}");
    for (number, line) in text.lines().enumerate().skip(1) {
        let line = &line[line.find('{').unwrap()..];
        if let Some(saved) = line.strip_prefix("{\"saved\":\"") {
            saved[..32].clone_into(&mut hash);
        }
        form_3 += &of_form(3, &format!("{number} {hash} {line}"));
    }
    form_3.into_bytes()
}
