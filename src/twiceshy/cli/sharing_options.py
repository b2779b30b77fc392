"""Options of ``backup``, ``recover`` and ``sync``."""

import click

from twiceshy.cli.options import combine_options, json_option

shared_options = combine_options(
    click.option("--plan", is_flag=True, help="Fetch, and show the planned changes only."),
    click.option("--remote", metavar="URL", help="Your git repository; remembered for next time."),
    click.option(
        "--accept", is_flag=True, help="Continue although the remote history was rewritten."
    ),
    json_option,
)
device_options = combine_options(
    click.option(
        "--trust",
        multiple=True,
        metavar="FINGERPRINT",
        help="Introduce the device with this fingerprint: believe it from now on.",
    ),
    click.option(
        "--take", default="", metavar="DEVICE", help="Take in its files once, as they are."
    ),
)
