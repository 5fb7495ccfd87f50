// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import AsyncHTTPClient
import Harness
import NIOCore

/// AsyncHTTPClient through its async face, its body collected.
@main
struct AsyncHTTPClientBenchmark {
    static func main() {
        Harness.measure("AsyncHTTPClient") { harness in
            let client = HTTPClient(eventLoopGroup: HTTPClient.defaultEventLoopGroup)
            return {
                let request = HTTPClientRequest(url: harness.url)
                let response = try await client.execute(request, timeout: .seconds(30))
                return try await response.body.collect(upTo: 1 << 20).readableBytes
            }
        }
    }
}
