// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import SimorghCore
import SimorghRealtime
import Testing

/// The protocols that route by topic, if a message cannot be encoded, or a response arrives late or never.
@Suite(.timeLimit(.minutes(10)))
struct TopicFaultTests {
    private static let unwritable: JSON = ["x": .number(JSON.Number(Double.nan))]

    @Test("Phoenix: a topic whose join could not be encoded is joined for the next subscription")
    func phoenixUnwritten() async throws {
        var driver = try await PhoenixProtocol(url: "wss://a.test").driver()
        #expect(throws: InvalidRequestError.self) {
            try driver.subscribe(.topic("room:1", event: "msg", payload: Self.unwritable), 1)
        }
        let lines = try driver.subscribe(.topic("room:1"), 2)
        #expect(lines.count == 1 && lines.first?.contains("phx_join") == true)
        #expect(try driver.received(#"["2","2","room:1","phx_reply",{"status":"ok","response":{}}]"#) == ["accepted 2"])
        #expect(driver.unsubscribe(2) == [#"send ["2","3","room:1","phx_leave",{}]"#])
    }

    @Test("Pusher: a channel whose subscribe could not be encoded is subscribed to for the next subscription")
    func pusherUnwritten() async throws {
        var driver = try await PusherProtocol(key: "k", cluster: "eu").driver()
        #expect(throws: InvalidRequestError.self) {
            try driver.subscribe(.channel("c", event: "e", authorization: Self.unwritable), 1)
        }
        #expect(
            try driver.subscribe(.channel("c"), 2) == [#"send {"data":{"channel":"c"},"event":"pusher:subscribe"}"#])
        #expect(
            driver.unsubscribe(2) == [#"send {"data":{"channel":"c"},"event":"pusher:unsubscribe"}"#, "released 2"])
    }

    @Test("Pusher: a response to a subscription that ended before it does not apply to the next one")
    func pusherLate() async throws {
        let ask = #"send {"data":{"channel":"c"},"event":"pusher:subscribe"}"#
        let accepts = #"{"event":"pusher_internal:subscription_succeeded","channel":"c","data":"{}"}"#
        let refuses = #"{"event":"pusher:subscription_error","channel":"c","data":{"error":"no","status":401}}"#
        var driver = try await PusherProtocol(key: "k", cluster: "eu").driver()
        #expect(try driver.subscribe(.channel("c"), 1) == [ask])
        _ = driver.unsubscribe(1)
        #expect(try driver.received(accepts).isEmpty)
        #expect(try driver.subscribe(.channel("c"), 2) == [ask])
        #expect(try driver.subscribe(.channel("c"), 3).isEmpty, "waits for the same response")
        #expect(try driver.received(accepts) == ["accepted 2", "accepted 3"])
        #expect(try driver.received(refuses) == ["failed 2 no (401)", "failed 3 no (401)"])
        #expect(try driver.subscribe(.channel("c"), 4) == [ask])
        #expect(try driver.subscribe(.channel("c"), 5).isEmpty, "waits for the response to subscribe again")
    }

    @Test("Binance: subscribing again waits for its own request, not for that of the subscription that ended")
    func binanceAnew() async throws {
        func asked(_ number: Int, _ method: String) -> String {
            #"send {"id":\#(number),"method":"\#(method)","params":["a@trade"]}"#
        }
        var driver = try await BinanceProtocol().driver()
        #expect(try driver.subscribe("a@trade", 1) == [asked(1, "SUBSCRIBE")])
        #expect(driver.unsubscribe(1) == [asked(2, "UNSUBSCRIBE")])
        #expect(try driver.subscribe("a@trade", 2) == [asked(3, "SUBSCRIBE")])
        #expect(try driver.subscribe("a@trade", 3).isEmpty)
        var unanswered = driver
        #expect(try unanswered.received(#"{"result":null,"id":3}"#) == ["accepted 2", "accepted 3"])
        #expect(try driver.received(#"{"error":{"code":2,"msg":"too many"},"id":1}"#).isEmpty)
        #expect(try driver.received(#"{"result":null,"id":2}"#) == ["released 1"])
        #expect(try driver.received(#"{"result":null,"id":3}"#) == ["accepted 2", "accepted 3"])
        #expect(try driver.received(#"{"stream":"a@trade","data":1}"#) == ["event 2 1", "event 3 1"])
    }

    private static func reply(_ reference: Int, _ response: String, _ status: String = "ok") -> String {
        #"["1","\#(reference)","__absinthe__:control","phx_reply",{"status":"\#(status)","response":\#(response)}]"#
    }

    private static func end(_ reference: Int, _ name: String) -> String {
        #"send ["1","\#(reference)","__absinthe__:control","unsubscribe",{"subscriptionId":"\#(name)"}]"#
    }

    @Test("Absinthe: a subscription ended before its reply is unsubscribed then, unless an equal one is pending")
    func absintheEarly() async throws {
        var driver = try await AbsintheProtocol(url: "wss://a.test").driver()
        _ = try driver.opened()
        _ = try driver.subscribe("subscription { a }", 1)
        _ = try driver.subscribe("subscription { b }", 2)
        #expect(driver.unsubscribe(1).isEmpty)
        #expect(try driver.received(Self.reply(2, #"{"subscriptionId":"doc:7"}"#)) == [Self.end(4, "doc:7")])
        #expect(try driver.received(Self.reply(4, "{}")) == ["released 1"])
    }

    @Test("Absinthe: unsubscribing does not end another subscription with the same id whose reply is pending")
    func absintheEqual() async throws {
        var driver = try await AbsintheProtocol(url: "wss://a.test").driver()
        _ = try driver.opened()
        _ = try driver.subscribe("subscription { a }", 1)
        #expect(try driver.received(Self.reply(2, #"{"subscriptionId":"doc:7"}"#)) == ["accepted 1"])
        _ = try driver.subscribe("subscription { a }", 2)
        #expect(driver.unsubscribe(1) == ["released 1"], "unsubscribing would end the other one, too")

        var same = driver
        #expect(try same.received(Self.reply(3, #"{"subscriptionId":"doc:7"}"#)) == ["accepted 2"])
        #expect(
            try same.received(#"[null,null,"doc:7","subscription:data",{"result":{"a":1}}]"#) == [#"event 2 {"a":1}"#])
        #expect(same.unsubscribe(2) == [Self.end(4, "doc:7")])

        var other = driver
        #expect(
            try other.received(Self.reply(3, #"{"subscriptionId":"doc:8"}"#)) == ["accepted 2", Self.end(4, "doc:7")])
        #expect(other.unsubscribe(2) == [Self.end(5, "doc:8")])

        var refused = driver
        #expect(try refused.received(Self.reply(3, #"{"errors":[]}"#, "error")).last == Self.end(4, "doc:7"))

        #expect(driver.unsubscribe(2).isEmpty)
        #expect(
            try driver.received(Self.reply(3, #"{"subscriptionId":"doc:8"}"#)) == [
                Self.end(4, "doc:8"), Self.end(5, "doc:7"),
            ])
    }
}
