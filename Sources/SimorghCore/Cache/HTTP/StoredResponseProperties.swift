// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes

/// The caching properties that the fields of a stored response state, parsed once instead of at each request.
package struct StoredResponseProperties: Sendable, Equatable {
    /// The caching directives.
    package let control: CacheControl
    /// The date at which the response was generated.
    package let date: CacheDate
    /// The expiration date.
    package let expires: CacheDate
    /// True if the response has an `Expires` field, valid or not.
    package let hasExpires: Bool
    /// The date of the last modification.
    package let lastModified: CacheDate
    /// True if the response has an Age field.
    package let hasAge: Bool
    /// The age at arrival, in seconds; `nil` if unknown.
    package let age: Int64?
    /// True if the body has a content encoding.
    package let isEncoded: Bool

    /// The names of the parsed fields.
    package static let names: Set<HTTPField.Name> = [
        .cacheControl, .date, .expires, .lastModified, .age, .contentEncoding,
    ]

    package init(_ fields: HTTPFields) {
        var (control, age, isEncoded) = (CacheControl(), nil as String?, false)
        var (date, expires, lastModified) = (SingleLine(), SingleLine(), SingleLine())
        // A single pass, since every stored response is parsed here.
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
        hasExpires = expires.isPresent
        self.lastModified = CacheDate(lastModified.value)
        hasAge = age != nil
        self.age = age.flatMap { CacheFreshness.age(in: $0) }
        self.isEncoded = isEncoded
    }

    /// The line of a field that may have only one; several lines count as invalid.
    private struct SingleLine {
        private(set) var value: String?
        private(set) var isPresent = false

        mutating func take(_ line: String) {
            value = isPresent ? nil : line
            isPresent = true
        }
    }
}
