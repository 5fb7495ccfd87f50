// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
package import SimorghSupport

/// Prints a body as it arrives: raw to a pipe; on a terminal JSON formatted, text unchanged, and binary data refused.
package struct BodyPrinter: Sendable {
    private enum Mode {
        /// Prints all bytes.
        case raw
        /// Prints all bytes, and throws for binary data.
        case text
        /// Buffers JSON until it is complete or too large.
        case json(Data)
    }

    private let output: ConsoleQueue
    private let palette: Palette
    private let isTerminal: Bool
    private var mode: Mode
    private var lastByte: UInt8?

    /// Creates a printer for one body.
    ///
    /// - Parameters:
    ///   - console: The console.
    ///   - contentType: The body's media type, if known.
    ///   - forcesRawOutput: True to print even binary bytes to a terminal, and JSON unformatted.
    package init(_ console: Console, contentType: String?, forcesRawOutput: Bool) {
        output = ConsoleQueue(console)
        palette = console.outputPalette
        isTerminal = console.isOutputTerminal && !forcesRawOutput
        mode = !isTerminal ? .raw : Self.isJSON(contentType) ? .json(Data()) : .text
    }

    /// Prints the next chunk.
    ///
    /// - Parameter chunk: The chunk.
    /// - Throws: ``OutputError``.
    package mutating func write(_ chunk: Data) async throws(OutputError) {
        switch mode {
        case .raw: try await put(chunk)
        case .text: try await show(chunk)
        case .json(var gathered):
            mode = .text  // Lets go of the only other reference, so that appending copies nothing.
            gathered.append(chunk)
            if gathered.count > PrettyJSON.maximumInput {
                try await show(gathered)
            } else {
                mode = .json(gathered)
            }
        }
    }

    /// Prints the buffered bytes, and ends the last line on a terminal.
    ///
    /// - Throws: ``OutputError``.
    package mutating func finish() async throws(OutputError) {
        if case .json(let gathered) = mode, !gathered.isEmpty {
            try await show(PrettyJSON.layout(gathered, palette: palette) ?? gathered)
        }
        if isTerminal, let lastByte, lastByte != 0x0A { try await put(Data("\n".utf8)) }
    }

    private mutating func show(_ chunk: Data) async throws(OutputError) {
        guard !chunk.contains(where: Self.isBinary) else { throw .binaryOnTerminal }
        try await put(chunk)
        lastByte = chunk.last ?? lastByte
    }

    private func put(_ bytes: Data) async throws(OutputError) {
        try await output.write { console throws(OutputError) in try console.output.write(bytes) }
    }

    /// Returns true for a byte that does not occur in text: a control character other than 7 to 13 (BEL to CR) and ESC.
    private static func isBinary(_ byte: UInt8) -> Bool { byte < 7 || (14..<32).contains(byte) && byte != 0x1B }

    /// Returns true for a media type of JSON.
    static func isJSON(_ contentType: String?) -> Bool {
        guard let contentType else { return false }
        let essence = contentType.prefix { $0 != ";" && $0 != " " }.lowercased()
        return essence == "application/json" || essence.hasSuffix("+json")
    }
}
#endif
