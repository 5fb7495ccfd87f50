// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore

extension APIClient {
    /// Returns a client for a GraphQL server.
    ///
    /// ```swift
    /// let shop = client.graphQL("graphql") { $0.usesPersistedQueries = true }
    /// ```
    /// Keep it: it remembers whether the server supports persisted queries, and its subscriptions share one WebSocket.
    ///
    /// - Parameters:
    ///   - path: The path below the base URL, or an absolute URL if the client has no base URL.
    ///   - headers: The header fields of each request, such as credentials. They override the client's. A redirect to
    ///     another origin does not carry them.
    ///   - change: Changes the default options.
    /// - Returns: The client.
    public func graphQL(
        _ path: String, headers: [String: String] = [:], configure change: (inout GraphQLOptions) -> Void = { _ in }
    ) -> GraphQLClient {
        var options = GraphQLOptions()
        change(&options)
        return GraphQLClient(client: self, path: path, headers: headers, options: options)
    }
}
