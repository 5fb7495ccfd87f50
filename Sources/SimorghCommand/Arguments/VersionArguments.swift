// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
package import ArgumentParser
package import Simorgh

/// The arguments that select the HTTP version.
package struct VersionArguments: ParsableArguments {
    /// A flag for a version.
    package enum Version: EnumerableFlag {
        case http1
        case http2
        case http2Only
        case http2PriorKnowledge

        package static func name(for value: Version) -> NameSpecification {
            value == .http1 ? [.long, .customLong("http1.1")] : .long
        }

        package static func help(for value: Version) -> ArgumentHelp? {
            switch value {
            case .http1: "Use only HTTP/1.1."
            case .http2: "Use HTTP/2 over TLS if the server supports it, which is the default."
            case .http2Only: "Use HTTP/2 over TLS, and fail if the server does not support it."
            case .http2PriorKnowledge: "Use HTTP/2 without negotiation, even without TLS."
            }
        }
    }

    @Flag(exclusivity: .exclusive)
    package var version: Version?

    package init() {}

    /// The version as a transport option.
    package var choice: TransportOptions.HTTPVersion {
        switch version {
        case .none, .http2: .automatic
        case .http1: .http1Only
        case .http2Only: .http2Only
        case .http2PriorKnowledge: .http2PriorKnowledge
        }
    }
}
#endif
