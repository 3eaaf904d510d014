//! Any bytes: the parser agrees with `serde_json`, and the finder with the parser.
//!
//! The first byte chooses the size of the chunks that the finder is fed, the others are the file.
#![no_main]

use libfuzzer_sys::fuzz_target;
use serde::de::IgnoredAny;
use turnwise::json::{BOM, FileLayout, Finder, NodeKind, Parser, Piece, ScanResult, Value};

fuzz_target!(|bytes: &[u8]| {
    let Some((&size, file)) = bytes.split_first() else {
        return;
    };
    let found = find(file, file.len().max(1));
    assert_eq!(found, find(file, usize::from(size) + 1), "fed in chunks");
    let mut parser = Parser::new();
    match parser.parse(file) {
        Ok(tree) => {
            assert!(serde_accepts(file), "only we accept it");
            assert_eq!(found.error, None);
            agrees(&found.layout, tree.root());
        }
        Err(_) => {
            assert!(!serde_accepts(file), "only we refuse it");
            breaks_somewhere(file, &found);
        }
    }
});

fn find(file: &[u8], size: usize) -> ScanResult {
    let mut finder = Finder::new();
    for chunk in file.chunks(size) {
        finder.feed(chunk);
    }
    finder.finish()
}

/// `serde_json` refuses a byte order mark, and does not check for UTF-8 in what it ignores.
fn serde_accepts(file: &[u8]) -> bool {
    let json = file.strip_prefix(BOM).unwrap_or(file);
    std::str::from_utf8(json).is_ok_and(|json| serde_json::from_str::<IgnoredAny>(json).is_ok())
}

/// The pieces of a file that is JSON are the values that the parser sees.
fn agrees(layout: &FileLayout, root: Value<'_>) {
    match layout {
        FileLayout::Array(pieces) => assert_eq!(*pieces, elements(root)),
        FileLayout::Scalar(piece) => assert_eq!(*piece, piece_of(root)),
        FileLayout::Object { whole, lists, others, members } => {
            assert_eq!(*whole, piece_of(root));
            let of_lists = lists.iter().flat_map(|list| &list.pieces);
            let mut pieces: Vec<_> = of_lists.chain(others).copied().collect();
            pieces.sort();
            let keys = lists.iter().map(|list| list.key);
            assert!(keys.into_iter().all(|key| others.contains(&key)));
            let mut values = Vec::new();
            for (key, value) in root.members() {
                values.push(piece_of(key));
                match value.kind() {
                    NodeKind::Array => values.extend(elements(value)),
                    _ => values.push(piece_of(value)),
                }
            }
            assert_eq!(pieces, values);
            let objects = root.members().filter(|(_, v)| v.kind() == NodeKind::Object);
            let member = |(key, value): (Value<'_>, Value<'_>)| Piece {
                start: key.range().start.into(),
                end: value.range().end.into(),
            };
            assert_eq!(*members, objects.map(member).collect::<Vec<_>>());
        }
        FileLayout::Empty | FileLayout::Lines(_) => panic!("one value found as {layout:?}"),
    }
}

fn elements(array: Value<'_>) -> Vec<Piece> {
    array.elements().map(piece_of).collect()
}

fn piece_of(value: Value<'_>) -> Piece {
    let range = value.range();
    Piece { start: range.start.into(), end: range.end.into() }
}

/// A file that is not JSON shows it: between the pieces, or in one of them. Lines may all be good.
fn breaks_somewhere(file: &[u8], found: &ScanResult) {
    if found.error.is_some() {
        return;
    }
    let pieces: Vec<_> = match &found.layout {
        FileLayout::Array(pieces) => pieces.clone(),
        FileLayout::Scalar(piece) => vec![*piece],
        FileLayout::Object { lists, others, .. } => {
            let of_lists = lists.iter().flat_map(|list| &list.pieces);
            of_lists.chain(others).copied().collect()
        }
        FileLayout::Empty => panic!("empty without an error"),
        FileLayout::Lines(pieces) => return assert_eq!(*pieces, lines(file)),
    };
    let mut parser = Parser::new();
    let bytes = |piece: &Piece| &file[piece.start as usize..piece.end as usize];
    let broken = pieces.iter().any(|piece| parser.parse(bytes(piece)).is_err());
    assert!(broken, "every piece is good");
}

/// The lines that are not empty, without the spaces around them.
fn lines(file: &[u8]) -> Vec<Piece> {
    let blank = |byte: &u8| b" \t\r".contains(byte);
    let mut pieces = Vec::new();
    let mut at = if file.starts_with(BOM) { BOM.len() } else { 0 };
    for line in file[at..].split(|&byte| byte == b'\n') {
        if let (Some(first), Some(last)) =
            (line.iter().position(|b| !blank(b)), line.iter().rposition(|b| !blank(b)))
        {
            pieces.push(Piece { start: (at + first) as u64, end: (at + last + 1) as u64 });
        }
        at += line.len() + 1;
    }
    pieces
}
