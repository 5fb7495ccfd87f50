// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes

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

    private enum Argument: Sendable, Equatable {
        case none
        case text(String)
        /// Blanks around the equals sign, or a quoted string without its end.
        case malformed
    }

    /// More seconds than this are as many as this: 68 years.
    package static let longest: Int64 = 2_147_483_648

    /// By name, in small letters; the first of several counts.
    private var directives: [String: Argument] = [:]
    /// The fields that `no-cache` names, of all its occurrences, and whether one named none.
    private var noCacheNames: [HTTPField.Name] = []
    private var isNoCacheBare = false

    /// The directives of a message.
    package init(_ fields: HTTPFields) {
        guard fields.has(.cacheControl) else { return }
        for member in FieldList.members(.cacheControl, of: fields) { take(member) }
    }

    private mutating func take(_ member: String) {
        let (name, argument) = Self.parts(of: member)
        if name == "no-cache" {
            // Names that cannot be read are as good as none: it is the stricter reading.
            let names = Self.names(argument)
            if names.isEmpty { isNoCacheBare = true } else { noCacheNames += names }
        }
        if directives[name] == nil { directives[name] = argument }
    }

    private static func parts(of member: String) -> (String, Argument) {
        guard let sign = member.utf8.firstIndex(of: UInt8(ascii: "=")) else { return (member.lowercased(), .none) }
        let (name, value) = (member[..<sign], member[member.utf8.index(after: sign)...])
        let trimmed = FieldList.trimmed(name)
        let isTight = trimmed.utf8.count == name.utf8.count && FieldList.trimmed(value).utf8.count == value.utf8.count
        return (trimmed.lowercased(), isTight ? unquoted(value) : .malformed)
    }

    private static func unquoted(_ value: Substring) -> Argument {
        guard value.utf8.first == UInt8(ascii: "\"") else { return .text(String(value)) }
        guard value.utf8.count >= 2, value.utf8.last == UInt8(ascii: "\"") else { return .malformed }
        var (text, isEscaped) = ([UInt8](), false)
        for byte in value.utf8.dropFirst().dropLast() {
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

    /// Whether there is no directive at all.
    package var isEmpty: Bool { directives.isEmpty }

    /// Whether a directive is there, whatever its argument.
    package func has(_ name: String) -> Bool { directives[name] != nil }

    /// The seconds of a directive; `nil` where it is not there.
    package func seconds(_ name: String) -> Seconds? {
        switch directives[name] {
        case nil: nil
        case .text(let text): Self.seconds(text).map { .valid($0) } ?? .invalid
        default: .invalid
        }
    }

    /// A number of seconds; `nil` for what is not only digits, and more than can be counted are as many as can.
    package static func seconds(_ text: String) -> Int64? {
        guard !text.isEmpty, text.utf8.allSatisfy(ByteSet.digits.contains) else { return nil }
        return min(Int64(text) ?? .max, longest)
    }

    /// Whether nothing of the exchange may be stored.
    package var noStore: Bool { has("no-store") }
    /// Whether the whole response needs to be validated before each use.
    package var noCache: Bool { isNoCacheBare }
    /// The fields that must not be used without validation.
    package var fieldsNotCached: [HTTPField.Name] { noCacheNames }
    /// Whether it may be stored by caches for many.
    package var isPublic: Bool { has("public") }
    /// Whether it is for one user; whether fields are named does not matter here.
    package var isPrivate: Bool { has("private") }
    /// Whether a stale response must not be used without the server's word.
    package var mustRevalidate: Bool { has("must-revalidate") }
    /// Whether only a cache that knows the status may store it.
    package var mustUnderstand: Bool { has("must-understand") }
    /// Whether the response does not change while it is fresh.
    package var isImmutable: Bool { has("immutable") }
    /// Whether a request is not to reach the server.
    package var onlyIfCached: Bool { has("only-if-cached") }
    /// For how long a response is fresh, or how old a request accepts it.
    package var maxAge: Seconds? { seconds("max-age") }
    /// For how much longer a request wants the response to be fresh.
    package var minFresh: Seconds? { seconds("min-fresh") }
    /// For how long a response may be used while a new one is fetched.
    package var staleWhileRevalidate: Seconds? { seconds("stale-while-revalidate") }
    /// For how long a response may be used when the server fails.
    package var staleIfError: Seconds? { seconds("stale-if-error") }

    /// How stale a response a request accepts: `nil` for not at all.
    package var maxStale: Int64? {
        switch directives["max-stale"] {
        case nil: nil
        case Argument.none?: .max
        case .text(let text): Self.seconds(text) ?? 0
        case .malformed: 0
        }
    }
}
