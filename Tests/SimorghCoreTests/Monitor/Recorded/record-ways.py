#!/usr/bin/env python3
"""Records what the kernel answers about some networks, in a namespace of its own: record-ways.py FILE (as root).

For each network: its name, then the answers to the questions for all links, all addresses, and the ways to a public IPv4
and IPv6 address, then for each link that runs those for the ways through it; each with its length before it.
"""
import ctypes
import fcntl
import os
import socket
import struct
import subprocess
import sys
import time

CABLE = ["link add v0 type veth peer name v1", "addr add 192.0.2.2/24 dev v0", "link set v1 up", "link set v0 up"]
TUN = ["addr add 10.7.0.2/24 dev tun7", "link set tun7 up"]
DEFAULT = ["route add default via 192.0.2.1 dev v0"]
HALVES = ["route add 0.0.0.0/1 dev tun7", "route add 128.0.0.0/1 dev tun7"]
RULE = ["route add default dev tun7 table 51820", "rule add not fwmark 51820 table 51820 priority 100"]
CASES = [
    ("none", False, []),
    ("cable without a way", False, CABLE),
    ("other 4", False, CABLE + DEFAULT),
    ("other 6", False, CABLE + ["addr add 2001:db8::2/64 dev v0 nodad", "route add default via 2001:db8::1 dev v0"]),
    ("other 4, a next hop of its own", False,
     CABLE + ["nexthop add id 7 via 192.0.2.1 dev v0", "route add default nhid 7"]),
    ("other 4, two paths", False,
     CABLE + ["link add w0 type veth peer name w1", "addr add 198.51.100.2/24 dev w0", "link set w1 up",
              "link set w0 up",
              "route add default nexthop via 192.0.2.1 dev v0 nexthop via 198.51.100.1 dev w0"]),
    ("none, refused", False, CABLE + ["route add unreachable default"]),
    ("vpn over other 4 active present, half routes", True, CABLE + DEFAULT + TUN + HALVES),
    ("vpn over other 4 active present, a rule", True, CABLE + DEFAULT + TUN + RULE),
    ("other 4 present, a split tunnel", True, CABLE + DEFAULT + TUN + ["route add 10.0.0.0/8 dev tun7"]),
    ("none, the cable is off and its route gone", False, CABLE + DEFAULT + ["link set v0 down"]),
]
FOUR = socket.inet_aton("198.41.0.4")
SIX = socket.inet_pton(socket.AF_INET6, "2001:503:ba3e::2:30")


def ask(kind, flags, body):
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0) as link:
        link.sendall(struct.pack("=IHHII", 16 + len(body), kind, flags, 7, 0) + body)
        answer = b""
        while True:
            part = link.recv(1 << 20)
            answer += part
            if not flags & 0x300 or struct.unpack_from("=H", part, 4)[0] in (2, 3):
                return answer


def way(address, through=0):
    family = socket.AF_INET if len(address) == 4 else socket.AF_INET6
    body = struct.pack("=BBBBBBBBI", family, len(address) * 8, 0, 0, 0, 0, 0, 0, 0x2000 if through else 0)
    body += struct.pack("=HH", 4 + len(address), 1) + address
    if through:
        body += struct.pack("=HHi", 8, 4, through)
    return ask(26, 1, body)


def record(out, name, with_tun, lines):
    if ctypes.CDLL(None, use_errno=True).unshare(0x40000000) != 0:  # CLONE_NEWNET
        raise OSError(ctypes.get_errno(), "unshare")
    tun = None
    if with_tun:
        tun = os.open("/dev/net/tun", os.O_RDWR)
        fcntl.ioctl(tun, 0x400454CA, struct.pack("16sH22x", b"tun7", 0x1001))
    text = "\n".join(["link set lo up"] + lines) + "\n"
    subprocess.run(["ip", "-batch", "-"], input=text.encode(), check=True)
    time.sleep(2.5)
    links = ask(18, 0x301, struct.pack("=BxHiII", 0, 0, 0, 0, 0) + struct.pack("=HHI", 8, 29, 8))
    running = []
    place = 0
    while place + 32 <= len(links):
        length, kind = struct.unpack_from("=IH", links, place)
        if kind == 16:
            index, flags = struct.unpack_from("=iI", links, place + 20)
            if flags & 0x41 == 0x41 and not flags & 8:
                running.append(index)
        place += (length + 3) & ~3
    answers = [links, ask(22, 0x301, struct.pack("=BBBBi", 0, 0, 0, 0, 0)), way(FOUR), way(SIX)]
    for index in running:
        answers += [struct.pack("=i", index) + way(FOUR, index), struct.pack("=i", index) + way(SIX, index)]
    for part in [name.encode(), struct.pack("=I", len(answers))] + answers:
        out.write(struct.pack("=I", len(part)) + part)
    if tun is not None:
        os.close(tun)


with open(sys.argv[1], "wb") as out:
    for case in CASES:
        record(out, *case)
