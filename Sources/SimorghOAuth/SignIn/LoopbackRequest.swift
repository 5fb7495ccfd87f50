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
        let hosts = lines.filter { $0.lowercased().hasPrefix("host:") }.map { $0.dropFirst(5).trimmingBlanks }
        guard hosts.count == 1, hosts[0] == "127.0.0.1:\(port)" else {
            self = .refused(status: 421)
            return
        }
        let target = parts[1].halves(at: "?")
        guard let target, target.before == path else {
            self = .refused(status: 404)
            return
        }
        self = parts[0] == "GET" ? .target(String(parts[1])) : .refused(status: 405)
    }
}
