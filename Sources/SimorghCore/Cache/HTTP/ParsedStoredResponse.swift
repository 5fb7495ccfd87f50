// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The parsed metadata of a cached response, kept with its blob; see ``BlobAttachment``.
package final class ParsedStoredResponse: Sendable {
    package let response: StoredResponse

    private init(_ response: StoredResponse) { self.response = response }

    /// Returns the stored response of a blob; `nil` if its metadata cannot be parsed.
    package static func response(of blob: StoredBlob) -> StoredResponse? {
        let parsed: ParsedStoredResponse? = blob.attachment.value {
            StoredResponse(encoded: blob.metadata).map { ParsedStoredResponse($0) }
        }
        return parsed?.response
    }

    /// Returns the attachment of a blob that holds a response.
    package static func attachment(of response: StoredResponse) -> BlobAttachment {
        BlobAttachment(ParsedStoredResponse(response))
    }
}
