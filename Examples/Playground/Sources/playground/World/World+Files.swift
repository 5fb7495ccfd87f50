// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghTesting

extension World {
    /// Adds the sample files, which support range requests, each connection at about 640 KB a second.
    func addFiles() {
        for file in SampleFile.all {
            let path = "/files/\(file.name)"
            server.on(path) { Self.answer(file, to: $0) }
        }
    }

    private static func described(_ response: StubResponse, _ file: SampleFile) -> StubResponse {
        response.header(.acceptRanges, value: "bytes").header(.eTag, value: file.tag)
            .header(.lastModified, value: "Mon, 02 Feb 2026 10:00:00 GMT")
    }

    private static func answer(_ file: SampleFile, to request: RecordedRequest) -> StubResponse {
        let count = file.bytes.count
        var range = 0..<count
        var status = 200
        let isSame = (request.header(.ifRange) ?? file.tag) == file.tag
        switch ByteRange(isSame ? request.header(.range) : nil, of: count) {
        case .whole: break
        case .part(let asked): (range, status) = (asked, 206)
        case .unsatisfiable:
            return described(.status(.rangeNotSatisfiable), file).header(.contentRange, value: "bytes */\(count)")
        }
        let pieces = stride(from: range.lowerBound, to: range.upperBound, by: 32_768).map { start in
            Data(file.bytes[start..<min(range.upperBound, start + 32_768)])
        }
        let response = described(
            paced(pieces, every: .milliseconds(50), contentType: file.contentType, status: status), file
        ).header(.contentLength, value: "\(range.count)")
        guard status == 206 else { return response }
        return response.header(.contentRange, value: "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(count)")
    }
}
