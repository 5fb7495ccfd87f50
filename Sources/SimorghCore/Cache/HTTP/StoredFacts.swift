// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes

/// What the fields of a stored response say of its use: read once, and not at each request that it may answer.
package struct StoredFacts: Sendable, Equatable {
    /// What the response says of caching.
    package let control: CacheControl
    /// When it was made.
    package let date: CacheDate.Reading
    /// Up to when it is fresh, as far as that can be read.
    package let expires: CacheDate.Reading
    /// Whether there is a word on that.
    package let hasExpires: Bool
    /// When it was last changed.
    package let lastModified: CacheDate.Reading
    /// How old it was when it came, in seconds; `nil` where nobody said.
    package let age: Int64?
    /// Whether its body has a coding.
    package let isEncoded: Bool

    package init(_ fields: HTTPFields) {
        control = CacheControl(fields)
        date = CacheDate.Reading(.date, of: fields)
        expires = CacheDate.Reading(.expires, of: fields)
        hasExpires = fields.has(.expires)
        lastModified = CacheDate.Reading(.lastModified, of: fields)
        age = CacheFreshness.ageField(fields)
        isEncoded = fields.has(.contentEncoding)
    }
}
