// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import Simorgh
import SimorghNIO
import Testing

/// The ports of Tests/Peers/tls.py, with their certificate files.
struct TLSWitness: Decodable, Sendable {
    let ports: [String: Int]
    let pins: [String: String]
    let folder: String
    /// The numbers of completed and failed handshakes per port.
    let completed: [String: Int]
    let failed: [String: Int]

    /// The parameters of its handshake, as one of the ports reports them.
    struct Handshake: Decodable, Sendable {
        let sni: String?
        let version: String
        let cipher: String
        let client: String?
    }

    static func ask() async throws -> TLSWitness {
        try await APIClient(transport: NIOTransport()).get(Witness.tls.url)
    }

    func url(_ port: String, host: String = "localhost") throws -> String {
        "https://\(host):\(try #require(ports[port]))/"
    }

    func file(_ name: String) -> PEMSource { .file("\(folder)/\(name)") }

    func text(_ name: String) throws -> String { try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8) }

    func pin(_ name: String) throws -> String { "sha256/\(try #require(pins[name]))" }

    var identity: TLSIdentity { TLSIdentity(certificates: file("client.pem"), key: file("client.key")) }

    /// Creates a client that trusts only the test authority.
    func client(_ change: (inout TLSOptions) throws -> Void = { _ in }) rethrows -> APIClient {
        var configuration = APIClient.Configuration()
        configuration.tls.trust = .only([file("root.pem")])
        try change(&configuration.tls)
        return APIClient(configuration: configuration, transport: NIOTransport())
    }
}

extension APIClient {
    func bytes(_ url: String) async throws -> Data { try await call(.get, url).data() }

    func text(_ url: String) async throws -> String {
        String(decoding: try await bytes(url), as: UTF8.self)
    }

    /// Sends a request that must fail in the transport, and returns the error.
    func transportError(_ url: String) async -> TransportError? {
        do {
            _ = try await bytes(url)
            return nil
        } catch {
            guard case NetworkError.urlError(let error) = error else {
                Issue.record(error, "expected a TransportError")
                return nil
            }
            return error
        }
    }
}
