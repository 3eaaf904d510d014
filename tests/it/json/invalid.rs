//! Texts that are not JSON: a list to be read, not code.

/// None of them is JSON; between them are broken bars.
pub const INVALID: &str = r#"
nul ¦ nulll ¦ Null ¦ NULL ¦ True ¦ TRUE ¦ tru ¦ truefalse ¦ true false ¦ fals ¦ None ¦ undefined
NaN ¦ nan ¦ -NaN ¦ Infinity ¦ -Infinity ¦ +Infinity ¦ inf ¦ a ¦ é ¦ * ¦ _ ¦ [tru] ¦ [nul,1]
- ¦ + ¦ +1 ¦ --1 ¦ -+1 ¦ - 1 ¦ 01 ¦ -01 ¦ 00 ¦ -00 ¦ 01.5 ¦ .5 ¦ -.5 ¦ 1. ¦ -1. ¦ 1.e1 ¦ 0.e1
.e1 ¦ 1e ¦ 1e+ ¦ 1e- ¦ 1E ¦ 1e1.5 ¦ 1e 1 ¦ 1 e1 ¦ 1ee1 ¦ 1e++1 ¦ 1.5.5 ¦ 1,5 ¦ 1_000 ¦ 1 000
0x10 ¦ 0b1 ¦ 0o7 ¦ 1f ¦ 1n ¦ 1a ¦ 1/2 ¦ 1+1 ¦ 1-1 ¦ １ ¦ [-] ¦ [01] ¦ [1.] ¦ [.5] ¦ {"a":+1}
" ¦ "a ¦ a" ¦ "\" ¦ "\\\" ¦ "\a" ¦ "\'" ¦ "\x41" ¦ "\0" ¦ "\e" ¦ "\ " ¦ "\é" ¦ "\N" ¦ "\U0041"
"\u" ¦ "\u1" ¦ "\u12" ¦ "\u123" ¦ "\u12g4" ¦ "\u 123" ¦ "\u+123" ¦ "\u-123" ¦ "\u{41}"
"\u""0041" ¦ "\uéé" ¦ 'a' ¦ “a” ¦ `a` ¦ "a""b" ¦ "a" "b" ¦ "a"1 ¦ 1"a" ¦ \u0031 ¦ \"a" ¦ \"a\"
[ ¦ ] ¦ [1 ¦ 1] ¦ [1, ¦ [, ¦ [,] ¦ [1,] ¦ [,1] ¦ [1,,2] ¦ [1 2] ¦ [1;2] ¦ [1:2] ¦ []] ¦ [[] ¦ [}
[1} ¦ [1) ¦ (1) ¦ [][] ¦ [], ¦ [] 1 ¦ ["a" ¦ ["a" "b"] ¦ ["a":1] ¦ ["a] ¦ [a"] ¦ [1[2]] ¦ [{}[]]
[...]
{ ¦ } ¦ {] ¦ {}} ¦ {{}} ¦ {[]} ¦ {,} ¦ {1} ¦ {1:1} ¦ {null:1} ¦ {a:1} ¦ {'a':1} ¦ {[]:1} ¦ {"a"}
{"a":} ¦ {"a":1 ¦ {"a":1, ¦ {"a":1,} ¦ {,"a":1} ¦ {"a":1,,"b":2} ¦ {"a":1 "b":2} ¦ {"a":1;"b":2}
{"a" 1} ¦ {"a",1} ¦ {"a"=1} ¦ {"a"=>1} ¦ {"a"::1} ¦ {"a":1:2} ¦ {"a":"b":"c"} ¦ {"a":1] ¦ {"a":[1}
{"a":[1}] ¦ {"a ¦ {"a" ¦ {"a": ¦ {"a":{} ¦ {:1} ¦ {"a\":1} ¦ {"\q":1}
/* a */1 ¦ 1 // a ¦ 1 /* a */ ¦ [1, /* a */ 2] ¦ 1 # a ¦ <a/> ¦ {} {} ¦ 1 2 ¦ null, ¦ 1; ¦ {}x
{}"" ¦ {}\
"#;

/// None of them is JSON: whitespace, controls and nothing.
#[rustfmt::skip]
pub const ODD_INVALID: &[&str] = &[
    "", " ", "\n", "\t\r\n", "\u{feff}", "\u{feff} ", "\u{c}null", "null\u{c}", "\u{b}1", "\u{a0}1",
    "1\u{a0}", "\u{2028}1", "[\u{c}]", "[1,\u{c}2]", "\0", "1\0", "\u{1f}1", "\u{7f}",
    "\u{feff}\u{feff}1", " \u{feff}1", "1\u{feff}", "[\u{feff}]", "\"\\\n\"", "\"\n\"", "\"\r\"",
    "\"\t\"", "\"\0\"", "\"\u{1f}\"", "\"\u{c}\"", "\"a\nb\"", "[1]\u{c}", "{\"a\nb\":1}", "// a\n1",
    "[1, // a\n2]", "# a\n1", "{}\n{}",
];

/// Bytes that are not UTF-8, each with the offset of the first that is wrong.
#[rustfmt::skip]
pub const NOT_UTF8: &[(&[u8], usize)] = &[
    (b"\xff", 0), (b"\"\xff\"", 1), (b"\"a\x80\"", 2), (b"\"\xc3\"", 1), (b"\"\xc3", 1),
    (b"\"\xc0\xaf\"", 1), (b"\"\xe0\x80\x80\"", 1), (b"\"\xed\xa0\x80\"", 1),
    (b"\"\xf4\x90\x80\x80\"", 1), (b"\"\xf5\x80\x80\x80\"", 1), (b"\"\xe2\x80\"", 1),
    (b"[1,\xff]", 3), (b"{\"a\xfe\":1}", 3), (b"1\xa0", 1), (b"\xef\xbb1", 0),
    (b"\xfe\xff\0[\0]", 0), (b"\xff\xfe[\0]\0", 0), (b"\"caf\xe9\"", 4),
];
