// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
package import SimorghCore
import SimorghSupport

/// The files of Tests/Peers/tls.py, for tests that open no connection to its ports.
package struct TLSPeerFiles: Decodable, Sendable {
    /// The pins of the certificates by name, without the name of the hash.
    private let pins: [String: String]
    private let folder: String

    package struct Missing: Error, CustomStringConvertible {
        package let description: String
    }

    /// Asks the peer for its files.
    package static func ask(over transport: any Transport) async throws -> TLSPeerFiles {
        guard let url = ProcessInfo.processInfo.environment["SIMORGH_TLS_URL"] else {
            throw Missing(description: "SIMORGH_TLS_URL is not set: run scripts/with-test-servers scripts/swift test")
        }
        let authority = String(url.drop { $0 != "/" }.dropFirst(2).prefix { $0 != "/" })
        let head = HTTPRequest(method: .get, scheme: "http", authority: authority, path: "/")
        let response = try await transport.send(TransportRequest(head: head))
        return try JSONDecoder().decode(TLSPeerFiles.self, from: await response.body.collect(upTo: 1_000_000))
    }

    /// Returns the path of a file.
    package func path(_ name: String) -> String { "\(folder)/\(name)" }

    /// Returns the certificates of a file in DER.
    package func certificates(_ name: String) throws -> [[UInt8]] {
        let text = try Array(Data(contentsOf: URL(filePath: path(name))))
        guard let found = PEMCertificates.certificates(in: text) else {
            throw Missing(description: "\(name) has no certificate")
        }
        return found
    }

    /// Returns pins of a certificate, with a backup pin of no certificate.
    package func pins(_ name: String) throws -> TLSPins {
        guard let pin = pins[name] else { throw Missing(description: "there is no pin of \(name)") }
        return TLSPins(host: "localhost", keys: ["sha256/\(pin)", "sha256/" + String(repeating: "A", count: 43) + "="])
    }
}
