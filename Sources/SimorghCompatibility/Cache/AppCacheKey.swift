// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Crypto
package import SimorghCore

/// The key of an entry in an application cache.
///
/// Keys cannot collide: each component is hashed after its length.
package struct AppCacheKey: Sendable, Hashable {
    /// The kind of an entry; responses, data and values have separate keys.
    package enum Kind: String, Sendable, Hashable {
        /// The response to a GET that is decoded.
        case answer
        /// Downloaded bytes.
        case data
        /// A downloaded image.
        case image
        /// A value of the application.
        case value
    }

    package let kind: Kind
    /// The partition, which names the user.
    package let partition: String
    /// The URL, or the name that the application set.
    package let name: String
    /// The request's content negotiation fields.
    package let selection: String

    package init(_ kind: Kind, partition: String, name: String, selection: String = "") {
        self.selection = selection
        self.kind = kind
        self.partition = partition
        self.name = name
    }

    /// The key in the blob store.
    package var blob: BlobKey {
        var hash = SHA256()
        for part in ["simorgh-app-2", kind.rawValue, partition, name, selection] {
            withUnsafeBytes(of: UInt64(part.utf8.count).littleEndian) { hash.update(bufferPointer: $0) }
            hash.update(data: Array(part.utf8))
        }
        return BlobKey(BlobGroup(hash.finalize()), variant: 0)
    }
}
