// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import Simorgh
import SimorghNIO
import Testing

/// The addresses of Tests/Peers/wire.py.
struct WireWitness: Decodable, Sendable {
    /// The TLS port, with a certificate for localhost.
    let tls: Int
    /// A TLS port that offers HTTP/2 in ALPN without supporting it.
    let offering: Int
    /// The authority that issued the certificate.
    let root: String
    /// The Unix sockets, in cleartext and over TLS; their names contain a space.
    let plain: String
    let secure: String

    static func ask() async throws -> WireWitness {
        struct Answer: Decodable { let places: WireWitness }
        let answer: Answer = try await APIClient(transport: NIOTransport()).get(Witness.wire.url)
        return answer.places
    }

    /// The host and port of the cleartext server.
    static var authority: String {
        get throws {
            let url = try Witness.wire.url
            return String(url[try #require(url.firstRange(of: "://")).upperBound...])
        }
    }
}
