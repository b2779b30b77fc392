"""Start file of every installed hook (``python -I -S``); kept short, because it is compiled each time."""

import gc
import sys

gc.disable()  # this process ends before there is anything to collect

# without site-packages on the path, the folder that holds this package must be put there: in front
# until it is found, so that Python does not look for it in other folders first
sys.path.insert(0, __file__.rsplit("/", 3)[0])

try:
    from twiceshy.hooks.bundle import use_bundle

    sys.path.append(sys.path.pop(0))
    use_bundle()
    from twiceshy.hooks.entry import main

    main(sys.argv[1:])
except Exception:  # noqa: BLE001, S110 - half of an upgrade is installed; a session must not suffer
    pass
