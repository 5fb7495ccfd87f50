// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghTesting
import Synchronization

/// A stub server that verifies Digest responses for the name "u" and the password "p" as in RFC 7616.
final class DigestServer: Sendable {
    struct State {
        var nonce = "n1"
        var turn = 0
        /// The `nc` values of the accepted requests.
        var counts: [String] = []
    }

    let transport = StubServer(precedence: .first)
    let state = Mutex(State())
    private let parameters: String
    private let next: String?
    /// True if each refusal has a new nonce.
    private let freshNonces: Bool
    /// The response to an accepted request, given the number of accepted requests.
    private let then: @Sendable (RecordedRequest, Int) async throws -> StubResponse

    var counts: [String] { state.withLock { $0.counts.sorted() } }

    init(
        parameters: String = #"qop="auth", algorithm=SHA-256"#, next: String? = nil, freshNonces: Bool = false,
        then: @escaping @Sendable (RecordedRequest, Int) async throws -> StubResponse = { _, _ in .status(.ok) }
    ) {
        self.then = then
        self.parameters = parameters
        self.next = next
        self.freshNonces = freshNonces
        transport.on("*") { [unowned self] request in try await answer(request) }
    }

    func client(
        _ authentication: Authentication = .digest(username: "u", password: "p"),
        _ change: (inout APIClient.Configuration) -> Void = { _ in }
    ) -> APIClient {
        APIClient.scripted(transport) {
            $0.authentication = authentication
            change(&$0)
        }
    }

    private func answer(_ request: RecordedRequest) async throws -> StubResponse {
        guard let value = request.header(.authorization),
            let given = AuthenticationChallenge.parse([value]).first?.parameters
        else { return refusal(isStale: false) }
        guard given["nonce"] == state.withLock({ $0.nonce }) else { return refusal(isStale: !freshNonces) }
        let name = given["algorithm"] ?? "MD5"
        let algorithm = DigestAlgorithm.allCases.first { name.hasPrefix($0.name) } ?? .md5
        func hash(_ text: String) -> String { algorithm.hash(text) }
        var secret = hash("u:r:p")
        if name.hasSuffix("-sess") { secret = hash("\(secret):\(given["nonce"] ?? ""):\(given["cnonce"] ?? "")") }
        var covered = "\(request.method.rawValue):\(request.head.path ?? "")"
        if given["qop"] == "auth-int" {
            var hasher = DigestHasher(algorithm)
            hasher.update(request.body)
            covered += ":\(hasher.finalize())"
        }
        let middle =
            given["qop"].map { ":\(given["nc"] ?? ""):\(given["cnonce"] ?? ""):\($0)" } ?? ""
        guard given["response"] == hash("\(secret):\(given["nonce"] ?? "")\(middle):\(hash(covered))") else {
            return refusal(isStale: false)
        }
        let passed = state.withLock { state in
            state.counts.append(given["nc"] ?? "")
            return state.counts.count
        }
        let answer = try await then(request, passed)
        guard let next, let info = HTTPField.Name("Authentication-Info") else { return answer }
        return answer.header(info, value: "nextnonce=\"\(next)\", qop=auth")
    }

    private func refusal(isStale: Bool) -> StubResponse {
        let nonce = state.withLock { state in
            state.turn += 1
            if freshNonces { state.nonce = "n\(state.turn)" }
            return state.nonce
        }
        return .status(.unauthorized).header(
            .wwwAuthenticate,
            value:
                "Basic realm=\"r\", Digest realm=\"r\", nonce=\"\(nonce)\", \(parameters)\(isStale ? ", stale=true" : "")"
        )
    }
}
