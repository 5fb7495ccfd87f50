// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import AsyncHTTPClient
import Harness
import NIOCore
import NIOHTTP1
import NIOSSL

/// AsyncHTTPClient through its async API, with the body collected or streamed.
@main
struct AsyncHTTPClientBenchmark {
    static func main() {
        Harness.measure("AsyncHTTPClient") { harness in
            var configuration = HTTPClient.Configuration()
            if harness.isHTTP1 { configuration.httpVersion = .http1Only }
            if let root = harness.root {
                var tls = TLSConfiguration.makeClientConfiguration()
                tls.trustRoots = .file(root)
                configuration.tlsConfiguration = tls
            }
            let client = HTTPClient(
                eventLoopGroup: HTTPClient.defaultEventLoopGroup, configuration: configuration)
            let body = ByteBuffer(repeating: 0, count: harness.upload)
            return {
                var request = HTTPClientRequest(url: harness.url)
                if harness.upload > 0 {
                    request.method = .PUT
                    request.body = .bytes(body)
                }
                let response = try await client.execute(request, timeout: .minutes(2))
                guard !harness.isHTTP2 || response.version == .http2 else { throw WrongVersion() }
                guard harness.isStreamed else { return try await response.body.collect(upTo: 1 << 20).readableBytes }
                var count = 0
                for try await chunk in response.body { count += chunk.readableBytes }
                return count
            }
        }
    }
}

/// The server did not use the version to be measured.
struct WrongVersion: Error {}
