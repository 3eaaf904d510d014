"""The chat form follows the JSON Schema of fine-tuning files."""
import json
import sys

from jsonschema import Draft202012Validator

CALL = {
    "type": "object",
    "required": ["id", "type", "function"],
    "properties": {
        "id": {"type": "string", "minLength": 1},
        "type": {"const": "function"},
        "function": {
            "type": "object",
            "required": ["name", "arguments"],
            "properties": {"name": {"type": "string"}, "arguments": {"type": "string"}},
        },
    },
}
MESSAGE = {
    "type": "object",
    "required": ["role"],
    "properties": {
        "role": {"enum": ["system", "developer", "user", "assistant", "tool"]},
        "content": {"type": ["string", "null", "array"]},
        "tool_calls": {"type": "array", "minItems": 1, "items": CALL},
        "tool_call_id": {"type": "string"},
    },
    "if": {"properties": {"role": {"const": "tool"}}},
    "then": {"required": ["content", "tool_call_id"]},
    "else": {"anyOf": [{"required": ["content"]}, {"required": ["tool_calls"]}]},
}
LINE = {
    "type": "object",
    "required": ["messages"],
    "properties": {"messages": {"type": "array", "items": MESSAGE}},
}
validator = Draft202012Validator(LINE)
lines = calls = 0
for line in open(sys.argv[1], encoding="utf-8"):
    line = json.loads(line)
    errors = [(error.json_path, error.message[:200]) for error in validator.iter_errors(line)]
    assert not errors, errors[:5]
    lines += 1
    for message in line["messages"]:
        calls += len(message.get("tool_calls", []))
assert lines and calls
print(lines, "chats,", calls, "calls")
