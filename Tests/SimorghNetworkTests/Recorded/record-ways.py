#!/usr/bin/env python3
"""Records the kernel's answers about some networks, in a network namespace: record-ways.py FILE (as root).

Writes for each network: its name, the answers to the requests for all links, all addresses, and the routes to a public
IPv4 and IPv6 address, then the routes to both through each running link. The length of each part precedes it.
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
TAP = ["addr add 10.9.0.2/24 dev tap7", "link set tap7 up"]
CABLE6 = CABLE[:1] + CABLE[2:] + ["addr add 2001:db8::2/64 dev v0 nodad"]
DEFAULT6 = ["route add default via 2001:db8::1 dev v0"]
TUN6 = ["link set tun7 up", "addr add fd00:7::2/64 dev tun7 nodad"]
HALVES6 = ["route add ::/1 dev tun7", "route add 8000::/1 dev tun7"]
BRIDGE = ["link add br7 type bridge", "link set br7 up"]
RULE = ["route add default dev tun7 table 51820", "rule add not fwmark 51820 table 51820 priority 100"]
# The expected summary, and after a comma, a description; the device of the daemon, and how it ends; the commands of ip.
CASES = [
    ("none", "", []),
    ("cable without a way", "", CABLE),
    ("other 4", "", CABLE + DEFAULT),
    ("other 6", "", CABLE + ["addr add 2001:db8::2/64 dev v0 nodad", "route add default via 2001:db8::1 dev v0"]),
    ("other 4, a next hop of its own", "",
     CABLE + ["nexthop add id 7 via 192.0.2.1 dev v0", "route add default nhid 7"]),
    ("other 4, two paths", "",
     CABLE + ["link add w0 type veth peer name w1", "addr add 198.51.100.2/24 dev w0", "link set w1 up",
              "link set w0 up",
              "route add default nexthop via 192.0.2.1 dev v0 nexthop via 198.51.100.1 dev w0"]),
    ("none, refused", "", CABLE + ["route add unreachable default"]),
    ("vpn over other 4 active present, half routes", "tun7", CABLE + DEFAULT + TUN + HALVES),
    ("vpn over other 4 active present, a rule", "tun7", CABLE + DEFAULT + TUN + RULE),
    ("other 4 present, a split tunnel", "tun7", CABLE + DEFAULT + TUN + ["route add 10.0.0.0/8 dev tun7"]),
    ("none, the cable is off and its route gone", "", CABLE + DEFAULT + ["link set v0 down"]),
    ("other 4, a tap and a bridge of a virtual machine", "tap7",
     CABLE + DEFAULT + BRIDGE + ["link set tap7 master br7", "link set tap7 up", "addr add 10.9.0.1/24 dev br7"]),
    ("vpn over other 4 active present, a tap past the cable", "tap7",
     CABLE + DEFAULT + TAP + ["route add 0.0.0.0/1 via 10.9.0.1", "route add 128.0.0.0/1 via 10.9.0.1"]),
    ("other 4, a tap alone", "tap7", TAP + ["route add default via 10.9.0.1"]),
    ("other 4, a bridge with the cable in it", "",
     CABLE[:1] + CABLE[2:] + BRIDGE
     + ["link set v0 master br7", "addr add 192.0.2.2/24 dev br7", "route add default via 192.0.2.1"]),
    ("none, a bridge whose cable is pulled and that does not run", "",
     CABLE[:1] + CABLE[3:] + BRIDGE
     + ["link set v0 master br7", "addr add 192.0.2.2/24 dev br7", "route add default via 192.0.2.1"]),
    ("other 4, a tunnel that went with its daemon", "tun7 dies", CABLE + DEFAULT + TUN + HALVES),
    ("none, a tunnel that lost its daemon and does not run", "tun7 dies and stays",
     CABLE + DEFAULT + TUN + HALVES),
    ("none, the only way went with its daemon", "tun7 dies", TUN + ["route add default dev tun7"]),
    ("vpn over other 6 active present, half routes of IPv6", "tun7", CABLE6 + DEFAULT6 + TUN6 + HALVES6),
    ("vpn over other 6 active present, OpenVPN's routes of IPv6", "tun7",
     CABLE6 + DEFAULT6 + TUN6 + [f"route add {net} dev tun7" for net in ("::/3", "2000::/4", "3000::/4", "fc00::/7")]),
    ("vpn over other 4 6 active present, half routes of both", "tun7",
     CABLE + CABLE6[-1:] + DEFAULT + DEFAULT6 + TUN + TUN6[1:] + HALVES + HALVES6),
    ("other 4 6 active present, half routes of IPv6 alone", "tun7",
     CABLE + CABLE6[-1:] + DEFAULT + DEFAULT6 + TUN6 + HALVES6),
    ("other 6, half routes of IPv6 that went with the daemon", "tun7 dies", CABLE6 + DEFAULT6 + TUN6 + HALVES6),
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


def daemon(name, stays):
    """Creates a tun or tap device, and returns the descriptor of its daemon; the device may outlive that."""
    descriptor = os.open("/dev/net/tun", os.O_RDWR)
    kind = 0x1002 if name.startswith("tap") else 0x1001
    fcntl.ioctl(descriptor, 0x400454CA, struct.pack("16sH22x", name.encode(), kind))
    if stays:
        fcntl.ioctl(descriptor, 0x400454CB, 1)  # TUNSETPERSIST
    return descriptor


def record(out, name, device, lines):
    if ctypes.CDLL(None, use_errno=True).unshare(0x40000000) != 0:  # CLONE_NEWNET
        raise OSError(ctypes.get_errno(), "unshare")
    words = device.split()
    descriptor = daemon(words[0], "stays" in words) if words else None
    text = "\n".join(["link set lo up"] + lines) + "\n"
    subprocess.run(["ip", "-batch", "-"], input=text.encode(), check=True)
    if "dies" in words:
        os.close(descriptor)
        descriptor = None
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
    if descriptor is not None:
        os.close(descriptor)


with open(sys.argv[1], "wb") as out:
    for case in CASES:
        record(out, *case)
