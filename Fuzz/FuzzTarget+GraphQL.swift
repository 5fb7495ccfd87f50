// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghGraphQL
import SimorghSupport

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension FuzzTarget {
    /// Parts of a multipart response: the same wherever the bytes are split, within the limit, and without a delimiter.
    static let multipartMixed = FuzzTarget(name: "multipart-mixed") { bytes in
        let limit = [4096, 0, 3, 16][bytes.below(4)]
        let size = 1 + bytes.below(32)
        let input = bytes.rest
        let whole = read(input, limit: limit, size: max(1, input.count))
        precondition(whole == read(input, limit: limit, size: size), "the parts differ")
        for part in whole.parts {
            precondition(part.body.count <= limit, "longer than the limit")
            precondition(!String(decoding: part.body, as: UTF8.self).contains("\r\n--b"), "a delimiter in a part")
        }
    }

    private struct Reading: Equatable {
        var parts: [MultipartMixedParser.Part] = []
        var error: GraphQLProtocolError.Reason?
    }

    private static func read(_ input: [UInt8], limit: Int, size: Int) -> Reading {
        var reading = Reading()
        guard var parser = MultipartMixedParser(boundary: [UInt8(ascii: "b")], limit: limit) else { return reading }
        do throws(GraphQLProtocolError) {
            for start in stride(from: 0, to: input.count, by: size) {
                // A copy, so that a read past its end is detected.
                let piece = Array(input[start..<min(start + size, input.count)])
                var position = 0
                while position < piece.count {
                    let part = try piece.withUnsafeBufferPointer { bytes throws(GraphQLProtocolError) in
                        try parser.next(in: UnsafeRawBufferPointer(bytes), at: &position)
                    }
                    guard let part else {
                        precondition(position == piece.count, "bytes are left without a part")
                        break
                    }
                    reading.parts.append(part)
                }
            }
            try parser.finish()
        } catch {
            reading.error = error.reason
        }
        return reading
    }

    /// Payloads of an incremental response, one on each line: merged, or refused with a reason.
    static let graphQLPatches = FuzzTarget(name: "graphql-patches") { bytes in
        var merger = GraphQLResultMerger(maximumPatches: 100)
        let input = bytes.rest
        for line in input.split(separator: 0x0A) {
            guard let payload = try? JSON(parsing: Data(line)) else { return }
            do {
                try merger.apply(payload)
            } catch {
                return
            }
            precondition(merger.errors.count <= input.count, "more errors than bytes")
            precondition((try? JSON.object(["data": merger.data]).data()) != nil, "the data cannot be written")
        }
    }

    /// Documents: read without a trap, and the kind of an operation behind any valid document is found.
    static let graphQLDocument = FuzzTarget(name: "graphql-document") { bytes in
        let document = GraphQLDocument(bytes.text)
        precondition(document.operations.count <= GraphQLDocument.maximumOperations)
        guard !document.operations.isEmpty, document.operations.count < GraphQLDocument.maximumOperations else {
            return
        }
        let longer = GraphQLDocument(bytes.text + "\n mutation { a }")
        precondition(longer.operations == document.operations + GraphQLDocument("mutation { a }").operations)
    }
}
