"""The recipe for `datasets` fixes and finds the same as one process."""
import os
import subprocess
import sys
from pathlib import Path

from shards import dialogs, one_process, write

RECIPE = Path(__file__).parents[2] / "assets" / "recipes" / "hugging_face.py"
QUERY = "id:*01* turn<1"
folder = Path(sys.argv[1])
text = write(folder / "dialogs", dialogs())
(folder / "all.jsonl").write_text(text, encoding="utf-8")
command = [sys.executable, RECIPE, folder / "all.jsonl", folder / "out.jsonl", QUERY]
subprocess.run(command, check=True, env={**os.environ, "HF_HOME": str(folder / "cache")})
fixed = one_process(["fix", "-", "--exit-zero"], text)
ids = one_process(["find", QUERY, "-", "--format", "ids"], "".join(f"{line}\n" for line in fixed))
kept = (folder / "out.jsonl").read_text(encoding="utf-8").split("\n")[:-1]
assert kept == [line for line in fixed if any(f'"{name}"' in line for name in ids)]
assert 0 < len(kept) < len(fixed)
print(len(kept), "of", len(fixed), "dialogs")
