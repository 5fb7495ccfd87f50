// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
package import SimorghSupport

/// Shows a body as it arrives: raw in a pipe; on a terminal JSON laid out, text as it is, and nothing binary.
package struct BodyPrinter: Sendable {
    private enum Mode {
        /// Whatever comes.
        case raw
        /// Whatever comes, unless it is binary.
        case text
        /// JSON, gathered until it is whole or too much.
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
    ///   - console: Where it goes.
    ///   - contentType: The body's media type, where one was given.
    ///   - insists: Whether even binary bytes go to a terminal, and JSON as it came.
    package init(_ console: Console, contentType: String?, insists: Bool) {
        output = ConsoleQueue(console)
        palette = console.outputPalette
        isTerminal = console.isOutputTerminal && !insists
        mode = !isTerminal ? .raw : Self.isJSON(contentType) ? .json(Data()) : .text
    }

    /// Shows the next part.
    ///
    /// - Parameter chunk: The part.
    /// - Throws: ``OutputFailure``.
    package mutating func write(_ chunk: Data) async throws(OutputFailure) {
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

    /// Shows what was held back, and ends the last line on a terminal.
    ///
    /// - Throws: ``OutputFailure``.
    package mutating func finish() async throws(OutputFailure) {
        if case .json(let gathered) = mode, !gathered.isEmpty {
            try await show(PrettyJSON.layout(gathered, palette) ?? gathered)
        }
        if isTerminal, let lastByte, lastByte != 0x0A { try await put(Data("\n".utf8)) }
    }

    private mutating func show(_ chunk: Data) async throws(OutputFailure) {
        guard !chunk.contains(where: Self.isBinary) else { throw .binaryOnTerminal }
        try await put(chunk)
        lastByte = chunk.last ?? lastByte
    }

    private func put(_ bytes: Data) async throws(OutputFailure) {
        try await output.write { console throws(OutputFailure) in try console.output.write(bytes) }
    }

    /// Whether a byte stands in no text: a control character but for those that move, ring or colour.
    private static func isBinary(_ byte: UInt8) -> Bool { byte < 7 || (14..<32).contains(byte) && byte != 0x1B }

    private static func isJSON(_ contentType: String?) -> Bool {
        guard let contentType else { return false }
        let essence = contentType.prefix { $0 != ";" && $0 != " " }.lowercased()
        return essence == "application/json" || essence.hasSuffix("+json")
    }
}
#endif
