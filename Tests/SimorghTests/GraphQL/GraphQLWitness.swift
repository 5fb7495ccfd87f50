// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import Simorgh
import SimorghGraphQL
import TestSupport

/// Clients of the GraphQL servers, and the models that their tests share.
enum GraphQLWitness {
    struct Hello: Decodable, Sendable, Equatable {
        let hello: String
        var broken: String?
    }
    struct Count: Decodable, Sendable { let count: Int }

    /// The methods, paths and bodies of the requests that a client sent.
    typealias Log = LockedValue<[String]>

    static func client(
        _ path: String, log: Log? = nil, _ change: (inout GraphQLOptions) -> Void = { _ in }
    ) throws -> GraphQLClient {
        let url = try Witness.graphQL.url.replacingOccurrences(of: "ws://", with: "http://")
        let client = APIClient(baseURL: url).with { configuration in
            guard let log else { return }
            configuration.networkInterceptors = [
                Interceptor { request, next in
                    let body = String(decoding: request.body.bytes ?? Data(), as: UTF8.self)
                    log.change { $0.append("\(request.head.method) \(request.head.path ?? "") \(body)") }
                    return try await next(request)
                }
            ]
        }
        return client.graphQL(path, configure: change)
    }
}
