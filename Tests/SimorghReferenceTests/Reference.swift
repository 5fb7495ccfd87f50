// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import Simorgh
import SimorghTesting
import Synchronization

/// What the snippets of the reference take for granted: models, a client, and functions that show things.
///
/// The suites beside this file hold each documented snippet as it stands, in a test that says what it promises. What had
/// to be changed for it to compile at all, there as here, is told where it was.
enum Reference {
    /// A client whose requests a script answers; a script cannot be reached under the snippets' own hosts otherwise.
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
        // What this machine's network does is no part of a test.
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

/// What the snippets' own functions were called with: `render`, `print`, `showOfflineBanner` and the like.
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

    /// Waits until so much was shown.
    func wait(for count: Int) async throws {
        let gate = Gate()
        gates.withLock { $0.append((count, gate)) }
        if all.count >= count { gate.open() }
        try await gate.wait()
    }
}
