// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
import ArgumentParser

/// The protocols that `simorgh subscribe` speaks.
enum SubscriptionLanguage: String, CaseIterable, ExpressibleByArgument, Sendable {
    case graphQLTransport = "graphql-transport-ws"
    case legacyGraphQL = "graphql-ws"
    case appSync = "appsync"
    case appSyncEvents = "appsync-events"
    case binance
    case phoenix
    case absinthe
    case pusher
    case json

    /// Whether the token of `--bearer` is told in the protocol, and not in a header field.
    var showsBearerItself: Bool { self == .appSync || self == .appSyncEvents }
}
#endif
