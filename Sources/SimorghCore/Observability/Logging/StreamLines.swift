// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Splits a stream into complete lines for the log, so that no secret is split and missed.
package struct StreamLines: Sendable {
    private let limit: Int
    private var line: [UInt8] = []
    /// The number of omitted bytes of the line.
    private var more = 0
    private var scan: JSONRedactor
    private let redactor: Redactor

    /// Creates the splitter.
    ///
    /// - Parameters:
    ///   - redactor: The redactor.
    ///   - limit: The largest part of a line to show, in bytes.
    package init(_ redactor: Redactor, upTo limit: Int) {
        self.redactor = redactor
        self.limit = limit
        scan = JSONRedactor(redactor.rules)
    }

    /// Appends bytes and returns the lines that are complete now, without empty ones.
    package mutating func take(_ bytes: some Sequence<UInt8>) -> [RedactedBody] {
        var lines: [RedactedBody] = []
        for byte in bytes {
            if byte == 0x0A {
                if let line = end() { lines.append(line) }
            } else if line.count < limit + Redactor.margin {
                line.append(byte)
            } else {
                more += 1
            }
        }
        return lines
    }

    /// Returns the last line, which has no line break.
    package mutating func end() -> RedactedBody? {
        defer {
            line.removeAll(keepingCapacity: true)
            more = 0
        }
        while line.last == 0x0D { line.removeLast() }
        let size = line.count + more
        guard size > 0 else { return nil }
        guard line.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 || $0 == 0x1E }) else {
            return .opaque("[\(size) bytes]")
        }
        // The omitted bytes may have ended a JSON string, so the state of the scan is unknown for the next line.
        defer { if more > 0 { scan = JSONRedactor(redactor.rules) } }
        // One scan over all lines, because a name can be on one line and its value on the next.
        let masked = redactor.rules.isOn ? scan.mask(line + [0x0A]).dropLast(where: { $0 == 0x0A }) : line[...]
        let shown = redactor.text(afterJSON: String(decoding: masked, as: UTF8.self))
        guard shown.utf8.count > limit || more > 0 else { return .text(shown, .text, more: 0) }
        return .text(
            String(decoding: shown.utf8.prefix(limit), as: UTF8.self), .text, more: Int64(max(0, size - limit)))
    }
}

extension [UInt8] {
    /// Returns the bytes without the trailing ones that satisfy a condition.
    fileprivate func dropLast(where isDropped: (UInt8) -> Bool) -> ArraySlice<UInt8> {
        var slice = self[...]
        while let last = slice.last, isDropped(last) { slice.removeLast() }
        return slice
    }
}
