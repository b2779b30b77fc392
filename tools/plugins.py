"""Write the shipped copies of what is generated: hook lines, manifests and the skill at the top."""

import sys
from pathlib import Path

from twiceshy.runtimes.claude_code.plugin import LAUNCHER, SKILL, made_files, shipped_folder

ROOT = Path(__file__).resolve().parents[1]


def main() -> int:
    """Write every copy anew, and say which ones changed."""
    folder = Path(shipped_folder(str(ROOT / "src" / "twiceshy")))
    copies = {folder / name: text for name, text in made_files(LAUNCHER).items()}
    copies[ROOT / "skills" / "twiceshy" / "SKILL.md"] = (folder / SKILL).read_text("utf-8")
    for path, text in copies.items():
        if not path.exists() or path.read_text("utf-8") != text:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
            print(f"written: {path.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
