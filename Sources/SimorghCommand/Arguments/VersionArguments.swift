// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
package import ArgumentParser
package import Simorgh

/// The arguments that choose a version of HTTP.
package struct VersionArguments: ParsableArguments {
    /// One of the versions.
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
            case .http1: "Speak HTTP/1.1, whatever else the server offers."
            case .http2: "Speak HTTP/2 over TLS where the server does, as it is by default."
            case .http2Only: "Speak HTTP/2 over TLS, and fail where the server does not."
            case .http2PriorKnowledge: "Speak HTTP/2 without asking, in the clear, too."
            }
        }
    }

    @Flag(exclusivity: .exclusive)
    package var version: Version?

    package init() {}

    /// What the transport is told.
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
