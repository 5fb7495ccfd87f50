// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore

extension MockServer {
    /// A version of HTTP.
    public enum HTTPProtocol: String, Sendable, Hashable, CaseIterable {
        /// HTTP/1.1, including WebSockets.
        case http1 = "http/1.1"
        /// HTTP/2: over TLS with ALPN, in cleartext with prior knowledge.
        case http2 = "h2"
    }

    /// The configuration of a mock server.
    public struct Configuration: Sendable {
        /// The port to listen on; 0, the default, chooses a free one.
        public var port = 0
        /// The supported HTTP versions; both by default.
        public var protocols = Set(HTTPProtocol.allCases)
        /// The TLS settings; `nil`, the default, disables TLS.
        public var tls: TLS?
        /// The largest request body and the largest WebSocket message, in bytes; 64 MiB by default.
        ///
        /// A request with a larger body gets a 413 response.
        public var maximumBodyBytes = 64 * 1024 * 1024
        /// The number of requests to keep, 100,000 by default; later ones are only counted.
        public var maximumRecordedRequests = 100_000
        /// The maximum number of concurrent HTTP/2 streams of a connection; 100 by default.
        public var maximumConcurrentStreams = 100
        /// The clock for delays and throttling; the system clock by default.
        public var time = TimeSource.system
        /// The number of event loop threads; 1 by default.
        public var threads = 1

        /// Creates the default configuration.
        public init() {}
    }

    /// The TLS settings of a mock server.
    public struct TLS: Sendable {
        /// The server's certificate.
        public var certificate: TestCertificate
        /// The PEM certificate of the authority of client certificates.
        ///
        /// Each client then has to present one. `nil`, the default, requests none.
        public var clientAuthorityPEM: String?

        /// Creates TLS settings with a certificate.
        ///
        /// - Parameter certificate: The server's certificate.
        public init(_ certificate: TestCertificate) { self.certificate = certificate }

        /// Creates TLS settings with a certificate for localhost, 127.0.0.1 and ::1.
        ///
        /// With the trait `TestCertificates` a new certificate is created; otherwise ``TestCertificate/loopback`` is
        /// used.
        ///
        /// - Throws: An error if the certificate cannot be created.
        public init() throws {
            #if TestCertificates
            certificate = try TestAuthority().certificate()
            #else
            certificate = .loopback
            #endif
        }
    }
}
