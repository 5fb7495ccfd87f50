// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Dispatch
import NIOCore
import SimorghCore
import SimorghNIO
import SimorghRealtime
import SimorghTesting

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension FuzzTarget {
    /// multipart/form-data: a parser finds the names and bytes that were put in.
    static let multipart = FuzzTarget(name: "multipart") { bytes in
        let boundary = "simorgh-boundary"
        let texts = bytes.texts
        var fields: [MultipartFormField] = []
        for index in stride(from: 0, to: texts.count - 1, by: 2) where !texts[index + 1].contains(boundary) {
            let data = Data(texts[index + 1].utf8)
            // At most a few, since each is read by its own task.
            guard fields.count < 4 else { break }
            // The standard does not escape backslashes: a parser that takes one for an escape reads past the quote.
            guard texts[index].utf8.last != UInt8(ascii: "\\") else { continue }
            fields.append(.file(name: texts[index], data: data, fileName: texts[index], mimeType: "a/b"))
        }
        guard let body = try? RequestBody.form(fields, boundary: boundary), let sent = collected(body) else {
            preconditionFailure("the form was refused")
        }
        precondition(body.length == Int64(sent.count), "the length differs from the number of bytes")
        var parser = MultipartParser(boundary: boundary)
        guard let events = try? parser.read(sent), parser.isComplete else {
            preconditionFailure("the form cannot be parsed")
        }
        var index = -1
        var content = Data()
        for event in events {
            switch event {
            case .began(let head):
                index += 1
                content = Data()
                guard fields.indices.contains(index), case .file(let name, _, _, _) = fields[index] else {
                    preconditionFailure("more parts than fields")
                }
                // Escapes cannot be told from text that looks like them; the standard defines it so.
                precondition(plain(head.filename) == plain(name), "the name differs")
            case .bytes(let part): content += part
            case .ended:
                guard case .file(_, let data, _, _) = fields[index] else { return }
                precondition(content == data, "the content differs")
            }
        }
        precondition(index == fields.count - 1, "fewer parts than fields")
    }

    /// The first bytes of a file, and its name: detection accepts any input.
    static let mimeTypes = FuzzTarget(name: "mime-types") { bytes in
        let data = Data(bytes.rest)
        _ = MimeTypeDetector.detectMimeType(from: data)
        _ = MimeTypeDetector.detectMimeType(from: data, fileName: bytes.text)
    }

    /// Compressed bodies: decompressed alike however they are split.
    static let inflate = FuzzTarget(name: "inflate") { bytes in
        let format: ZlibDecompressor.Format = bytes.below(2) == 0 ? .gzip : .deflate
        let piece = 1 + bytes.below(32)
        let input = bytes.rest
        let whole = inflated(input, format, piece: max(1, input.count))
        precondition(inflated(input, format, piece: piece) == whole, "decompressed differently in pieces")
    }

    /// Returns a body if it is complete; the beginning of a decompression bomb, and `nil` for corrupt data.
    private static func inflated(_ bytes: [UInt8], _ format: ZlibDecompressor.Format, piece: Int) -> [UInt8]? {
        let inflater = ZlibDecompressor(format)
        var output: [UInt8] = []
        var rest = bytes[...]
        do {
            while !rest.isEmpty {
                inflater.feed(ByteBuffer(bytes: rest.prefix(piece)))
                rest = rest.dropFirst(piece)
                while let part = try inflater.next(upTo: 1024) {
                    precondition((1...1024).contains(part.readableBytes), "a part is empty or larger than requested")
                    output += part.readableBytesView
                    if output.count >= 1 << 20 { return Array(output.prefix(1 << 20)) }
                }
            }
            try inflater.finish()
            return output
        } catch {
            return nil
        }
    }

    private static func plain(_ name: String?) -> String {
        var name = name ?? ""
        for (escape, meaning) in [("%22", "\""), ("%0D", "\r"), ("%0A", "\n"), ("\\\\", "\\"), ("\\\"", "\"")] {
            name = name.replacing(escape, with: meaning)
        }
        return name
    }

    /// Returns the bytes of a body; blocks the thread of libFuzzer.
    private static func collected(_ body: RequestBody) -> Data? {
        guard case .chunks(let make) = body.content else { return nil }
        let done = DispatchSemaphore(value: 0)
        let result = ResultBox()
        Task.detached {
            var iterator = make()
            var sent = Data()
            while let chunk = try? await iterator.next(isolation: nil) { sent += chunk }
            result.set(sent)
            done.signal()
        }
        done.wait()
        return result.value
    }
}
