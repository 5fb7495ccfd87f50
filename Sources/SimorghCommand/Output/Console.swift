// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
import SimorghSupport

/// Where the program's words go, and whether they may be coloured.
package struct Console: Sendable {
    package let output: Descriptor
    package let error: Descriptor
    package let isOutputTerminal: Bool
    package let outputPalette: Palette
    package let errorPalette: Palette
    /// True if standard error may show a picture that is drawn over again and again.
    package let showsPictures: Bool
    private let environment: [String: String]

    /// The process's own streams.
    package static let standard = Console(
        environment: ProcessInfo.processInfo.environment, output: .standardOutput, error: .standardError)

    package init(environment: [String: String], output: Descriptor, error: Descriptor) {
        let allowsColor = environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb"
        self.output = output
        self.error = error
        isOutputTerminal = output.isTerminal
        outputPalette = allowsColor && isOutputTerminal ? .coloured : .plain
        errorPalette = allowsColor && error.isTerminal ? .coloured : .plain
        showsPictures = error.isTerminal && environment["TERM"] != "dumb"
        self.environment = environment
    }

    /// The size of the terminal of standard error, as it is now.
    package var size: TerminalSize { TerminalSize(error, environment: environment) }

    /// Writes a line to standard output.
    ///
    /// - Parameter line: The line, without its end.
    /// - Throws: ``OutputFailure``.
    package func say(_ line: String) throws(OutputFailure) { try output.write(line + "\n") }

    /// Writes a line to standard error; if that fails there is nobody to tell.
    ///
    /// - Parameter line: The line, without its end.
    package func note(_ line: String) { try? error.write(line + "\n") }

    /// Writes what went wrong to standard error, as one line that begins with the program's name.
    ///
    /// - Parameter message: What went wrong.
    package func complain(_ message: String) {
        note("simorgh: " + DisplayText.oneLine(message))
    }
}
#endif
