// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// What a server wants to see hashed (RFC 7616, section 3.3).
package struct DigestChallenge: Hashable, Sendable {
    /// What the hash covers.
    package enum Quality: String, Sendable {
        /// The method and the target.
        case auth
        /// The body, too.
        case authInt = "auth-int"
    }

    package let realm: String
    package var nonce: String
    package let opaque: String?
    package let algorithm: DigestAlgorithm
    /// Whether the name, realm and password are hashed with the nonces once more.
    package let isSession: Bool
    /// What the hash covers; `nil` for a server of RFC 2069.
    package let quality: Quality?
    /// Whether only the nonce was too old.
    package let isStale: Bool
    /// Whether the name may be sent hashed.
    package let hashesUsername: Bool
    /// Whether names and passwords are in UTF-8 by the server's own word.
    package let isUTF8: Bool
    /// The paths the credentials are for, each with all below it; empty for the whole origin.
    package let paths: [String]

    /// Reads a challenge; `nil` for one of another scheme, or that asks for what cannot be done.
    package init?(_ challenge: AuthenticationChallenge, origin: WebOrigin) {
        let parameters = challenge.parameters
        guard challenge.scheme == "digest", let realm = parameters["realm"], let nonce = parameters["nonce"] else {
            return nil
        }
        let name = parameters["algorithm"]?.uppercased() ?? "MD5"
        isSession = name.hasSuffix("-SESS")
        let plain = isSession ? String(name.dropLast(5)) : name
        guard let algorithm = DigestAlgorithm.allCases.first(where: { $0.name == plain }) else { return nil }
        self.algorithm = algorithm
        // Options that are not known are ignored (RFC 7616, section 3.3). Where none is left, an empty list among them, the
        // server is answered as one of RFC 2069, as curl does.
        let offered = (parameters["qop"] ?? "").split { ", \t".contains($0) }.map { $0.lowercased() }
        quality = offered.contains("auth") ? .auth : offered.contains("auth-int") ? .authInt : nil
        self.realm = realm
        self.nonce = nonce
        opaque = parameters["opaque"]
        isStale = parameters["stale"]?.lowercased() == "true"
        hashesUsername = parameters["userhash"]?.lowercased() == "true"
        isUTF8 = parameters["charset"]?.lowercased() == "utf-8"
        paths = Self.paths(parameters["domain"] ?? "", origin)
    }

    /// The strongest challenge of a response; of two alike the first.
    package static func strongest(
        _ challenges: [AuthenticationChallenge], origin: WebOrigin
    ) -> DigestChallenge? {
        challenges.compactMap { DigestChallenge($0, origin: origin) }
            .reduce(nil) { best, next in
                guard let best, best.algorithm >= next.algorithm else { return next }
                return best
            }
    }

    /// Whether the credentials are for a target, too.
    package func covers(_ target: String) -> Bool {
        let slash = UInt8(ascii: "/")
        let path = target.utf8.prefix { $0 != UInt8(ascii: "?") }
        return paths.isEmpty
            || paths.map(\.utf8).contains { space in
                path.starts(with: space)
                    && (path.count == space.count || space.last == slash || path.dropFirst(space.count).first == slash)
            }
    }

    /// The paths of `domain` at this origin: credentials go to no other, whatever the server lists.
    private static func paths(_ domain: String, _ origin: WebOrigin) -> [String] {
        domain.cut(at: " ", keepsEmpty: false).prefix(32).compactMap { uri in
            if uri.behind(first: "/") != nil { return String(uri) }
            guard WebOrigin(String(uri)) == origin else { return nil }
            let path = uri.utf8.drop { $0 != UInt8(ascii: ":") }.dropFirst(3).drop { $0 != UInt8(ascii: "/") }
            return path.isEmpty ? "/" : String(Substring(path))
        }
    }
}
