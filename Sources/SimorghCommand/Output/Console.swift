// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
import SimorghSupport

/// The program's standard output and error, and their use of color.
package struct Console: Sendable {
    package let output: Descriptor
    package let error: Descriptor
    package let isOutputTerminal: Bool
    package let outputPalette: Palette
    package let errorPalette: Palette
    /// True if standard error can show a picture that is redrawn.
    package let showsPictures: Bool
    private let environment: [String: String]

    /// The process's standard streams.
    package static let standard = Console(
        environment: ProcessInfo.processInfo.environment, output: .standardOutput, error: .standardError)

    package init(environment: [String: String], output: Descriptor, error: Descriptor) {
        let allowsColor = environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb"
        self.output = output
        self.error = error
        isOutputTerminal = output.isTerminal
        outputPalette = allowsColor && isOutputTerminal ? .colored : .plain
        errorPalette = allowsColor && error.isTerminal ? .colored : .plain
        showsPictures = error.isTerminal && environment["TERM"] != "dumb"
        self.environment = environment
    }

    /// The current size of the terminal on standard error.
    package var size: TerminalSize { TerminalSize(error, environment: environment) }

    /// Writes a line to standard output.
    ///
    /// - Parameter line: The line, without its end.
    /// - Throws: ``OutputError``.
    package func say(_ line: String) throws(OutputError) { try output.write(line + "\n") }

    /// Writes a line to standard error; a failure to do so is ignored.
    ///
    /// - Parameter line: The line, without its end.
    package func note(_ line: String) { try? error.write(line + "\n") }

    /// Writes an error to standard error, as one line that begins with the program's name.
    ///
    /// - Parameter message: The error message.
    package func complain(_ message: String) {
        note("simorgh: " + DisplayText.oneLine(message))
    }
}
#endif
