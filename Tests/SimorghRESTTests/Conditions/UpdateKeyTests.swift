// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghREST
import SimorghTesting
import Synchronization
import TestSupport
import Testing

@Suite("APIClient.update with idempotency keys", .timeLimit(.minutes(5)))
struct UpdateKeyTests {
    private struct Counter: Codable, Sendable {
        var count: Int
        var note: String?
    }

    private static let keyField = HTTPField.Name.known("Idempotency-Key")

    private static func client(_ server: StubServer, header: String = "Idempotency-Key") -> APIClient {
        let clock = TestClock(movesItself: true)
        return APIClient.scripted(server) {
            $0.time = clock.timeSource
            // The clock moves by the waits of all calls together.
            $0.timeouts.total = nil
            $0.retry = RetryPolicy()
            $0.retry?.budgetRatio = nil
            $0.retry?.idempotencyKey = .automatic(header: header)
        }
    }

    @Test("Each write has a key of its own, which its retries share", arguments: [UpdateMethod.mergePatch, .jsonPatch])
    func keys(method: UpdateMethod) async throws {
        let server = StubServer()
        server.on(.get, path: "/c", response: .json(#"{"count":1}"#).header(.eTag, value: "\"1\""))
        server.on(
            .patch, path: "/c",
            inOrder: [.status(.tooManyRequests), .status(.preconditionFailed), .status(.noContent)])
        _ = try await Self.client(server).update("c", as: Counter.self, by: method) { $0.count += 1 }.value()
        #expect(server.requests.map(\.method) == [.get, .patch, .patch, .get, .patch])
        let keys = server.requests.map { $0.header(Self.keyField) }
        #expect(keys[0] == nil && keys[3] == nil)
        #expect(keys[1] != nil && keys[4] != nil)
        #expect(keys[1] == keys[2])
        #expect(keys[1] != keys[4])
    }

    @Test(
        "A fixed key is refused if there may be several writes; a single write sends it, and its read does not",
        arguments: ["Idempotency-Key", "idempotency-key", "X-Once"], [false, true])
    func fixedKey(name: String, isOfClient: Bool) async throws {
        let server = StubServer()
        server.on(.get, path: "/c", response: .json(#"{"count":1}"#).header(.eTag, value: "\"1\""))
        server.on(.put, path: "/c", response: .status(.noContent))
        let client = Self.client(server, header: "X-Once").with { if isOfClient { $0.headers[name] = "mine" } }
        let headers = isOfClient ? [:] : [name: "mine"]
        let error = try await #require(throws: NetworkError.self) {
            _ = try await client.update("c", as: Counter.self, headers: headers) { $0.count += 1 }.value()
        }
        guard case .invalidRequest(let cause, _) = error else { throw error }
        #expect(cause.message.contains(name))
        #expect(server.requestCount == 0)
        guard !isOfClient else { return }
        _ = try await client.update("c", as: Counter.self, headers: headers, attempts: 1) { $0.count += 1 }.value()
        #expect(server.requests.map { $0.header(.known(name)) } == [nil, "mine"])
    }

    /// A server that refuses, fails and loses responses at random, and records the key of each attempt of a write.
    private final class Chaos: Sendable {
        struct State {
            var numbers: SeededNumbers
            var version = 1
            /// The keys of each write, by the note that its change made.
            var keys: [String: [String?]] = [:]
        }

        let state: Mutex<State>
        let server = StubServer()

        init(_ seed: UInt64) {
            state = Mutex(State(numbers: SeededNumbers(seed)))
            server.on(.get, path: "/c") { [self] _ in
                let version = state.withLock { $0.version }
                return .json(#"{"count":\#(version)}"#).header(.eTag, value: "\"\(version)\"")
            }
            server.on(.patch, path: "/c") { [self] request in
                let note = try JSON(parsing: request.body).note.string ?? ""
                return state.withLock { Self.answer(request, note: note, state: &$0) }
            }
        }

        private static func answer(_ request: RecordedRequest, note: String, state: inout State) -> StubResponse {
            let isFirst = state.keys.isEmpty
            state.keys[note, default: []].append(request.header(UpdateKeyTests.keyField))
            let choice = isFirst ? 0 : Int.random(in: 0..<10, using: &state.numbers)
            switch choice {
            // Another client was faster. The first write always meets one.
            case 0, 1, 2: state.version += 1
            case 3, 4: return .status(.tooManyRequests)
            case 5: return .status(.serviceUnavailable)
            case 6:
                return .failure(
                    TransportError(
                        .networkConnectionLost, phase: .head, message: "lost", requestMayHaveBeenSent: true))
            default: break
            }
            guard request.header(.ifMatch) == "\"\(state.version)\"" else { return .status(.preconditionFailed) }
            state.version += 1
            return .status(.noContent)
        }
    }

    @Test(
        "No key repeats between writes and calls, and all attempts of a write carry the same, whatever fails",
        arguments: 0..<20 as Range<UInt64>)
    func random(seed: UInt64) async throws {
        let chaos = Chaos(seed)
        let client = Self.client(chaos.server)
        let calls = 12
        await withTaskGroup(of: Void.self) { group in
            for call in 0..<calls {
                group.addTask {
                    let runs = SharedState(0)
                    _ = try? await client.update("c", as: Counter.self, by: .mergePatch, attempts: 20) { value in
                        let run = runs.withLock {
                            $0 += 1
                            return $0
                        }
                        value.count += 1
                        value.note = "call \(call), write \(run)"
                    }.value()
                }
            }
            await group.waitForAll()
        }
        let writes = chaos.state.withLock { $0.keys }
        // The first write met a conflict, so at least one call wrote twice.
        #expect(writes.count > calls, "seed \(seed)")
        var all: Set<String> = []
        for (write, keys) in writes {
            let key = try #require(keys.first ?? nil, "seed \(seed), \(write)")
            #expect(keys.allSatisfy { $0 == key }, "seed \(seed), \(write)")
            #expect(all.insert(key).inserted, "seed \(seed), \(write)")
        }
    }
}
