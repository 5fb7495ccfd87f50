// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCombine
import SimorghCompatibility
import SimorghCore
import SimorghTesting
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(10)))
struct UploadPublisherTests {
    struct Photos: NetworkRouter { var path: String { "photos" } }

    let transport = StubServer { _ in .json(["ok": true]) }
    var client: APIClient { .scripted(transport) }

    @Test("An upload publisher reports progress to the closure and one value to the subscriber")
    func values() async throws {
        let fractions = Mutex<[Double]>([])
        let upload: AnyPublisher<[String: Bool], NetworkError> = client.uploadRequest(
            Photos(), withName: "photo", data: Data(count: 200_000)
        ) { progress in fractions.withLock { $0.append(progress) } }
        #expect(transport.requestCount == 0)
        let held = HeldSubscription()
        defer { held.release() }
        let value = Mutex<[String: Bool]?>(nil)
        await withCheckedContinuation { continuation in
            held.keep(
                upload.sink { @Sendable _ in
                    continuation.resume()
                } receiveValue: { @Sendable came in
                    value.withLock { $0 = came }
                })
        }
        #expect(value.withLock { $0 } == ["ok": true])
        let told = fractions.withLock { $0 }
        #expect(told.last == 1 && told == told.sorted() && told.count > 2)
    }

    @Test(
        "Upload events arrive in order and according to demand, progress 1.0 before the value",
        arguments: [1, 3, Int.max])
    func demand(step: Int) async throws {
        let gate = Gate()
        let events = Mutex<[UploadEvent<Data>]>([])
        let call = client.upload(.bytes(Data(count: 300_000)), to: "x")
        let subscriber = DemandSubscriber<UploadEvent<Data>>(step: step) { event in
            events.withLock { $0.append(event) }
        } end: {
            gate.open()
        }
        call.uploadPublisher().subscribe(subscriber)
        try await gate.wait()
        let came = events.withLock { $0 }
        #expect(came.count >= 2)
        let fractions = came.map(\.fraction)
        #expect(fractions == fractions.sorted())
        guard case .value? = came.last else {
            Issue.record("expected a value as the last event")
            return
        }
        #expect(came.dropLast().last?.fraction == 1)
    }

    @Test("The completion is delivered without demand")
    func endWithoutDemand() async throws {
        let gate = Gate()
        let transport = StubServer { _ in .status(.ok) }
        let client = APIClient.scripted(transport)
        // All events: the final progress and the value.
        let subscriber = DemandSubscriber<UploadEvent<Data>>(step: 2, asksAgain: false) { _ in
        } end: {
            gate.open()
        }
        client.upload(.bytes(Data()), to: "x").uploadPublisher().subscribe(subscriber)
        try await gate.wait()
    }

    @Test("Cancelling the subscription stops the upload")
    func cancel() async throws {
        let gate = Gate()
        let stopped = Gate()
        let transport = StubServer { _ in
            do { try await gate.wait() } catch {
                stopped.open()
                throw error
            }
            return .status(.ok)
        }
        let client = APIClient.scripted(transport)
        let held = HeldSubscription()
        held.keep(
            client.upload(.bytes(Data(count: 10)), to: "x").uploadPublisher(on: .immediate)
                .sink { @Sendable _ in
                    Issue.record("received a completion after cancelling")
                } receiveValue: { @Sendable _ in
                })
        _ = try await transport.request(at: 0)
        held.release()
        try await stopped.wait()
    }
}
