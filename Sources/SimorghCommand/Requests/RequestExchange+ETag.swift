// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
import Simorgh
import SimorghSupport

extension RequestExchange {
    /// Saves the entity tag of a response whose body is complete, for `--etag-save`.
    ///
    /// An incomplete body keeps the earlier tag, so that the next run with `--etag-compare` fetches it again.
    ///
    /// - Parameter response: The response. Only one with a status from 200 to 299, or a 304 with a tag, changes the file.
    /// - Throws: ``OutputError``.
    func saveETag(of response: StreamingResponse) async throws {
        guard let path = request.etagSave else { return }
        // The tag of another origin would be sent to the first one.
        let tag = response.redirects.contains(where: \.leavesOrigin) ? nil : response.headers[.eTag]
        guard (200..<300).contains(response.statusCode) || response.statusCode == 304 && tag != nil else { return }
        let file = try FileOutput(path)
        try await file.write(Data((tag.map { $0 + "\n" } ?? "").utf8))
        try await file.commit()
    }
}
#endif
