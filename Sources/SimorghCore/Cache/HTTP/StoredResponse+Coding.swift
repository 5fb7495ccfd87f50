// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes

extension StoredResponse {
    /// The version of the format.
    private static let version: UInt8 = 1

    /// The encoded metadata.
    package var encoded: [UInt8] {
        let (url, partition, selectors, fields) = (url, partition, selectors, fields)
        var writer = Writer()
        // Capacity for the numbers and for typical names and values, to avoid most reallocations.
        let texts = url.utf8.count + partition.utf8.count
        writer.bytes.reserveCapacity(128 + texts + (selectors.count + fields.count) * 64)
        writer.append(Self.version)
        writer.append(UInt8((isDecoded ? 1 : 0) | (isInvalidated ? 2 : 0)))
        writer.append(UInt32(clamping: status))
        writer.append(UInt64(bitPattern: requestTime))
        writer.append(UInt64(bitPattern: responseTime))
        writer.append(text: url)
        writer.append(text: partition)
        writer.append(UInt32(clamping: selectors.count))
        for selector in selectors {
            writer.append(text: selector.name.rawName)
            writer.append(UInt8(selector.value == nil ? 0 : 1))
            writer.append(text: selector.value ?? "")
        }
        writer.append(UInt32(clamping: fields.count))
        for field in fields {
            writer.append(text: field.name.rawName)
            field.withUnsafeBytesOfValue { writer.append(block: $0) }
        }
        return writer.bytes
    }

    /// Decodes the bytes of ``encoded``; `nil` if they are invalid, or followed by other bytes.
    package init?(encoded bytes: some Sequence<UInt8>) {
        var reader = Reader(bytes: Array(bytes))
        guard reader.byte() == Self.version, let flags = reader.byte(), flags < 4, let status = reader.uint32(),
            status <= 999, let requestTime = reader.uint64(), let responseTime = reader.uint64(),
            // An invalid time would overflow later calculations.
            max(requestTime, responseTime) < 1 << 53, let url = reader.text(), let partition = reader.text(),
            let selectorCount = reader.uint32()
        else { return nil }
        var (selectors, fields) = ([Selector](), HTTPFields())
        for _ in 0..<selectorCount {
            guard let name = reader.text().flatMap({ HTTPField.Name($0) }), let isPresent = reader.byte(),
                let value = reader.text()
            else { return nil }
            selectors.append(Selector(name: name, value: isPresent == 0 ? nil : value))
        }
        guard let fieldCount = reader.uint32() else { return nil }
        for _ in 0..<fieldCount {
            guard let name = reader.text().flatMap({ HTTPField.Name($0) }), let value = reader.block() else {
                return nil
            }
            fields.append(HTTPField(name: name, lenientValue: value))
        }
        guard reader.isAtEnd else { return nil }
        self.init(
            url: url, partition: partition, status: Int(status), fields: fields, selectors: selectors,
            requestTime: Int64(bitPattern: requestTime), responseTime: Int64(bitPattern: responseTime),
            isDecoded: flags & 1 != 0, isInvalidated: flags & 2 != 0)
    }

    /// A writer of little-endian numbers, and of blocks with their lengths.
    private struct Writer {
        var bytes: [UInt8] = []

        mutating func append(_ number: some FixedWidthInteger) {
            // Byte by byte: appending a buffer costs more than these few bytes.
            for shift in stride(from: 0, to: number.bitWidth, by: 8) {
                bytes.append(UInt8(truncatingIfNeeded: number >> shift))
            }
        }

        mutating func append(block: UnsafeBufferPointer<UInt8>) {
            append(UInt32(clamping: block.count))
            bytes.append(contentsOf: block)
        }

        mutating func append(text: String) {
            var text = text
            text.withUTF8 { append(block: $0) }
        }
    }

    private struct Reader {
        let bytes: [UInt8]
        var offset = 0

        var isAtEnd: Bool { offset == bytes.count }

        mutating func byte() -> UInt8? { take(1)?.first }
        mutating func uint32() -> UInt32? { number(4).map { UInt32(truncatingIfNeeded: $0) } }
        mutating func uint64() -> UInt64? { number(8) }
        mutating func block() -> ArraySlice<UInt8>? { uint32().flatMap { take(Int($0)) } }
        mutating func text() -> String? { block().flatMap { String(validating: $0, as: UTF8.self) } }

        private mutating func number(_ count: Int) -> UInt64? {
            take(count).map { $0.reversed().reduce(0) { $0 << 8 | UInt64($1) } }
        }

        private mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
            guard count <= bytes.count - offset else { return nil }
            defer { offset += count }
            return bytes[offset..<offset + count]
        }
    }
}
