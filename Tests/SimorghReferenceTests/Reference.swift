// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import Simorgh
import SimorghTesting
import Synchronization

/// The shared context of the reference snippets: models, a client, and functions that record output.
///
/// The suites beside this file contain each documented snippet unchanged, in a test of the documented behavior. Changes
/// that were needed for compilation are noted in place.
enum Reference {
    /// Creates a client whose requests are answered by a script, because the hosts of the snippets cannot be reached.
    static func client(
        _ change: (inout APIClient.Configuration) -> Void = { _ in },
        answer: @escaping @Sendable (RecordedRequest) async throws -> StubResponse
    ) -> (APIClient, StubServer) {
        let transport = StubServer(answer)
        return (client(over: transport, change), transport)
    }

    static func client(
        over transport: any Transport, _ change: (inout APIClient.Configuration) -> Void = { _ in }
    ) -> APIClient {
        var configuration = APIClient.Configuration()
        // This machine's network status must not affect a test.
        configuration.networkMonitor = nil
        change(&configuration)
        return APIClient(configuration: configuration, transport: transport)
    }
}

struct User: Codable, Sendable, Equatable {
    var id: Int
    var name: String
}

struct UploadResponse: Codable, Sendable, Equatable { var ok: Bool }

struct DataChunk: Codable, Sendable, Equatable { var n: Int }

struct ChatMessage: Codable, Sendable, Equatable { var text: String }

struct TradeEvent: Codable, Sendable, Equatable {
    var s: String
    var p: String
}

/// The recorded arguments of the snippets' own functions: `render`, `print`, `showOfflineBanner` and the like.
final class Shown: Sendable {
    private let words = Mutex<[String]>([])
    private let gates = Mutex<[(count: Int, gate: Gate)]>([])

    var all: [String] { words.withLock { $0 } }

    func callAsFunction(_ word: Any) {
        let count = words.withLock { words in
            words.append("\(word)")
            return words.count
        }
        for (wanted, gate) in gates.withLock({ $0 }) where wanted <= count { gate.open() }
    }

    /// Waits until that many values were recorded.
    func wait(for count: Int) async throws {
        let gate = Gate()
        gates.withLock { $0.append((count, gate)) }
        if all.count >= count { gate.open() }
        try await gate.wait()
    }
}
