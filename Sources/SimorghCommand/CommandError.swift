// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
/// An error that ends a command with a nonzero exit status and a message on standard error.
package struct CommandError: Error, Sendable, Equatable {
    /// The exit status.
    package let status: ProgramStatus
    /// One line that says what happened and what to do; `nil` if a message was printed already.
    package let message: String?

    package init(_ status: ProgramStatus, message: String? = nil) {
        self.status = status
        self.message = message
    }

    /// Returns a failure for invalid arguments.
    package static func usage(_ message: String) -> CommandError { CommandError(.usage, message: message) }
}
#endif
