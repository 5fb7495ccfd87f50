// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import Harness

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Foundation's URLSession through its async API, or through a delegate that counts the bytes.
@main
struct URLSessionBenchmark {
    static func main() {
        Harness.measure("URLSession") { harness in
            guard let url = URL(string: harness.url) else { throw URLError(.badURL) }
            let configuration = URLSessionConfiguration.ephemeral
            configuration.httpMaximumConnectionsPerHost = harness.inFlight
            configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
            guard harness.isStreamed else {
                let session = URLSession(configuration: configuration)
                return {
                    let (data, _) = try await session.data(for: URLRequest(url: url))
                    return data.count
                }
            }
            return {
                try await withCheckedThrowingContinuation { continuation in
                    let counter = Counter(continuation)
                    let session = URLSession(configuration: configuration, delegate: counter, delegateQueue: nil)
                    session.dataTask(with: url).resume()
                    session.finishTasksAndInvalidate()
                }
            }
        }
    }
}
