// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import Simorgh
import Testing

/// The addresses of Tests/Peers/wire.py.
struct WireWitness: Decodable, Sendable {
    /// The port that speaks TLS, with a certificate for localhost.
    let tls: Int
    /// Another that offers HTTP/2, too, and does not speak it.
    let offering: Int
    /// The authority of that certificate.
    let root: String
    /// The Unix sockets, in the clear and over TLS; there is a space in their names.
    let plain: String
    let secure: String

    static func ask() async throws -> WireWitness {
        struct Answer: Decodable { let places: WireWitness }
        let answer: Answer = try await APIClient(transport: NIOTransport()).get(Witness.wire.url)
        return answer.places
    }

    /// The host and the port in the clear.
    static var authority: String {
        get throws {
            let url = try Witness.wire.url
            return String(url[try #require(url.firstRange(of: "://")).upperBound...])
        }
    }
}
