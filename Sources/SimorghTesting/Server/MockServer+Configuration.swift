// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore

extension MockServer {
    /// A version of HTTP.
    public enum HTTPProtocol: String, Sendable, Hashable, CaseIterable {
        /// HTTP/1.1, and with it WebSockets.
        case http1 = "http/1.1"
        /// HTTP/2: over TLS by ALPN, in the clear with prior knowledge.
        case http2 = "h2"
    }

    /// How a server is started.
    public struct Configuration: Sendable {
        /// The port to listen on; 0, the default, takes a free one.
        public var port = 0
        /// What is spoken; both versions by default.
        public var protocols = Set(HTTPProtocol.allCases)
        /// How TLS is spoken; `nil`, the default, for none.
        public var tls: TLS?
        /// The largest body of a request that is kept, and the largest WebSocket message, in bytes; 64 MiB by default.
        ///
        /// A larger body is answered with 413.
        public var maximumBodyBytes = 64 * 1024 * 1024
        /// The number of requests to keep, 100,000 by default; later ones are only counted.
        public var maximumRecordedRequests = 100_000
        /// How many streams of HTTP/2 a connection may have at once; 100 by default.
        public var maximumConcurrentStreams = 100
        /// What delays and throttled bodies wait by; the system's clock by default.
        public var time = TimeSource.system
        /// How many threads serve; 1 by default.
        public var threads = 1

        /// Creates the default configuration.
        public init() {}
    }

    /// How a server speaks TLS.
    public struct TLS: Sendable {
        /// What the server shows.
        public var certificate: TestCertificate
        /// The certificate, in PEM, of the authority that signs those of clients, each of which has to show one; `nil`, the default,
        /// asks for none.
        public var clientAuthorityPEM: String?

        /// Creates it with a certificate.
        ///
        /// - Parameter certificate: What the server shows.
        public init(_ certificate: TestCertificate) { self.certificate = certificate }

        /// Creates it with a certificate for localhost, 127.0.0.1 and ::1: minted for the occasion with the trait `TestCertificates`,
        /// else ``TestCertificate/loopback``.
        ///
        /// - Throws: What the system says when a certificate cannot be made.
        public init() throws {
            #if TestCertificates
            certificate = try TestAuthority().certificate()
            #else
            certificate = .loopback
            #endif
        }
    }
}
