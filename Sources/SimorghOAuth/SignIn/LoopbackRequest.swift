// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// The request of a browser to the listener of a sign-in, parsed from its bytes.
package enum LoopbackRequest: Sendable, Equatable {
    /// The largest head, in bytes.
    ///
    /// It has the code of the server, and the cookies of other programs on this machine.
    package static let maximumHeadBytes = 32 * 1024

    /// The head is not complete yet.
    case incomplete
    /// The request is answered with an error.
    case refused(status: Int)
    /// The target of a request that can be the redirect.
    case target(String)

    /// Parses a request.
    ///
    /// - Parameters:
    ///   - bytes: The bytes so far.
    ///   - path: The path of the redirect.
    ///   - port: The port of the listener.
    ///   - checked: The number of bytes that were parsed before without a result.
    package init(_ bytes: [UInt8], path: String, port: UInt16, checked: Int = 0) {
        guard bytes.count <= Self.maximumHeadBytes else {
            self = .refused(status: 431)
            return
        }
        let end = Array("\r\n\r\n".utf8)
        guard let length = (max(0, checked - 3)..<bytes.count).first(where: { bytes[$0...].starts(with: end) }) else {
            self = .incomplete
            return
        }
        guard let head = String(validating: bytes[..<length], as: UTF8.self) else {
            self = .refused(status: 400)
            return
        }
        var lines = head.split(separator: "\r\n", omittingEmptySubsequences: false)[...]
        let parts = (lines.popFirst() ?? "").split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[2].hasPrefix("HTTP/1.") else {
            self = .refused(status: 400)
            return
        }
        // A name that an attacker points to this machine (DNS rebinding) is another host.
        let hosts = Self.values("host", in: lines)
        // Browsers leave out the port 80 of HTTP.
        let own = port == 80 ? ["127.0.0.1:80", "127.0.0.1"] : ["127.0.0.1:\(port)"]
        guard hosts.count == 1, own.contains(hosts[0]) else {
            self = .refused(status: 421)
            return
        }
        let target = parts[1].halves(at: "?")
        guard let target, target.before == path else {
            self = .refused(status: 404)
            return
        }
        // A redirect is a navigation; a page that guesses the port sends requests of other modes (Fetch Metadata).
        let modes = Self.values("sec-fetch-mode", in: lines)
        guard modes.allSatisfy({ $0 == "navigate" }) else {
            self = .refused(status: 403)
            return
        }
        self = parts[0] == "GET" ? .target(String(parts[1])) : .refused(status: 405)
    }

    /// Returns the values of the fields with a name in lower case.
    private static func values(_ name: String, in lines: ArraySlice<Substring>) -> [String] {
        lines.filter { $0.lowercased().hasPrefix(name + ":") }.map {
            String($0.dropFirst(name.count + 1).trimmingBlanks)
        }
    }
}
