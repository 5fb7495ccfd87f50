// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// What is beside a blob, understood: kept with the blob, see ``BlobNote``.
package final class UnderstoodResponse: Sendable {
    package let response: StoredResponse

    private init(_ response: StoredResponse) { self.response = response }

    /// The response of a blob; `nil` where what is beside it is none.
    package static func response(of blob: StoredBlob) -> StoredResponse? {
        let understood: UnderstoodResponse? = blob.note.value {
            StoredResponse(encoded: blob.metadata).map { UnderstoodResponse($0) }
        }
        return understood?.response
    }

    /// The note of a blob that holds a response.
    package static func note(of response: StoredResponse) -> BlobNote { BlobNote(UnderstoodResponse(response)) }
}
