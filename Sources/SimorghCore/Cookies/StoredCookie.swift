// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghSupport

/// A cookie as a ``CookieStore`` keeps it.
public struct StoredCookie: Sendable, Hashable, Codable {
    /// Which requests that another site began may carry a cookie.
    public enum SameSite: String, Sendable, Hashable, Codable {
        /// None.
        case strict
        /// Those that change nothing at the server.
        case lax
        /// All: the `None` of a `Set-Cookie` field, which only a secure cookie may have.
        case unrestricted = "none"
    }

    /// The name and the value of a cookie in which at least one of them is not UTF-8.
    package struct RawPair: Sendable, Hashable, Codable {
        package let name: [UInt8]
        package let value: [UInt8]

        /// Creates a pair; `nil` if text can hold it.
        package init?(name: [UInt8], value: [UInt8]) {
            guard String(validating: name, as: UTF8.self) == nil || String(validating: value, as: UTF8.self) == nil
            else {
                return nil
            }
            self.name = name
            self.value = value
        }
    }

    /// The name; empty for a cookie that has none.
    public let name: String
    /// The value, as it was sent.
    ///
    /// Bytes that are not UTF-8 are replacement characters here, in the name as well; the cookie is kept and sent with the
    /// bytes that the server set.
    public let value: String
    /// The bytes of the name and the value; `nil` if both are UTF-8.
    package private(set) var rawPair: RawPair?
    /// The host, or the domain that all hosts in it share it in; small letters, no dot before it.
    public let domain: String
    /// Whether only the host itself gets it, and no other in its domain.
    public let isHostOnly: Bool
    /// What the path of a request begins with to get it.
    public let path: String
    /// When it ends; `nil` ends with the program.
    public let expires: Date?
    /// When it was first set.
    public internal(set) var created: Date
    /// When it was last set or sent.
    public internal(set) var lastUsed: Date
    /// Whether only requests over TLS get it.
    public let isSecure: Bool
    /// Whether a browser would hide it from scripts; no difference here.
    public let isHTTPOnly: Bool
    /// Which requests may carry it that another site began; `nil`, not said, is as ``SameSite/lax``.
    public let sameSite: SameSite?

    /// Creates a cookie.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - value: The value.
    ///   - domain: The host, or the domain that shares it; a dot before it is dropped.
    ///   - isHostOnly: Whether only the host itself gets it.
    ///   - path: What the path of a request begins with to get it.
    ///   - expires: When it ends; `nil` ends with the program.
    ///   - created: When it was first set.
    ///   - isSecure: Whether only requests over TLS get it.
    ///   - isHTTPOnly: Whether a browser would hide it from scripts.
    ///   - sameSite: Which requests may carry it that another site began.
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
        self.domain = host.utf8.allSatisfy { $0 < 0x80 } ? host : HostRules.name(host) ?? host
        self.isHostOnly = isHostOnly
        self.path = path
        self.expires = expires
        self.created = created
        self.lastUsed = created
        self.isSecure = isSecure
        self.isHTTPOnly = isHTTPOnly
        self.sameSite = sameSite
    }

    /// Gives a cookie the bytes of its name and value, where text cannot hold them.
    func with(_ rawPair: RawPair?) -> StoredCookie {
        var cookie = self
        cookie.rawPair = rawPair
        return cookie
    }

    /// The bytes of the name.
    var nameBytes: [UInt8] { rawPair?.name ?? Array(name.utf8) }

    /// The bytes of the value.
    var valueBytes: [UInt8] { rawPair?.value ?? Array(value.utf8) }

    /// Whether it is over.
    ///
    /// - Parameter date: The time that is asked about.
    /// - Returns: Whether it has ended by then.
    public func isExpired(at date: Date) -> Bool { expires.map { $0 <= date } ?? false }

    /// Whether both stand in the same place: the later replaces the earlier.
    func replaces(_ other: StoredCookie) -> Bool {
        nameBytes == other.nameBytes && domain == other.domain && isHostOnly == other.isHostOnly
            && path == other.path
    }

    /// Whether it could be sent: no byte in it that ends a field or begins another cookie, and no more than the bound.
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

    /// The cookie as a `Cookie` field has it.
    var pair: [UInt8] {
        let name = nameBytes
        return name.isEmpty ? valueBytes : name + [UInt8(ascii: "=")] + valueBytes
    }
}

extension StoredCookie: CustomStringConvertible {
    /// The name and where it goes; not the value, which may be a credential.
    public var description: String { "\(name) for \(isHostOnly ? "" : "*.")\(domain)\(path)" }
}

extension StoredCookie: CustomReflectable {
    /// All but the value, which may be a credential.
    public var customMirror: Mirror {
        Mirror(self, children: ["name": name, "domain": domain, "path": path], displayStyle: .struct)
    }
}
