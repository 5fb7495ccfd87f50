// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes
import SimorghSupport

/// The directives of `Cache-Control` (RFC 9111, section 5.2, RFC 5861 and RFC 8246), of a request or a response.
package struct CacheControl: Sendable, Equatable {
    /// A number of seconds (RFC 9111, section 1.2.2).
    package enum Seconds: Sendable, Equatable {
        case valid(Int64)
        /// The directive is there and its value is no number of seconds.
        case invalid

        /// The number, or what stands for one that cannot be read.
        package func value(orIfInvalid other: Int64) -> Int64 {
            if case .valid(let seconds) = self { seconds } else { other }
        }
    }

    private enum Argument {
        case none
        case text(String)
        /// Blanks around the equals sign, or a quoted string without its end.
        case malformed
    }

    /// More seconds than this are as many as this: 68 years.
    package static let longest: Int64 = 2_147_483_648

    /// Whether there is no directive at all.
    package private(set) var isEmpty = true
    /// Whether nothing of the exchange may be stored.
    package private(set) var noStore = false
    /// Whether the whole response needs to be validated before each use.
    package private(set) var noCache = false
    /// The fields that must not be used without validation: what `no-cache` names, of all its occurrences.
    package private(set) var fieldsNotCached: [HTTPField.Name] = []
    /// Whether it may be stored by caches for many.
    package private(set) var isPublic = false
    /// Whether it is for one user; whether fields are named does not matter here.
    package private(set) var isPrivate = false
    /// Whether a stale response must not be used without the server's word.
    package private(set) var mustRevalidate = false
    /// Whether only a cache that knows the status may store it.
    package private(set) var mustUnderstand = false
    /// Whether the response does not change while it is fresh.
    package private(set) var isImmutable = false
    /// Whether a request is not to reach the server.
    package private(set) var onlyIfCached = false
    /// For how long a response is fresh, or how old a request accepts it.
    package private(set) var maxAge: Seconds?
    /// For how much longer a request wants the response to be fresh.
    package private(set) var minFresh: Seconds?
    /// For how long a response may be used while a new one is fetched.
    package private(set) var staleWhileRevalidate: Seconds?
    /// For how long a response may be used when the server fails.
    package private(set) var staleIfError: Seconds?
    /// How stale a response a request accepts: `nil` for not at all.
    package private(set) var maxStale: Int64?

    /// No directives.
    init() {}

    /// Takes the directives of one line.
    mutating func take(line: String) { FieldList.forEachMember(of: line) { take($0) } }

    /// The directives of a message.
    package init(_ fields: HTTPFields) {
        for field in fields where field.name == .cacheControl { take(line: field.value) }
    }

    /// Takes a directive; of several with one argument the first counts.
    private mutating func take(_ member: Slice<UnsafeBufferPointer<UInt8>>) {
        isEmpty = false
        let (name, argument) = Self.parts(of: member)
        switch name {
        case "no-store": noStore = true
        case "no-cache":
            // Names that cannot be read are as good as none: it is the stricter reading.
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
        let isTight = trimmed.count == name.count && value.trimmingBlanks.count == value.count
        return (text(trimmed).lowercased(), isTight ? unquoted(value) : .malformed)
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

    /// A number of seconds; `nil` for what is not only digits, and more than can be counted are as many as can.
    package static func seconds(_ text: String) -> Int64? {
        guard !text.isEmpty, text.utf8.allSatisfy(ByteSet.digits.contains) else { return nil }
        return min(Int64(text) ?? .max, longest)
    }
}
