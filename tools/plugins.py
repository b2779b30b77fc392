"""Write the shipped copies of what is generated: hook lines, manifests, Pi's tools and the skill at the top."""

import sys
from pathlib import Path

from twiceshy.mcp.arguments import build_schema
from twiceshy.mcp.tools import TOOLS
from twiceshy.runtimes.claude_code.plugin import (
    LAUNCHER,
    SKILL,
    find_shipped_folder,
    generate_files,
)
from twiceshy.runtimes.pi import install as pi

ROOT = Path(__file__).resolve().parents[1]


def main() -> int:
    """Write every copy anew, and say which ones changed."""
    package = str(ROOT / "src" / "twiceshy")
    folder = Path(find_shipped_folder(package))
    copies = {folder / name: text for name, text in generate_files(LAUNCHER).items()}
    copies[ROOT / "skills" / "twiceshy" / "SKILL.md"] = (folder / SKILL).read_text("utf-8")
    offered = [(t.name, t.title, t.description, build_schema(t.arguments)) for t in TOOLS]
    copies[Path(pi.find_shipped_folder(package)) / pi.TOOLS] = pi.render_tools(offered)
    for path, text in copies.items():
        if not path.exists() or path.read_text("utf-8") != text:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
            print(f"written: {path.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
