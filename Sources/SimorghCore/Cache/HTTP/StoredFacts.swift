// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes

/// What the fields of a stored response say of its use: read once, and not at each request that it may answer.
package struct StoredFacts: Sendable, Equatable {
    /// What the response says of caching.
    package let control: CacheControl
    /// When it was made.
    package let date: CacheDate
    /// Up to when it is fresh, as far as that can be read.
    package let expires: CacheDate
    /// Whether there is a word on that.
    package let hasExpires: Bool
    /// When it was last changed.
    package let lastModified: CacheDate
    /// True if the response has an Age field.
    package let hasAge: Bool
    /// How old it was when it came, in seconds; `nil` where nobody said.
    package let age: Int64?
    /// Whether its body has a coding.
    package let isEncoded: Bool

    /// The fields that are read.
    package static let names: Set<HTTPField.Name> = [
        .cacheControl, .date, .expires, .lastModified, .age, .contentEncoding,
    ]

    package init(_ fields: HTTPFields) {
        var (control, age, isEncoded) = (CacheControl(), nil as String?, false)
        var (date, expires, lastModified) = (OnlyLine(), OnlyLine(), OnlyLine())
        // One pass, as every response that is stored is read so.
        for index in fields.indices {
            switch fields[index].name {
            case .cacheControl: control.take(line: fields[index].value)
            case .date: date.take(fields[index].value)
            case .expires: expires.take(fields[index].value)
            case .lastModified: lastModified.take(fields[index].value)
            case .age: age = age ?? fields[index].value
            case .contentEncoding: isEncoded = true
            default: break
            }
        }
        self.control = control
        self.date = CacheDate(date.value)
        self.expires = CacheDate(expires.value)
        hasExpires = expires.isThere
        self.lastModified = CacheDate(lastModified.value)
        hasAge = age != nil
        self.age = age.flatMap { CacheFreshness.age(in: $0) }
        self.isEncoded = isEncoded
    }

    /// The line of a field that may have one; several are as good as none.
    private struct OnlyLine {
        private(set) var value: String?
        private(set) var isThere = false

        mutating func take(_ line: String) {
            value = isThere ? nil : line
            isThere = true
        }
    }
}
