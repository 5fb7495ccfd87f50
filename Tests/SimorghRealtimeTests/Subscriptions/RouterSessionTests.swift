// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import SimorghCore
import SimorghRealtime
import SimorghSupport
import TestSupport
import Testing

/// The messages of a router's subscription that ends and is subscribed again at the same moment.
@Suite(.timeLimit(.minutes(10)))
struct RouterSessionTests {
    private static let wanted = #"send {"id":1,"method":"SUBSCRIBE","params":["a@trade"]}"#
    private static let left = #"send {"id":1,"method":"UNSUBSCRIBE","params":["a@trade"]}"#

    private static func driver(
        confirms: Bool
    ) async throws -> SessionDriver<SingleSubscriptionProtocol<TradeSubscription>.Session> {
        try await SingleSubscriptionProtocol(
            router: TradeSubscription(symbol: "a", confirms: confirms), encoder: JSONEncoder()
        )
        .driver()
    }

    @Test(
        "A subscription that begins before the previous one ends replaces it, without a message to the server",
        arguments: [false, true])
    func takenOver(confirms: Bool) async throws {
        var driver = try await Self.driver(confirms: confirms)
        #expect(try driver.subscribe(.init(), 1) == [Self.wanted, "accepted 1"])
        #expect(try driver.subscribe(.init(), 2) == ["accepted 2"])
        #expect(driver.unsubscribe(1) == ["released 1"])
        #expect(try driver.received(#"{"price":1}"#) == [#"event 2 {"price":1}"#])
        #expect(driver.unsubscribe(2) == (confirms ? [Self.left] : [Self.left, "released 2"]))
    }

    @Test("A subscription that begins after the previous one ended sends its message again, and receives events")
    func anew() async throws {
        var driver = try await Self.driver(confirms: false)
        _ = try driver.subscribe(.init(), 1)
        #expect(driver.unsubscribe(1) == [Self.left, "released 1"])
        #expect(try driver.received(#"{"price":1}"#) == [])
        #expect(try driver.subscribe(.init(), 2) == [Self.wanted, "accepted 2"])
        #expect(try driver.received(#"{"price":2}"#) == [#"event 2 {"price":2}"#])
    }

    @Test("A subscription does not replace one whose message could not be encoded")
    func unwritten() async throws {
        let token = LockedValue<String?>(nil)
        var driver = try await SingleSubscriptionProtocol(
            router: TokenSubscription(token: token), encoder: JSONEncoder()
        ).driver()
        #expect(throws: TokenSubscription.Message.Unknown.self) { try driver.subscribe(.init(), 1) }
        token.change { $0 = "t" }
        #expect(try driver.subscribe(.init(), 2) == [#"send {"token":"t"}"#, "accepted 2"])
    }

    @Test("The confirmation ends the subscription that was unsubscribed")
    func confirmed() async throws {
        var driver = try await Self.driver(confirms: true)
        _ = try driver.subscribe(.init(), 1)
        #expect(driver.unsubscribe(1) == [Self.left])
        #expect(try driver.received(#"{"price":1}"#) == [])
        #expect(try driver.received(#"{"result":"done"}"#) == ["released 1"])
        #expect(try driver.received(#"{"result":"done"}"#) == [], "each confirmation counts once")
    }

    @Test("A late confirmation belongs to the previous subscription, and is not an event of the next one")
    func confirmedLate() async throws {
        var driver = try await Self.driver(confirms: true)
        _ = try driver.subscribe(.init(), 1)
        #expect(driver.unsubscribe(1) == [Self.left])
        #expect(try driver.subscribe(.init(), 2) == [Self.wanted, "accepted 2"])
        #expect(try driver.received(#"{"price":1}"#) == [#"event 2 {"price":1}"#], "both subscribe to the same topic")
        #expect(try driver.received(#"{"result":"done"}"#) == ["released 1"])
        #expect(try driver.received(#"{"price":2}"#) == [#"event 2 {"price":2}"#])
        #expect(
            try driver.received(#"{"result":"done"}"#) == [#"event 2 {"result":"done"}"#],
            "no unsubscription is pending: the router decides what it is")
    }

    @Test("Several unsubscriptions are confirmed in order")
    func confirmedInOrder() async throws {
        var driver = try await Self.driver(confirms: true)
        for id in 1...2 {
            #expect(try driver.subscribe(.init(), id) == [Self.wanted, "accepted \(id)"])
            #expect(driver.unsubscribe(id) == [Self.left])
        }
        #expect(try driver.received(#"{"result":"done"}"#) == ["released 1"])
        #expect(try driver.received(#"{"price":1}"#) == [], "it belongs to no subscription")
        #expect(try driver.received(#"{"result":"done"}"#) == ["released 2"])
    }

    @Test("SubscriptionStateMachine: a confirmation ends the previous subscription, and is delivered to none")
    func confirmedToHub() async throws {
        let wire = SingleSubscriptionProtocol(
            router: TradeSubscription(symbol: "a", confirms: true), encoder: JSONEncoder())
        var machine = SubscriptionStateMachine<SingleSubscriptionProtocol<TradeSubscription>.Session>(
            SubscriptionOptions(), random: RandomSource { 0 })
        func words(_ actions: [SubscriptionMachineAction]) -> [String] {
            actions.compactMap { action -> String? in
                switch action {
                case .deliver(let id, _): "event \(id)"
                case .end(let id, let error): "end \(id) \(error?.code.description ?? "well")"
                default: nil
                }
            }
        }
        let session = try await wire.opening(attempt: 1).session
        let ids = (1...3).map { SubscriptionID($0) }
        // The hub receives the second subscription before the end of the first, and the third before the second is
        // confirmed.
        _ = machine.subscribe(.init(), id: ids[0], isOneShot: false)
        _ = machine.connectionOpened(1)
        _ = machine.sessionStarted(1, session: session, subprotocol: nil, now: .zero)
        _ = machine.subscribe(.init(), id: ids[1], isOneShot: false)
        _ = machine.disconnect(after: ids[1])
        _ = machine.subscribe(.init(), id: ids[2], isOneShot: false)
        #expect(words(machine.disconnect(after: ids[0])) == ["end 1 well"])
        #expect(words(machine.received(1, message: .text(#"{"result":"done"}"#), now: .zero)) == ["end 2 well"])
        #expect(words(machine.received(1, message: .text(#"{"price":1}"#), now: .zero)) == ["event 3"])
    }
}

/// A subscription whose message cannot be encoded before its token is known.
private struct TokenSubscription: SubscriptionRouter {
    struct Message: Encodable {
        struct Unknown: Error {}

        let token: String?

        func encode(to encoder: any Encoder) throws {
            guard let token else { throw Unknown() }
            var container = encoder.singleValueContainer()
            try container.encode(["token": token])
        }
    }

    typealias Event = Trade

    let token: LockedValue<String?>
    var baseURLString: String { "wss://stream.example.com" }
    var subscribeMessage: Message { Message(token: token.value) }
}
