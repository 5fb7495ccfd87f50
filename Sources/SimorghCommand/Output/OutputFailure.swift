// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
import SimorghSupport

/// Why output could not be written.
package enum OutputFailure: Error, Equatable, CustomStringConvertible {
    /// The other end of the pipe is closed.
    case brokenPipe
    /// A binary body was about to go to a terminal.
    case binaryOnTerminal
    /// What could not be written, and the system's number for the reason.
    case system(String, CInt)

    /// What the program exits with.
    package var status: ProgramStatus { self == .brokenPipe ? .brokenPipe : .output }

    /// One line for a person.
    package var description: String {
        switch self {
        case .brokenPipe: "the reader of the output went away"
        case .binaryOnTerminal:
            "the body is binary and would garble the terminal: save it with --output FILE, or insist with --output -"
        case .system(let what, let code): "\(what) could not be written: \(String(cString: strerror(code)))"
        }
    }
}
#endif
