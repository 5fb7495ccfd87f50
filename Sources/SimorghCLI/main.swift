// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

#if Command
import SimorghCommand

// Before anything makes a thread, which would inherit the signals.
Signals.block()
Task.detached { exit(await Program.run(Array(CommandLine.arguments.dropFirst()))) }
// Waiting as an asynchronous main program does would let the signals in on this thread.
while true { pause() }
#else
print("simorgh: built without the trait Command: scripts/swift run simorgh")
exit(1)
#endif
