// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
import SimorghSupport

/// An error of writing output.
package enum OutputError: Error, Equatable, CustomStringConvertible {
    /// The other end of the pipe is closed.
    case brokenPipe
    /// A binary body was not written to a terminal.
    case binaryOnTerminal
    /// The output that could not be written, and the `errno`.
    case system(String, CInt)

    /// The exit status for the error.
    package var status: ProgramStatus { self == .brokenPipe ? .brokenPipe : .output }

    /// A one-line description.
    package var description: String {
        switch self {
        case .brokenPipe: "the reader closed the output"
        case .binaryOnTerminal:
            "the body is binary and would garble the terminal: save it with --output FILE, or print it with --output -"
        case .system(let what, let code): "\(what) could not be written: \(String(cString: strerror(code)))"
        }
    }
}
#endif
