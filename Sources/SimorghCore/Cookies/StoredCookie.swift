// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghSupport

/// A cookie in a ``CookieStore``.
public struct StoredCookie: Sendable, Hashable, Codable {
    /// A rule for sending a cookie with requests that another site caused.
    public enum SameSite: String, Sendable, Hashable, Codable {
        /// The cookie is not sent with such requests.
        case strict
        /// The cookie is sent with such requests only if their method is safe.
        case lax
        /// The cookie is sent with all requests: `None` in a `Set-Cookie` field, which requires `Secure`.
        case unrestricted = "none"
    }

    /// The name and the value of a cookie in which at least one of them is not UTF-8.
    package struct RawPair: Sendable, Hashable, Codable {
        package let name: [UInt8]
        package let value: [UInt8]

        /// Creates a pair; `nil` if both are valid UTF-8, so that strings can represent them.
        package init?(name: [UInt8], value: [UInt8]) {
            guard String(validating: name, as: UTF8.self) == nil || String(validating: value, as: UTF8.self) == nil
            else {
                return nil
            }
            self.name = name
            self.value = value
        }
    }

    /// The name; empty for a cookie without a name.
    public let name: String
    /// The value, as it was sent.
    ///
    /// Bytes that are not UTF-8 appear as replacement characters in the value and the name; the cookie is stored and
    /// sent with the bytes that the server set.
    public let value: String
    /// The bytes of the name and the value; `nil` if both are UTF-8.
    package private(set) var rawPair: RawPair?
    /// The host, or the domain whose hosts share the cookie; in lowercase, without a leading dot.
    public let domain: String
    /// A Boolean value that indicates whether only the host itself receives the cookie, and not its subdomains.
    public let isHostOnly: Bool
    /// The path that the path of a request must begin with.
    public let path: String
    /// The time at which the cookie expires; `nil` if it expires with the program.
    public let expires: Date?
    /// The time at which the cookie was first set.
    public internal(set) var created: Date
    /// The time at which the cookie was last set or sent.
    public internal(set) var lastUsed: Date
    /// A Boolean value that indicates whether the cookie is sent only over TLS.
    public let isSecure: Bool
    /// A Boolean value that indicates whether browsers hide the cookie from scripts; it has no effect here.
    public let isHTTPOnly: Bool
    /// The rule for requests that another site caused.
    ///
    /// `nil` if the server set no rule, which has the effect of ``SameSite/lax``.
    public let sameSite: SameSite?

    /// Creates a cookie.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - value: The value.
    ///   - domain: The host, or the domain whose hosts share the cookie; a leading dot is removed.
    ///   - isHostOnly: True if only the host itself receives the cookie.
    ///   - path: The path that the path of a request must begin with.
    ///   - expires: The time at which the cookie expires; `nil` if it expires with the program.
    ///   - created: The time at which the cookie was first set.
    ///   - isSecure: True if the cookie is sent only over TLS.
    ///   - isHTTPOnly: True if browsers hide the cookie from scripts.
    ///   - sameSite: The rule for requests that another site caused.
    public init(
        name: String,
        value: String,
        domain: String,
        isHostOnly: Bool = true,
        path: String = "/",
        expires: Date? = nil,
        created: Date = Date(),
        isSecure: Bool = false,
        isHTTPOnly: Bool = false,
        sameSite: SameSite? = nil
    ) {
        self.name = name
        self.value = value
        let host = (domain.hasPrefix(".") ? String(domain.dropFirst()) : domain).lowercased()
        // Hosts of requests are in punycode.
        self.domain = host.utf8.allSatisfy { $0 < 0x80 } ? host : HostSyntax.normalized(host) ?? host
        self.isHostOnly = isHostOnly
        self.path = path
        self.expires = expires
        self.created = created
        self.lastUsed = created
        self.isSecure = isSecure
        self.isHTTPOnly = isHTTPOnly
        self.sameSite = sameSite
    }

    /// Returns the cookie with the bytes of its name and value, if strings cannot represent them.
    func with(_ rawPair: RawPair?) -> StoredCookie {
        var cookie = self
        cookie.rawPair = rawPair
        return cookie
    }

    /// The bytes of the name.
    var nameBytes: [UInt8] { rawPair?.name ?? Array(name.utf8) }

    /// The bytes of the value.
    var valueBytes: [UInt8] { rawPair?.value ?? Array(value.utf8) }

    /// Returns true if the cookie has expired.
    ///
    /// - Parameter date: The time to compare with.
    /// - Returns: True if the cookie has expired by then.
    public func isExpired(at date: Date) -> Bool { expires.map { $0 <= date } ?? false }

    /// Returns true if both have the same name, domain, scope and path, so that the later replaces the earlier.
    func replaces(_ other: StoredCookie) -> Bool {
        nameBytes == other.nameBytes && domain == other.domain && isHostOnly == other.isHostOnly
            && path == other.path
    }

    /// True if the cookie can be sent: each byte is allowed in a `Cookie` field, and its size is within the limit.
    var isSendable: Bool {
        let (name, value) = (nameBytes, valueBytes)
        let count = name.count + value.count
        return count > 0 && count <= SetCookieField.maximumCookieBytes && !domain.isEmpty
            && path.utf8.first == UInt8(ascii: "/") && !name.contains(UInt8(ascii: "="))
            && name.allSatisfy(Self.isAllowed) && value.allSatisfy(Self.isAllowed)
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        (byte >= 0x20 && byte != 0x7F || byte == 0x09) && byte != UInt8(ascii: ";")
    }

    /// The cookie as it appears in a `Cookie` field.
    var pair: [UInt8] {
        let name = nameBytes
        return name.isEmpty ? valueBytes : name + [UInt8(ascii: "=")] + valueBytes
    }
}

extension StoredCookie: CustomStringConvertible {
    /// The name, domain and path; without the value, which may be a credential.
    public var description: String { "\(name) for \(isHostOnly ? "" : "*.")\(domain)\(path)" }
}

extension StoredCookie: CustomReflectable {
    /// The name, domain and path; without the value, which may be a credential.
    public var customMirror: Mirror {
        Mirror(self, children: ["name": name, "domain": domain, "path": path], displayStyle: .struct)
    }
}
