// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghGraphQL
import SimorghSupport
import SimorghTesting

/// A scripted GraphQL server, and a client for it.
struct GraphQLFixture: Sendable {
    let server: StubServer
    let client: GraphQLClient

    init(
        options: (inout GraphQLOptions) -> Void = { _ in },
        configure: (inout APIClient.Configuration) -> Void = { _ in },
        answer: @escaping @Sendable (RecordedRequest) throws -> StubResponse
    ) {
        server = StubServer { try answer($0) }
        client = APIClient.scripted(server, configure: configure).graphQL("graphql", configure: options)
    }

    /// The JSON bodies of the requests.
    var bodies: [JSON] { server.requests.map { (try? JSON(parsing: $0.body)) ?? .null } }
}

extension StubResponse {
    /// A GraphQL response in its own media type.
    static func graphQL(_ text: String, status: Int = 200) -> StubResponse {
        .text(text, contentType: "application/graphql-response+json; charset=utf-8", status: .init(code: status))
    }
}

extension GraphQLProtocolError.Reason {
    /// The reason of a call's error; `nil` for another error.
    init?(_ error: (any Error)?) {
        guard let cause = (error as? NetworkError)?.underlyingError as? GraphQLProtocolError else { return nil }
        self = cause.reason
    }
}

/// Returns the error that an operation throws.
func caught(_ operation: () async throws -> Void) async -> NetworkError? {
    do {
        try await operation()
        return nil
    } catch {
        return error as? NetworkError
    }
}
