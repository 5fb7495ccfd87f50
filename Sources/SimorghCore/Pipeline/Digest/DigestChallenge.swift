// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// A parsed Digest challenge (RFC 7616, section 3.3).
package struct DigestChallenge: Hashable, Sendable {
    /// The quality of protection (`qop`): the parts of the request that the hash covers.
    package enum Quality: String, Sendable {
        /// The method and the target.
        case auth
        /// The method, the target and the body.
        case authInt = "auth-int"
    }

    package let realm: String
    package var nonce: String
    package let opaque: String?
    package let algorithm: DigestAlgorithm
    /// True for a session algorithm, which also hashes the user name, realm and password with the nonces.
    package let isSession: Bool
    /// The quality of protection; `nil` for a server that uses RFC 2069.
    package let quality: Quality?
    /// True if the request was rejected only because its nonce was too old.
    package let isStale: Bool
    /// True if the user name may be sent as a hash.
    package let hashesUsername: Bool
    /// True if the server states that user names and passwords are in UTF-8.
    package let isUTF8: Bool
    /// The path prefixes that the credentials apply to; empty for the whole origin.
    package let paths: [String]

    /// Creates a Digest challenge; `nil` if the scheme is not Digest, or the algorithm is not supported.
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
        // Unknown options are ignored (RFC 7616, section 3.3). If none remains, or the list is empty, the RFC 2069 form
        // is used, as curl does.
        let offered = (parameters["qop"] ?? "").split { ", \t".contains($0) }.map { $0.lowercased() }
        quality = offered.contains("auth") ? .auth : offered.contains("auth-int") ? .authInt : nil
        self.realm = realm
        self.nonce = nonce
        opaque = parameters["opaque"]
        isStale = parameters["stale"]?.lowercased() == "true"
        hashesUsername = parameters["userhash"]?.lowercased() == "true"
        isUTF8 = parameters["charset"]?.lowercased() == "utf-8"
        paths = Self.paths(of: parameters["domain"] ?? "", at: origin)
    }

    /// Returns the challenge with the strongest algorithm; the first of several with the same algorithm.
    package static func strongest(
        _ challenges: [AuthenticationChallenge], origin: WebOrigin
    ) -> DigestChallenge? {
        challenges.compactMap { DigestChallenge($0, origin: origin) }
            .reduce(nil) { best, next in
                guard let best, best.algorithm >= next.algorithm else { return next }
                return best
            }
    }

    /// Returns true if the credentials apply to a target.
    package func covers(_ target: String) -> Bool {
        let path = target.utf8.prefix { $0 != UInt8(ascii: "?") }
        return paths.isEmpty || paths.contains { Self.isPath(path, in: $0.utf8) }
    }

    /// Returns true if a path is a protection space, or below it.
    private static func isPath(_ path: Substring.UTF8View, in space: String.UTF8View) -> Bool {
        guard path.starts(with: space) else { return false }
        let slash = UInt8(ascii: "/")
        let next = path.dropFirst(space.count).first
        return next == nil || next == slash || space.last == slash
    }

    /// Returns the paths of `domain` at this origin: credentials are never sent to another origin that the server
    /// lists.
    private static func paths(of domain: String, at origin: WebOrigin) -> [String] {
        domain.cut(at: " ", keepsEmpty: false).prefix(32).compactMap { uri in
            if uri.behind(first: "/") != nil { return String(uri) }
            guard WebOrigin(String(uri)) == origin else { return nil }
            let path = uri.utf8.drop { $0 != UInt8(ascii: ":") }.dropFirst(3).drop { $0 != UInt8(ascii: "/") }
            return path.isEmpty ? "/" : String(Substring(path))
        }
    }
}
