"""Runs a command on a terminal of a given size, and prints what its screen showed, as pyte reads it. Started by the
tests through the script that SIMORGH_SCREENS names:

screens.py 80x24 [--resize FRAME:40x24]… [--interrupt FRAME] -- COMMAND ARGUMENT…

A frame is a picture that the command draws over the last one. After a number of frames the terminal is resized, or the
command gets SIGINT. Prints a JSON object: screens, the rows of the screen after each frame; final, the rows at the end;
gone, the rows that scrolled off the top; status, the exit status of the command.
"""

import fcntl
import json
import os
import pty
import select
import signal
import struct
import sys
import termios

import pyte


def size(text):
    columns, rows = text.split("x")
    return int(columns), int(rows)


def main(arguments):
    split = arguments.index("--")
    options, command = arguments[:split], arguments[split + 1:]
    columns, rows = size(options.pop(0))
    resizes, interrupt = {}, None
    while options:
        option, value = options.pop(0), options.pop(0)
        if option == "--resize":
            frame, new = value.split(":")
            resizes[int(frame)] = size(new)
        else:
            interrupt = int(value)
    pid, terminal = pty.fork()
    if pid == 0:
        # The size is set before the command queries it.
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        os.execvp(command[0], command)
    screen = pyte.HistoryScreen(columns, rows, history=10000)
    stream = pyte.ByteStream(screen)
    screens, frames = [], 0

    def picture():
        return [row.rstrip() for row in screen.display]

    while True:
        ready, _, _ = select.select([terminal], [], [], 60)
        try:
            data = os.read(terminal, 65536) if ready else b""
        except OSError:
            data = b""
        if not data:
            break
        # Each frame begins by erasing the previous one.
        pieces = data.split(b"\x1b[J")
        for index, piece in enumerate(pieces):
            stream.feed(piece if index == 0 else b"\x1b[J" + piece)
            if index == len(pieces) - 1:
                screens.append(picture())
            if index == 0:
                continue
            frames += 1
            if frames in resizes:
                columns, rows = resizes.pop(frames)
                screen.resize(rows, columns)
                fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
            if frames == interrupt:
                os.kill(pid, signal.SIGINT)
    _, status = os.waitpid(pid, 0)
    gone = ["".join(line[column].data for column in range(columns)).rstrip() for line in screen.history.top]
    print(json.dumps({
        "screens": screens, "final": picture(), "gone": gone, "frames": frames,
        "status": os.waitstatus_to_exitcode(status),
    }))


main(sys.argv[1:])
