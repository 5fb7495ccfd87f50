// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Crypto
package import SimorghCore

/// Under what an application keeps something.
///
/// No two of them meet: the parts stand behind their lengths.
package struct AppCacheKey: Sendable, Hashable {
    /// What kind of thing it is: answers, data and values are kept apart.
    package enum Kind: String, Sendable, Hashable {
        /// The answer to a GET that is decoded.
        case answer
        /// Bytes that were downloaded.
        case data
        /// An image that was downloaded.
        case image
        /// A value of the application's own.
        case value
    }

    package let kind: Kind
    /// Whose it is.
    package let partition: String
    /// The URL, or the name that the application gave.
    package let name: String
    /// What the request says of the answer that it wants.
    package let selection: String

    package init(_ kind: Kind, partition: String, name: String, selection: String = "") {
        self.selection = selection
        self.kind = kind
        self.partition = partition
        self.name = name
    }

    /// Its name in the store.
    package var blob: BlobKey {
        var hash = SHA256()
        for part in ["simorgh-app-2", kind.rawValue, partition, name, selection] {
            withUnsafeBytes(of: UInt64(part.utf8.count).littleEndian) { hash.update(bufferPointer: $0) }
            hash.update(data: Array(part.utf8))
        }
        return BlobKey(BlobGroup(hash.finalize()), variant: 0)
    }
}
