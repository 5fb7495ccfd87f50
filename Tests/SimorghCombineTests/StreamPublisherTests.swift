// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Dispatch
import Foundation
import HTTPTypes
import SimorghCombine
import SimorghCore
import SimorghTesting
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct StreamPublisherTests {
    private struct Feed: NetworkRouter { var path: String { "feed" } }
    private struct Chunk: Codable, Hashable, Sendable { var n: Int }

    @Test("SIM24: values are published according to demand, followed by the completion", arguments: [1, 3, Int.max])
    func values(step: Int) async throws {
        let text = (0..<50).map { "{\"n\":\($0)}\n" }.joined()
        let transport = StubServer { _ in .text(text, contentType: "application/x-ndjson") }
        let publisher = APIClient.scripted(transport).streamRequest(Feed(), as: Chunk.self)
        #expect(transport.requestCount == 0)
        let gate = Gate()
        let values = Mutex<[Int]>([])
        let subscriber = DemandSubscriber<Chunk>(step: step) { chunk in
            values.withLock { $0.append(chunk.n) }
        } end: {
            gate.open()
        }
        publisher.subscribe(subscriber)
        try await gate.wait()
        #expect(values.withLock { $0 } == Array(0..<50))
    }

    @Test("Events and lines are published, and a refused request is the failure")
    func others() async throws {
        let transport = StubServer(precedence: .first)
        transport.on(
            "/feed", inOrder: [.text("id: 1\ndata: a\n\n", contentType: "text/event-stream"), .status(.noContent)])
        transport.on("/log", response: .text("x\ny\n"))
        transport.on("/none", response: .status(.notFound))
        let client = APIClient.scripted(transport)
        var options = EventSourceOptions()
        options.reconnectDelay = .zero
        let events = client.eventSource(.get, "feed", options: options).publisher(on: .immediate)
        #expect(await Self.all(events).0.map(\.data) == ["a"])
        let lines = client.call(.get, "log").streaming { $0.lines() }.publisher(on: .immediate)
        #expect(await Self.all(lines).0 == ["x", "y"])
        let refused = client.call(.get, "none").streaming { $0.lines() }.publisher(on: .immediate)
        #expect(await Self.all(refused).1?.statusCode == 404)
    }

    /// A subscriber that requests a number of values at first, and keeps its subscription.
    private final class RetainingSubscriber: Subscriber, Sendable {
        typealias Input = String
        typealias Failure = NetworkError

        /// Unchecked: the subscription is set once, and its cancellation may be called from any thread.
        private struct Box: @unchecked Sendable { let subscription: any Subscription }

        private let demand: Int
        private let box = Mutex<Box?>(nil)
        private let value: @Sendable (String) -> Void

        init(demand: Int, value: @escaping @Sendable (String) -> Void) {
            self.demand = demand
            self.value = value
        }

        func receive(subscription: any Subscription) {
            let kept = Box(subscription: subscription)
            box.withLock { $0 = kept }
            subscription.request(.max(demand))
        }

        func receive(_ input: String) -> Subscribers.Demand {
            value(input)
            return .none
        }

        func receive(completion: Subscribers.Completion<NetworkError>) { value("end") }

        func ask() { box.withLock { $0 }?.subscription.request(.max(1)) }
        func cancel() { box.withLock { $0.take() }?.subscription.cancel() }
    }

    /// Returns a body of one line per chunk, a stream of the chunks that were read, and their count.
    private static func counted(_ count: Int) -> (ResponseBody, AsyncStream<Int>, @Sendable () -> Int) {
        let (reads, read) = AsyncStream<Int>.makeStream()
        let number = Mutex(0)
        let chunks = AsyncThrowingStream<Data, any Error>(unfolding: {
            let next = number.withLock { number in
                number += 1
                return number
            }
            read.yield(next)
            return next <= count ? Data("\(next)\n".utf8) : nil
        })
        return (ResponseBody(chunks), reads, { number.withLock { $0 } })
    }

    private static func lines(_ body: ResponseBody) -> StreamedElements<ResponseLines> {
        let transport = StubServer { _ in .text("unused") }
        return APIClient.scripted(transport).call(.get, "log").streaming { _ in body.lines() }
    }

    @Test("Without demand the stream pauses, one element ahead")
    func stoppedDemand() async throws {
        let (body, reads, count) = Self.counted(100)
        let values = AsyncStream<String>.makeStream()
        let keeper = RetainingSubscriber(demand: 2) { values.continuation.yield($0) }
        Self.lines(body).publisher(on: .immediate).subscribe(keeper)
        var read = reads.makeAsyncIterator()
        var value = values.stream.makeAsyncIterator()
        #expect(await value.next() == "1")
        #expect(await value.next() == "2")
        for number in 1...3 { #expect(await read.next() == number) }
        await yieldToOthers(turns: 1000)
        #expect(count() == 3)
        keeper.ask()
        #expect(await value.next() == "3")
        #expect(await read.next() == 4)
        keeper.cancel()
    }

    @Test("Cancelling releases the stream at once, even if the queue is busy")
    func cancellation() async throws {
        let never = Gate()
        let transport = StubServer { _ in
            .chunks([.bytes(Data("a\nb\n".utf8)), .wait(never)], contentType: "text/plain")
        }
        let queue = DispatchQueue(label: "busy")
        let client = APIClient.scripted(transport)
        let value = AsyncStream<String>.makeStream()
        let keeper = RetainingSubscriber(demand: 10) { value.continuation.yield($0) }
        // Blocked until the test ends: everything delivered on the queue waits behind it.
        let release = DispatchSemaphore(value: 0)
        queue.async { release.wait() }
        defer { release.signal() }
        client.call(.get, "log").streaming { $0.lines() }.publisher(on: .queue(queue)).subscribe(keeper)
        _ = try await transport.request(at: 0)
        keeper.cancel()
        try await eventually { client.scope.count == 0 }
        #expect(client.scope.count == 0)
    }

    private static func all<Value: Sendable>(
        _ publisher: AnyPublisher<Value, NetworkError>
    ) async -> ([Value], NetworkError?) {
        let held = HeldSubscription()
        defer { held.release() }
        let values = Mutex<[Value]>([])
        let error = await withCheckedContinuation { continuation in
            held.keep(
                publisher.sink { @Sendable completion in
                    if case .failure(let error) = completion {
                        continuation.resume(returning: NetworkError?.some(error))
                    } else {
                        continuation.resume(returning: nil)
                    }
                } receiveValue: { @Sendable value in
                    values.withLock { $0.append(value) }
                })
        }
        return (values.withLock { $0 }, error)
    }
}
