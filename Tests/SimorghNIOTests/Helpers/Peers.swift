// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import NIOPosix
import SimorghCore
import SimorghNIO

/// The HTTP/2 servers that run beside the tests; scripts/with-test-servers starts them.
enum Peer: String, CaseIterable, Sendable {
    /// nginx, over TLS and in cleartext.
    case nginx = "SIMORGH_NGINX_H2_URL"
    case nginxInTheClear = "SIMORGH_NGINX_H2C_URL"
    /// Tests/Peers/h2faults.py.
    case faults = "SIMORGH_H2FAULTS_URL"
    case faultsInTheClear = "SIMORGH_H2FAULTS_H2C_URL"

    struct Missing: Error, CustomStringConvertible {
        let description: String
    }

    private static func value(_ variable: String) throws -> String {
        guard let value = ProcessInfo.processInfo.environment[variable] else {
            throw Missing(
                description: "\(variable) is not set: run `make test`, or scripts/with-test-servers scripts/swift test")
        }
        return value
    }

    /// Returns a request to the server.
    func request(
        _ method: HTTPRequest.Method = .get, _ path: String, body: RequestBody = .empty,
        _ change: (inout TransportOptions) -> Void = { _ in }
    ) throws -> TransportRequest {
        let url = try Self.value(rawValue)
        let isSecure = url.hasPrefix("https")
        var options = TransportOptions()
        options.httpVersion = isSecure ? .automatic : .http2PriorKnowledge
        if isSecure {
            let root = try Self.value("SIMORGH_PEERS_ROOT")
            options.tls.additionalRoots = [try String(contentsOfFile: root, encoding: .utf8)]
        }
        change(&options)
        return TransportRequest(
            head: HTTPRequest(
                method: method, scheme: isSecure ? "https" : "http",
                authority: String(url.drop { $0 != "/" }.dropFirst(2)), path: path),
            body: body, options: options)
    }
}

extension NIOTransport {
    /// Returns a transport that keeps idle connections, however slow a busy machine is between two requests of a test.
    static func patient(_ change: (inout Configuration) -> Void = { _ in }) -> NIOTransport {
        var configuration = Configuration()
        configuration.idleTimeout = .seconds(3600)
        change(&configuration)
        return NIOTransport(configuration: configuration)
    }

    /// Returns a transport with its own event loops, not shared with a test's servers.
    ///
    /// Shut the group down afterwards.
    static func onLoops(_ count: Int = 1) -> (NIOTransport, MultiThreadedEventLoopGroup) {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: count)
        var configuration = Configuration()
        configuration.eventLoopGroup = group
        return (NIOTransport(configuration: configuration), group)
    }
}

extension TransportResponse {
    /// The collected body as text.
    var text: String { String(decoding: body.collectedBytes ?? Data(), as: UTF8.self) }
}
