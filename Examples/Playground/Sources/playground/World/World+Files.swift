// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghTesting

extension World {
    /// The files of the catalogue, in parts where they are asked for so, each connection at about 640 KB a second.
    func addFiles() {
        for file in SampleFile.all {
            let path = "/files/\(file.name)"
            server.on(.get, path) { Self.answer(file, to: $0) }
        }
    }

    private static func described(_ response: StubResponse, _ file: SampleFile) -> StubResponse {
        response.header(.acceptRanges, "bytes").header(.eTag, file.tag)
            .header(.lastModified, "Mon, 02 Feb 2026 10:00:00 GMT")
    }

    private static func answer(_ file: SampleFile, to request: RecordedRequest) -> StubResponse {
        var range = 0..<file.bytes.count
        var status = 200
        let condition = request.header(.ifRange) ?? file.tag
        if let field = request.header(.range), condition == file.tag {
            guard let asked = part(field, of: file.bytes.count) else {
                return described(.status(.rangeNotSatisfiable), file)
                    .header(.contentRange, "bytes */\(file.bytes.count)")
            }
            (range, status) = (asked, 206)
        }
        let pieces = stride(from: range.lowerBound, to: range.upperBound, by: 32_768).map { start in
            Data(file.bytes[start..<min(range.upperBound, start + 32_768)])
        }
        let response = described(
            paced(pieces, every: .milliseconds(50), contentType: file.contentType, status: status), file
        ).header(.contentLength, "\(range.count)")
        guard status == 206 else { return response }
        return response.header(
            .contentRange, "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(file.bytes.count)")
    }

    /// The one range that a field asks for: `bytes=0-99`, `bytes=100-`, `bytes=-50`.
    private static func part(_ field: String, of count: Int) -> Range<Int>? {
        guard field.hasPrefix("bytes="), !field.contains(",") else { return nil }
        let ends = field.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2 else { return nil }
        guard let first = Int(ends[0]) else {
            guard ends[0].isEmpty, let last = Int(ends[1]), last > 0 else { return nil }
            return max(0, count - last)..<count
        }
        let last = ends[1].isEmpty ? count - 1 : Int(ends[1]) ?? -1
        guard first < count, last >= first else { return nil }
        return first..<min(count, last + 1)
    }
}
