// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Harness
import Simorgh

/// Simorgh through its public face: a client with a base URL, one cold call a request, its body collected.
@main
struct SimorghBenchmark {
    static func main() {
        Harness.measure("simorgh") { harness in
            let path = String(harness.url.split(separator: "/").last ?? "")
            var configuration = APIClient.Configuration()
            configuration.baseURL = String(harness.url.dropLast(path.count))
            configuration.httpVersion = harness.isHTTP2 ? .http2PriorKnowledge : .automatic
            let client = APIClient(configuration: configuration)
            return { try await client.call(.get, path).data().count }
        }
    }
}
