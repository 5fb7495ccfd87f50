// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// What came in a multipart body.
package struct UploadSummary: Sendable {
    /// One part, summed up.
    package struct Part: Sendable, Hashable {
        package var name: String?
        package var filename: String?
        package var contentType: String?
        package var size: Int64 = 0
        package var sha256 = ""
        /// The part's text, where it is UTF-8 and no larger than 64 KiB.
        package var text: String?
    }

    package var parts: [Part] = []
    /// Why the body is no valid multipart; `nil` if it is.
    package var failure: String?
}
