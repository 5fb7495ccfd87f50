// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

extension LoopbackServer {
    /// How a server is started.
    public struct Configuration: Sendable, Hashable {
        /// The port to listen on; 0, the default, takes a free one.
        public var port = 0
        /// The port to speak TLS on, where ``tls`` is set; 0, the default, takes a free one.
        public var securePort = 0
        /// The certificate to speak TLS with; `nil`, the default, for no TLS.
        public var tls: Certificate?
        /// How much of a request is accepted.
        public var limits = Limits()
        /// How many of the latest requests are kept in the log; 10,000 by default.
        public var maximumLoggedRequests = 10_000
        /// How many threads serve; 2 by default.
        public var threads = 2

        /// Creates the default configuration.
        public init() {}
    }

    /// Which certificate a server shows; each is made when the server starts.
    public enum Certificate: Sendable, Hashable, CaseIterable {
        /// For localhost, 127.0.0.1 and ::1, signed by ``LoopbackServer/certificatePEM``.
        case trusted
        /// As ``trusted``, but over since yesterday.
        case expired
        /// As ``trusted``, but not before tomorrow.
        case notYetValid
        /// As ``trusted``, but for a host called `wrong.example`.
        case wrongHost
        /// Signed by itself, not by ``LoopbackServer/certificatePEM``.
        case selfSigned
        /// Signed by an authority that is not ``LoopbackServer/certificatePEM``.
        case unknownAuthority
    }

    /// How much of a request a server accepts.
    public struct Limits: Sendable, Hashable {
        /// The largest body that is kept, to be echoed or given to a route, in bytes; 64 MiB by default.
        public var keptBody = 64 * 1024 * 1024
        /// The largest body that is read as it comes, by `/upload`, in bytes; 1 GiB by default.
        public var streamedBody = 1024 * 1024 * 1024

        /// Creates the default limits.
        public init() {}
    }
}
