// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes
import SimorghSupport

/// The `Cache-Control` directives of a request or a response (RFC 9111, section 5.2, RFC 5861 and RFC 8246).
package struct CacheControl: Sendable, Equatable {
    /// A number of seconds (RFC 9111, section 1.2.2).
    package enum Seconds: Sendable, Equatable {
        case valid(Int64)
        /// The directive is present, but its value is not a number of seconds.
        case invalid

        /// Returns the number, or `other` if it is invalid.
        package func value(orIfInvalid other: Int64) -> Int64 {
            if case .valid(let seconds) = self { seconds } else { other }
        }
    }

    private enum Argument {
        case none
        case text(String)
        /// Spaces around the equals sign, or an unterminated quoted string.
        case malformed
    }

    /// The maximum number of seconds, 68 years; larger numbers are reduced to it.
    package static let maximumSeconds: Int64 = 2_147_483_648

    /// True if there are no directives.
    package private(set) var isEmpty = true
    /// True if no part of the exchange may be stored.
    package private(set) var noStore = false
    /// True if the whole response must be validated before each use.
    package private(set) var noCache = false
    /// The fields that must not be used without validation, from all occurrences of `no-cache`.
    package private(set) var fieldsNotCached: [HTTPField.Name] = []
    /// True if shared caches may store the response.
    package private(set) var isPublic = false
    /// True if the response is for one user, with or without field names.
    package private(set) var isPrivate = false
    /// True if a stale response must not be used without validation.
    package private(set) var mustRevalidate = false
    /// True if only a cache that understands the status code may store the response.
    package private(set) var mustUnderstand = false
    /// True if the response does not change while it is fresh.
    package private(set) var isImmutable = false
    /// True if a request must not reach the server.
    package private(set) var onlyIfCached = false
    /// The freshness lifetime of a response, or the maximum age that a request accepts.
    package private(set) var maxAge: Seconds?
    /// The remaining freshness lifetime that a request requires.
    package private(set) var minFresh: Seconds?
    /// The time for which a stale response may be used while a new one is fetched.
    package private(set) var staleWhileRevalidate: Seconds?
    /// The time for which a stale response may be used if the server fails.
    package private(set) var staleIfError: Seconds?
    /// The maximum staleness that a request accepts, in seconds; `nil` if it accepts no stale response.
    package private(set) var maxStale: Int64?

    /// Creates an empty set of directives.
    init() {}

    /// Adds the directives of one field line.
    mutating func take(line: String) { FieldList.forEachMember(of: line) { take($0) } }

    /// Creates the directives of a message.
    package init(_ fields: HTTPFields) {
        for field in fields where field.name == .cacheControl { take(line: field.value) }
    }

    /// Adds a directive; if one with an argument is repeated, the first occurrence counts.
    private mutating func take(_ member: Slice<UnsafeBufferPointer<UInt8>>) {
        isEmpty = false
        let (name, argument) = Self.parts(of: member)
        switch name {
        case "no-store": noStore = true
        case "no-cache":
            // Invalid field names are ignored, which leads to the stricter reading.
            let names = Self.names(argument)
            if names.isEmpty { noCache = true } else { fieldsNotCached += names }
        case "public": isPublic = true
        case "private": isPrivate = true
        case "must-revalidate": mustRevalidate = true
        case "must-understand": mustUnderstand = true
        case "immutable": isImmutable = true
        case "only-if-cached": onlyIfCached = true
        case "max-age": maxAge = maxAge ?? Self.seconds(of: argument)
        case "min-fresh": minFresh = minFresh ?? Self.seconds(of: argument)
        case "stale-while-revalidate": staleWhileRevalidate = staleWhileRevalidate ?? Self.seconds(of: argument)
        case "stale-if-error": staleIfError = staleIfError ?? Self.seconds(of: argument)
        case "max-stale": maxStale = maxStale ?? Self.staleness(of: argument)
        default: break
        }
    }

    private static func parts(of member: Slice<UnsafeBufferPointer<UInt8>>) -> (String, Argument) {
        guard let sign = member.firstIndex(of: UInt8(ascii: "=")) else { return (text(member).lowercased(), .none) }
        let (name, value) = (member[..<sign], member[(sign + 1)...])
        let trimmed = name.trimmingBlanks
        let hasNoSpaces = trimmed.count == name.count && value.trimmingBlanks.count == value.count
        return (text(trimmed).lowercased(), hasNoSpaces ? unquoted(value) : .malformed)
    }

    private static func text(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> String {
        String(decoding: UnsafeBufferPointer(rebasing: bytes), as: UTF8.self)
    }

    private static func unquoted(_ value: Slice<UnsafeBufferPointer<UInt8>>) -> Argument {
        guard value.first == UInt8(ascii: "\"") else { return .text(text(value)) }
        guard value.count >= 2, value.last == UInt8(ascii: "\"") else { return .malformed }
        var (text, isEscaped) = ([UInt8](), false)
        for byte in value.dropFirst().dropLast() {
            if byte == UInt8(ascii: "\\"), !isEscaped {
                isEscaped = true
            } else {
                text.append(byte)
                isEscaped = false
            }
        }
        return .text(String(decoding: text, as: UTF8.self))
    }

    private static func names(_ argument: Argument) -> [HTTPField.Name] {
        guard case .text(let text) = argument else { return [] }
        return FieldList.members(of: text).compactMap { HTTPField.Name($0) }
    }

    private static func seconds(of argument: Argument) -> Seconds {
        guard case .text(let text) = argument, let seconds = seconds(text) else { return .invalid }
        return .valid(seconds)
    }

    private static func staleness(of argument: Argument) -> Int64 {
        switch argument {
        case .none: .max
        case .text(let text): seconds(text) ?? 0
        case .malformed: 0
        }
    }

    /// Returns a number of seconds, reduced to ``longest``; `nil` if the text has other characters than digits.
    package static func seconds(_ text: String) -> Int64? {
        guard !text.isEmpty, text.utf8.allSatisfy(ByteSet.digits.contains) else { return nil }
        return min(Int64(text) ?? .max, maximumSeconds)
    }
}
