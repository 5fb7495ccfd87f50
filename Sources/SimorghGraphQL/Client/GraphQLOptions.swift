// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The options of a ``GraphQLClient``.
public struct GraphQLOptions: Sendable {
    /// True to send queries with GET, so that caches and content delivery networks can store the responses.
    ///
    /// Default: false.
    ///
    /// The URL then contains the document and the variables, which servers and proxies log. Mutations always use POST,
    /// and so does a query whose URL would be longer than ``maximumURLBytes``.
    public var usesGETForQueries = false
    /// The longest URL of a query with GET, in bytes.
    ///
    /// Default: 8,000, which common servers and proxies accept.
    public var maximumURLBytes = 8000
    /// True to send the SHA-256 hash of a query first, and its document only if the server does not know the hash.
    ///
    /// Default: false.
    ///
    /// Mutations and subscriptions are always sent with their document. A client that learned that a server does not
    /// support automatic persisted queries sends documents from then on.
    public var usesPersistedQueries = false
    /// The largest number of files in one upload.
    ///
    /// Default: 100.
    public var maximumUploads = 100
    /// The largest part of an incremental response, and the largest event of a subscription, in bytes.
    ///
    /// Default: 16 MiB.
    public var maximumPartBytes = 16 * 1024 * 1024
    /// The largest number of parts, patches and errors in an incremental response.
    ///
    /// Default: 100,000.
    public var maximumPatches = 100_000
    /// The transport of subscriptions.
    ///
    /// Default: WebSocket, at the URL of the client.
    public var subscriptions = GraphQLSubscriptionTransport.webSocket()

    /// Creates the default options.
    public init() {}
}
