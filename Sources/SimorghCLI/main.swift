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

// Must run before any thread is created, because threads inherit the signal mask.
Signals.block()
Task.detached { exit(await Program.run(Array(CommandLine.arguments.dropFirst()))) }
// An asynchronous `main` would unblock the signals on this thread.
while true { pause() }
#else
print("simorgh: built without the trait Command: scripts/swift run simorgh")
exit(1)
#endif
