// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
/// Why a command ends with another number than 0, and the line for standard error.
package struct CommandFailure: Error, Sendable, Equatable {
    /// The number.
    package let status: ProgramStatus
    /// One line that says what happened and what to do; `nil` where all has been said.
    package let message: String?

    package init(_ status: ProgramStatus, _ message: String? = nil) {
        self.status = status
        self.message = message
    }

    /// Arguments that cannot be used.
    package static func usage(_ message: String) -> CommandFailure { CommandFailure(.usage, message) }
}
#endif
