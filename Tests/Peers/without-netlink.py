#!/usr/bin/env python3
"""Runs a program as in a sandbox without netlink: without-netlink.py PROGRAM ARGUMENT...

A seccomp filter refuses netlink sockets. Exits with 77 if this machine does not support the filter.
"""
import ctypes
import os
import struct
import sys

# The number of the socket(2) system call, by processor.
SOCKET = {"x86_64": 41, "aarch64": 198, "riscv64": 198}
AF_NETLINK = 16


def line(code, value, if_so=0, if_not=0):
    return struct.pack("=HBBI", code, if_so, if_not, value)


def forbid():
    number = SOCKET[os.uname().machine]
    # Of struct seccomp_data: the number of the call at 0, the low half of its first argument at 16 (little endian).
    lines = [
        line(0x20, 0), line(0x15, number, 0, 3), line(0x20, 16), line(0x15, AF_NETLINK, 0, 1),
        line(0x06, 0x00050000 | 97),  # SECCOMP_RET_ERRNO, EAFNOSUPPORT: what RestrictAddressFamilies= gives
        line(0x06, 0x7FFF0000),  # SECCOMP_RET_ALLOW
    ]
    code = ctypes.create_string_buffer(b"".join(lines))
    program = ctypes.create_string_buffer(struct.pack("@HP", len(lines), ctypes.addressof(code)))
    call = ctypes.CDLL(None, use_errno=True).prctl
    call.argtypes = [ctypes.c_int] + [ctypes.c_ulong] * 4
    # PR_SET_NO_NEW_PRIVS, and PR_SET_SECCOMP with SECCOMP_MODE_FILTER.
    if call(38, 1, 0, 0, 0) != 0 or call(22, 2, ctypes.addressof(program), 0, 0) != 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


try:
    forbid()
except (OSError, KeyError) as failure:
    print(f"no filter here: {failure}", file=sys.stderr)
    sys.exit(77)
os.execv(sys.argv[1], sys.argv[1:])
