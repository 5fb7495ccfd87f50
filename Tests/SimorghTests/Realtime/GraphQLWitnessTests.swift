// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import Simorgh
import SimorghTesting
import TestSupport
import Testing

/// Subscriptions against strawberry and ariadne, independent GraphQL servers.
@Suite(.timeLimit(.minutes(10)))
struct GraphQLWitnessTests {
    private struct Count: Decodable, Sendable, Equatable { let count: Int }

    private static func socket(
        _ path: String, _ change: (inout GraphQLTransportProtocol) -> Void = { _ in }
    ) throws -> SubscriptionClient<GraphQLTransportProtocol> {
        var wire = GraphQLTransportProtocol(url: try Witness.graphQL.url + path)
        change(&wire)
        return APIClient().subscriptions(over: wire)
    }

    @Test("Two subscriptions, a query and a mutation share one connection", arguments: ["/strawberry"])
    func together(path: String) async throws {
        let socket = try Self.socket(path)
        async let first = socket.subscribe("subscription { count(target: 5) }", as: Count.self)
            .reduce(into: [Int]()) { $0.append($1.count) }
        async let second = socket.subscribe("subscription { count(target: 7) }", as: Count.self)
            .reduce(into: [Int]()) { $0.append($1.count) }
        let hello: JSON = try await socket.execute("query { hello(name: \"Zal\") }")
        #expect(hello.hello == "hello Zal")
        let sum: JSON = try await socket.execute(
            GraphQLOperation("mutation M($a: Int!) { add(a: $a, b: 2) }", variables: ["a": 40], operationName: "M"))
        #expect(sum.add == 42)
        #expect(try await first == Array(0..<5))
        #expect(try await second == Array(0..<7))
        await socket.disconnect()
        #expect(socket.state == .disconnected)
    }

    @Test("ariadne: a subscription delivers all events and completes")
    func ariadne() async throws {
        let socket = try Self.socket("/ariadne")
        var counts: [Int] = []
        for try await value in socket.subscribe("subscription { count(target: 4) }", as: Count.self) {
            counts.append(value.count)
        }
        #expect(counts == [0, 1, 2, 3])
        await socket.disconnect()
    }

    @Test("connection_init: the payload reaches the server, and each kind of GraphQL error reaches the caller")
    func faults() async throws {
        let socket = try Self.socket("/strawberry") {
            $0.initPayload = { ["token": "t0ken"] }
            $0.pingInterval = .milliseconds(50)
        }
        let token = try await socket.subscribe("subscription { token }", as: JSON.self).first { _ in true }
        #expect(token?.token == "t0ken")
        let unknown = await #expect(throws: SubscriptionError.self) {
            for try await _ in socket.subscribe("subscription { nope }", as: JSON.self) {}
        }
        #expect((unknown?.underlying as? GraphQLErrors)?.faults.first?.message.contains("nope") == true)
        var counts = 0
        let failed = await #expect(throws: SubscriptionError.self) {
            for try await _ in socket.subscribe("subscription { fail(after: 2) }", as: JSON.self) { counts += 1 }
        }
        #expect(counts == 2 && (failed?.underlying as? GraphQLErrors)?.description.contains("boom") == true)
        var answers: [GraphQLResponse<JSON>] = []
        for try await answer in socket.responses("subscription { fail(after: 1) }", as: JSON.self) {
            answers.append(answer)
        }
        #expect(answers.count == 2 && answers.last?.errors.first?.message.contains("boom") == true)
        let large = try await socket.subscribe("subscription { big(n: 1, size: 300000) }", as: JSON.self).first { _ in
            true
        }
        #expect(large?.big.string?.utf8.count == 300_000)
        await socket.disconnect()
    }

    @Test("Leaving one subscription does not affect the others")
    func leaves() async throws {
        let socket = try Self.socket("/strawberry")
        let endless = Task {
            for try await _ in socket.subscribe("subscription { count(target: 100000) }", as: Count.self) {}
        }
        var counts = 0
        for try await _ in socket.subscribe("subscription { count(target: 1000) }", as: Count.self) {
            counts += 1
            if counts == 5 { break }
        }
        #expect(counts == 5)
        #expect(socket.state == .connected)
        endless.cancel()
        _ = await endless.result
        await socket.disconnect()
    }

    @Test("graphql-ws: a subscription delivers its events, and a query is refused with a reason")
    func legacy() async throws {
        let wire = LegacyGraphQLProtocol(url: try Witness.graphQL.url + "/strawberry")
        let socket = APIClient().subscriptions(over: wire)
        var counts: [Int] = []
        for try await value in socket.subscribe("subscription { count(target: 30) }", as: Count.self) {
            counts.append(value.count)
        }
        #expect(counts == Array(0..<30))
        let error = await #expect(throws: SubscriptionError.self) {
            let _: JSON = try await socket.execute("query { hello }")
        }
        #expect(error?.underlying is GraphQLErrors)
        await socket.disconnect()
    }

    @Test("A server that closes before connection_init arrives is retried as often as the policy allows")
    func hasty() async throws {
        var wire = GraphQLTransportProtocol(url: try Witness.graphQL.url + "/hasty")
        let attempts = LockedValue(0)
        wire.initPayload = {
            // The payload is requested before the connection is made, so nothing here is slow.
            attempts.change { $0 += 1 }
            return ["a": 1]
        }
        var options = SubscriptionOptions(
            webSocket: WebSocketOptions(reconnectPolicy: WebSocketReconnectPolicy(maximumAttempts: 2, initialDelay: 0)))
        options.readyTimeout = .seconds(3600)
        let socket = APIClient().subscriptions(over: wire, options: options)
        var losses: [SubscriptionError] = []
        let last = await #expect(throws: SubscriptionError.self) {
            for try await update in socket.events("subscription { count(target: 1) }").updates {
                if case .interrupted(let error, _) = update { losses.append(error) }
            }
        }
        if let last { losses.append(last) }
        // The first connection and the two attempts of the policy, each closed by the server.
        #expect(losses.map { $0.closure?.code.rawValue ?? 0 } == [4408, 4408, 4408])
        #expect(attempts.value == 3)
        await socket.disconnect()
    }

    @Test("A server that selects another subprotocol is rejected at once")
    func subprotocol() async throws {
        let wire = LegacyGraphQLProtocol(url: try Witness.graphQL.url + "/ariadne")
        let socket = APIClient().subscriptions(over: wire)
        await #expect(throws: SubscriptionError.self) {
            for try await _ in socket.subscribe("subscription { count }", as: Count.self) {}
        }
    }
}
