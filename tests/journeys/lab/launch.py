"""Start a client cut off from the network, on a terminal of its own if asked; run as a program.

``launch.py open FD`` makes a namespace that holds only loopback and sends it, with a listening socket
made inside, through the socket FD. ``launch.py enter [--namespace FD] [--terminal] COMMAND…`` becomes
the command. Both are processes of their own because a namespace is entered for good: the test that
wants one stays where it is, and the model answers from there through the socket it was handed.
"""

import argparse
import ctypes
import fcntl
import os
import socket
import struct
import sys
import termios

CLONE_NEWNET = 0x40000000
SIOCSIFFLAGS = 0x8914
IFF_UP_RUNNING = 0x41


def enter_namespace(call: str, *arguments: int) -> None:
    """Call ``unshare`` or ``setns``, which Python 3.11 does not have."""
    libc = ctypes.CDLL(None, use_errno=True)
    if getattr(libc, call)(*arguments) != 0:
        sys.exit(os.strerror(ctypes.get_errno()))


def open_namespace(channel: int) -> None:
    """Make the namespace, bring loopback up, listen on it, hand both over."""
    if not sys.platform.startswith("linux"):
        sys.exit(f"{sys.platform} has no network namespaces")
    enter_namespace("unshare", CLONE_NEWNET)
    with socket.socket() as any_socket:
        fcntl.ioctl(any_socket, SIOCSIFFLAGS, struct.pack("16sh", b"lo", IFF_UP_RUNNING))
    with (
        open("/proc/self/ns/net", "rb") as namespace,
        socket.create_server(("127.0.0.1", 0)) as listener,
        socket.socket(fileno=channel) as parent,
    ):
        socket.send_fds(parent, [b"."], [listener.fileno(), namespace.fileno()])


def become(command: list[str], *, namespace: int | None, terminal: bool) -> None:
    """Enter what was asked for and turn into the command."""
    if namespace is not None:
        enter_namespace("setns", namespace, CLONE_NEWNET)
        os.close(namespace)
    if terminal:
        fcntl.ioctl(sys.stdin.fileno(), termios.TIOCSCTTY, 0)
    os.execv(command[0], command)


def main() -> None:
    """Do what the command line asks."""
    parser = argparse.ArgumentParser()
    ways = parser.add_subparsers(dest="way", required=True)
    ways.add_parser("open").add_argument("channel", type=int)
    enter = ways.add_parser("enter")
    enter.add_argument("--namespace", type=int)
    enter.add_argument("--terminal", action="store_true")
    enter.add_argument("command", nargs=argparse.REMAINDER)
    asked = parser.parse_args()
    if asked.way == "open":
        open_namespace(asked.channel)
    else:
        become(asked.command, namespace=asked.namespace, terminal=asked.terminal)


if __name__ == "__main__":
    main()
