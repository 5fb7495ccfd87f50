// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Dispatch
import HTTPTypes
import SimorghCombine
import SimorghCompatibility
import SimorghCore
import SimorghTesting
import Synchronization
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite(.timeLimit(.minutes(10)))
struct PublisherTests {
    struct User: Codable, Sendable, Equatable { var id: Int }

    /// A subscriber that requests values only when told to.
    final class ManualDemandSubscriber: Subscriber, Sendable {
        typealias Input = Data
        typealias Failure = NetworkError
        struct Log: Sendable {
            var values = 0
            var completions = 0
        }
        let log = Mutex(Log())
        let ended = Gate()
        private let ask: Mutex<(@Sendable (Subscribers.Demand) -> Void)?> = Mutex(nil)
        private let stop: Mutex<(@Sendable () -> Void)?> = Mutex(nil)

        func receive(subscription: any Subscription) {
            let box = SubscriptionBox(subscription: subscription)
            ask.withLock { $0 = { box.subscription.request($0) } }
            stop.withLock { $0 = { box.subscription.cancel() } }
        }

        func receive(_ input: Data) -> Subscribers.Demand {
            log.withLock { $0.values += 1 }
            return .none
        }

        func receive(completion: Subscribers.Completion<NetworkError>) {
            log.withLock { $0.completions += 1 }
            ended.open()
        }

        func request(_ demand: Subscribers.Demand) { ask.withLock { $0 }?(demand) }
        func cancel() { stop.withLock { $0 }?() }
    }

    /// Unchecked: the subscriptions of this library are `Sendable` classes; the tests use no others.
    struct SubscriptionBox: @unchecked Sendable { let subscription: any Subscription }

    @Test("A publisher sends no request until a value is demanded")
    func demand() async throws {
        let transport = StubServer { _ in .status(.ok) }
        let client = APIClient.scripted(transport)
        let patient = ManualDemandSubscriber()
        client.call(.get, "x").publisher(on: .immediate).subscribe(patient)
        #expect(transport.requestCount == 0)
        patient.request(.max(1))
        try await patient.ended.wait()
        patient.request(.unlimited)
        #expect(patient.log.withLock { ($0.values, $0.completions) } == (1, 1))
        #expect(transport.requestCount == 1)
    }

    @Test("A cancelled subscription delivers nothing more, even if the response has already arrived")
    func cancelled() async throws {
        let gate = Gate()
        let transport = StubServer { _ in .status(.noContent).held(by: gate) }
        let client = APIClient.scripted(transport)
        let queue = DispatchQueue(label: "held")
        let patient = ManualDemandSubscriber()
        client.call(.get, "x").decoding(.data).publisher(on: .queue(queue)).subscribe(patient)
        patient.request(.max(1))
        _ = try await transport.request(at: 0)
        queue.suspend()
        gate.open()
        patient.cancel()
        queue.resume()
        await withCheckedContinuation { done in queue.async { done.resume() } }
        #expect(patient.log.withLock { ($0.values, $0.completions) } == (0, 0))
    }

    /// A subscriber that cancels when it receives a value, and again in `deinit`.
    ///
    /// Unchecked: one test uses it, on one queue.
    final class CancellingSubscriber: Subscriber, @unchecked Sendable {
        typealias Input = Data
        typealias Failure = NetworkError
        private(set) var subscription: (any Subscription)?
        private(set) var completions = 0
        private let quit: @Sendable () -> Void

        init(_ quit: @escaping @Sendable () -> Void) { self.quit = quit }

        func receive(subscription: any Subscription) { self.subscription = subscription }
        func receive(_ input: Data) -> Subscribers.Demand {
            subscription?.cancel()
            quit()
            return .none
        }
        func receive(completion: Subscribers.Completion<NetworkError>) { completions += 1 }
        deinit { subscription?.cancel() }
    }

    @Test("A subscriber that cancels when it receives the value receives no completion")
    func cancelInValue() async throws {
        let transport = StubServer { _ in .status(.ok) }
        let client = APIClient.scripted(transport)
        let queue = DispatchQueue(label: "simorgh.tests.quitter")
        let left = Gate()
        let quitter = CancellingSubscriber { left.open() }
        client.call(.get, "x").decoding(.data).publisher(on: .queue(queue)).subscribe(quitter)
        quitter.subscription?.request(.unlimited)
        try await left.wait()
        // Runs after the block that delivered the value and would have delivered the completion.
        let completions = await withCheckedContinuation { done in
            queue.async { done.resume(returning: quitter.completions) }
        }
        #expect(completions == 0)
    }

    @Test("Cancelling may release the subscriber, which may cancel again")
    func freedByCancel() {
        let client = APIClient.scripted(StubServer { _ in .status(.ok) })
        var subscription: (any Subscription)?
        weak var weakQuitter: CancellingSubscriber?
        do {
            let quitter = CancellingSubscriber {}
            weakQuitter = quitter
            client.call(.get, "x").decoding(.data).publisher(on: .immediate).subscribe(quitter)
            subscription = quitter.subscription
        }
        #expect(weakQuitter != nil)
        subscription?.cancel()
        #expect(weakQuitter == nil)
    }

    @Test("Publishers deliver on the main queue by default")
    func mainQueue() async throws {
        let transport = StubServer { _ in .json(#"{"id":7}"#) }
        let client = APIClient.scripted(transport) { $0.callbackQueue = .main }
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        let held = HeldSubscription()
        let isMain = await withCheckedContinuation { continuation in
            let subscription = client.call(.get, "x").publisher(User.self).sink { @Sendable _ in
            } receiveValue: { @Sendable _ in
                continuation.resume(returning: DispatchQueue.getSpecific(key: key) == true)
            }
            held.keep(subscription)
        }
        #expect(isMain)
        held.release()
    }

    @Test("The documented publishers of endpoints and typed failures compile and deliver values")
    func documented() async throws {
        struct GetUsers: NetworkRouter { var path: String { "/users" } }
        let transport = StubServer { _ in .json(#"{"id":7}"#) }
        let client = APIClient.scripted(transport)
        let held = HeldSubscription()
        let user: User = await withCheckedContinuation { continuation in
            let subscription = client.request(GetUsers())
                .sink(
                    receiveCompletion: { _ in }, receiveValue: { (user: User) in continuation.resume(returning: user) })
            held.keep(subscription)
        }
        #expect(user == User(id: 7))
        let again: User = await withCheckedContinuation { continuation in
            let publisher: AnyPublisher<User, APIClientError<User>> = client.response(for: .get("/users"))
            let subscription = publisher.sink(
                receiveCompletion: { _ in }, receiveValue: { continuation.resume(returning: $0) })
            held.keep(subscription)
        }
        #expect(again == user)
        held.release()
    }
}
