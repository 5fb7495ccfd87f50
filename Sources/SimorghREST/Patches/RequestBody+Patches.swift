// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore

extension RequestBody {
    /// Creates a body of a JSON Merge Patch (RFC 7396), with the media type `application/merge-patch+json`.
    ///
    /// - Parameter value: A ``MergePatch``, or a partial value: members that are not encoded stay as they are, `null`
    ///   removes a member. ``Patched`` distinguishes the two.
    /// - Returns: The body, encoded when the request is made.
    public static func mergePatch(_ value: any Encodable & Sendable) -> RequestBody {
        RequestBody(encodable: value, contentType: "application/merge-patch+json")
    }

    /// Creates a body of a JSON Patch (RFC 6902), with the media type `application/json-patch+json`.
    ///
    /// - Parameter patch: The patch.
    /// - Returns: The body, encoded when the request is made.
    public static func jsonPatch(_ patch: JSONPatch) -> RequestBody {
        RequestBody(encodable: patch, contentType: "application/json-patch+json")
    }
}
