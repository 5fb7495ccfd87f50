// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCommand

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

// Before anything makes a thread, which would inherit the signals.
Signals.block()
exit(await Program.run(Array(CommandLine.arguments.dropFirst())))
