// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Harness
import Simorgh
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
import SimorghNIO
#endif

/// Simorgh through its public API: a client with a base URL, one call per request, the body collected or streamed.
@main
struct SimorghBenchmark {
    static func main() {
        Harness.measure("simorgh") { harness in
            let path = String(harness.url.split(separator: "/").last ?? "")
            var configuration = APIClient.Configuration()
            configuration.baseURL = String(harness.url.dropLast(path.count))
            if harness.isHTTP1 { configuration.httpVersion = .http1Only }
            if harness.isHTTP2 { configuration.httpVersion = .http2PriorKnowledge }
            if let root = harness.root { configuration.tls.trust = .only([.file(root)]) }
            if harness.isCached { configuration.caching.httpCache = HTTPCache(CacheConfiguration(diskCapacity: 0)) }
            if let folder = harness.cacheFolder {
                let both = CacheConfiguration(diskPath: folder)
                configuration.caching.httpCache = HTTPCache(
                    harness.isCached ? both : CacheConfiguration(memoryCapacity: 0, diskPath: folder))
            }
            if harness.isReloaded { configuration.caching.strategy = .reloadIgnoringLocalCacheData }
            let observation = try ObservationMode(named: harness.observation)
            observation?.prepare(&configuration)
            let client: APIClient
            if let load = try await BackgroundLoad(harness) {
                client = APIClient(configuration: configuration, transport: load.transport)
            } else {
                client = APIClient(configuration: configuration)
            }
            observation?.begin(client)
            if harness.stalled > 0 { try await stall(client, path: path, harness: harness) }
            if harness.upload > 0 { return (uploads(client, path: path, length: harness.upload), { try await $0() }) }
            let collected: Harness.Get = { try await client.call(.get, path).data().count }
            let streamed: Harness.Get = {
                var count = 0
                for try await chunk in try await client.call(.get, path).stream().chunks { count += chunk.count }
                return count
            }
            let get =
                harness.isStreamed
                ? streamed : harness.urls == 1 ? collected : inTurn(client, path: path, urls: harness.urls)
            guard harness.isOnLoop else { return (get, { try await $0() }) }
            // The same event loop for the warm-up and the measurement.
            let transport = NIOTransport.shared
            let executor = transport.nextTaskExecutor()
            return (get, { run in try await withTaskExecutorPreference(executor) { try await run() } })
        }
    }

    /// Uploads bytes from memory, and collects the response.
    private static func uploads(_ client: APIClient, path: String, length: Int) -> Harness.Get {
        let body = RequestBody.bytes(Data(count: length))
        return { try await client.call(.put, path, body: body).data().count }
    }

    /// Requests the URLs in turn.
    private static func inTurn(_ client: APIClient, path: String, urls: Int) -> Harness.Get {
        let queries = (0..<urls).map { ["n": "\($0)"] as QueryItems }
        let next = Atomic(0)
        return {
            let turn = next.add(1, ordering: .relaxed).oldValue
            return try await client.call(.get, path, query: queries[turn % urls]).data().count
        }
    }
}
