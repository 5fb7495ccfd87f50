// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
import ArgumentParser

/// The protocols of `simorgh subscribe`.
enum SubscriptionProtocolName: String, CaseIterable, ExpressibleByArgument, Sendable {
    case graphQLTransport = "graphql-transport-ws"
    case legacyGraphQL = "graphql-ws"
    case appSync = "appsync"
    case appSyncEvents = "appsync-events"
    case binance
    case phoenix
    case absinthe
    case pusher
    case json

    /// True if the protocol sends the token of `--bearer` in its messages instead of in a header field.
    var sendsBearerInProtocol: Bool { self == .appSync || self == .appSyncEvents }
}
#endif
