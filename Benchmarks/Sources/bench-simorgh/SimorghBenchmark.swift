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
            let client: APIClient
            if let crowd = try await Crowd(harness) {
                client = APIClient(configuration: configuration, transport: crowd.transport)
            } else {
                client = APIClient(configuration: configuration)
            }
            let get: Harness.Get = { try await client.call(.get, path).data().count }
            guard harness.isOnLoop else { return (get, { try await $0() }) }
            // The same loop for the warming up and for what is measured.
            let transport = NIOTransport.shared
            let executor = transport.nextTaskExecutor()
            return (get, { run in try await withTaskExecutorPreference(executor) { try await run() } })
        }
    }
}
