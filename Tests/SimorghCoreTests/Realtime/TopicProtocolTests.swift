// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import SimorghCore
import Testing

/// The protocols that route by topic.
@Suite(.timeLimit(.minutes(5)))
struct TopicProtocolTests {
    @Test("Binance: a stream is asked for once however many want it, and ended when nobody does")
    func binanceSharing() async throws {
        var driver = try await BinanceProtocol().driver()
        #expect(try driver.opened() == ["ready"])
        let ask = #"send {"id":1,"method":"SUBSCRIBE","params":["btcusdt@trade"]}"#
        #expect(try driver.subscribe("btcusdt@trade", 1) == [ask])
        #expect(try driver.subscribe("btcusdt@trade", 2).isEmpty, "waits for the same answer")
        #expect(try driver.received(#"{"result":null,"id":1}"#) == ["accepted 1", "accepted 2"])
        #expect(try driver.subscribe("btcusdt@trade", 3) == ["accepted 3"])
        #expect(
            try driver.received(#"{"stream":"btcusdt@trade","data":{"e":"trade","s":"BTCUSDT","p":"1"}}"#)
                == (1...3).map { #"event \#($0) {"e":"trade","p":"1","s":"BTCUSDT"}"# })
        #expect(driver.unsubscribe(1) == ["released 1"])
        #expect(driver.unsubscribe(2) == ["released 2"])
        #expect(driver.unsubscribe(3) == [#"send {"id":2,"method":"UNSUBSCRIBE","params":["btcusdt@trade"]}"#])
        #expect(try driver.received(#"{"result":null,"id":2}"#) == ["released 3"])
    }

    @Test("Binance: a refusal ends those who wanted it, and no one else")
    func binanceRefusal() async throws {
        var driver = try await BinanceProtocol().driver()
        _ = try driver.subscribe("good@trade", 1)
        _ = try driver.subscribe(["good@trade", "bad"], 2)
        #expect(try driver.received(#"{"result":null,"id":1}"#) == ["accepted 1"])
        #expect(
            try driver.received(#"{"error":{"code":2,"msg":"no such stream"},"id":2}"#) == [
                "failed 2 no such stream (2)"
            ])
        #expect(try driver.received(#"{"stream":"good@trade","data":1}"#) == ["event 1 1"])
        _ = try driver.subscribe("worse", 3)
        #expect(try driver.received(#"{"code":3,"msg":"Invalid JSON"}"#) == ["failed 3 Invalid JSON (3)"])
        #expect(throws: BinanceError.self) { try driver.subscribe([], 4) }
        let shutdown = try driver.received(#"{"e":"serverShutdown","E":1}"#)
        #expect(shutdown.count == 1 && shutdown[0].hasPrefix("reconnect"))
    }

    @Test(
        "Binance: without the stream's name an event is told by its kind and symbol",
        arguments: [
            (#"{"e":"trade","s":"BNBBTC","p":"1"}"#, "bnbbtc@trade"),
            (#"{"e":"aggTrade","s":"BNBBTC"}"#, "bnbbtc@aggTrade"),
            (#"{"e":"kline","s":"BNBBTC","k":{"i":"1m"}}"#, "bnbbtc@kline_1m"),
            (#"{"e":"depthUpdate","s":"BNBBTC"}"#, "bnbbtc@depth@100ms"),
            (#"{"e":"24hrTicker","s":"BNBBTC"}"#, "bnbbtc@ticker"),
            (#"{"u":1,"s":"BNBBTC","b":"1","B":"1","a":"2","A":"1"}"#, "bnbbtc@bookTicker"),
            (#"[{"e":"24hrMiniTicker","s":"BNBBTC"}]"#, "!miniTicker@arr"),
        ])
    func binanceRaw(event: String, stream: String) async throws {
        var wire = BinanceProtocol()
        wire.isCombined = false
        var driver = try await wire.driver()
        _ = try driver.subscribe(["other@trade", "bnbbtc@kline_5m"], 1)
        _ = try driver.subscribe([stream], 2)
        let lines = try driver.received(event)
        #expect(lines.count == 1 && lines.first?.hasPrefix("event 2 ") == true)
    }

    @Test("Phoenix: join, events by name, push with its reply, leave; a topic is joined once")
    func phoenix() async throws {
        var driver = try await PhoenixProtocol(url: "wss://a.test/socket/websocket").driver()
        #expect(try driver.opened() == ["ready", "start heartbeat 30.0"])
        #expect(
            try driver.subscribe(.topic("room:1", event: "msg", payload: ["a": 1]), 1) == [
                #"send ["1","1","room:1","phx_join",{"a":1}]"#
            ])
        #expect(try driver.subscribe(.topic("room:1"), 2).isEmpty)
        #expect(
            try driver.received(#"["1","1","room:1","phx_reply",{"status":"ok","response":{}}]"#) == [
                "accepted 1", "accepted 2",
            ])
        #expect(
            try driver.received(#"["1",null,"room:1","msg",{"x":1}]"#) == [
                #"event 1 {"x":1}"#, #"event 2 ["1",null,"room:1","msg",{"x":1}]"#,
            ])
        #expect(try driver.received(#"[null,null,"room:1","other",{}]"#).count == 1)
        #expect(try driver.received(#"["0",null,"room:1","msg",{}]"#).isEmpty, "of an earlier joining")
        #expect(
            try driver.subscribe(.push("room:1", event: "echo", payload: ["y": 2]), 3) == [
                #"send ["1","2","room:1","echo",{"y":2}]"#
            ])
        #expect(
            try driver.received(#"["1","2","room:1","phx_reply",{"status":"ok","response":{"y":2}}]"#) == [
                #"event 3 {"y":2}"#, "completed 3",
            ])
        #expect(throws: PhoenixError.self) { try driver.subscribe(.push("room:9", event: "e"), 4) }
        #expect(driver.unsubscribe(1) == ["released 1"])
        #expect(
            driver.unsubscribe(2) == ["stop rejoin room:1", #"send ["1","3","room:1","phx_leave",{}]"#])
        #expect(try driver.received(#"["1","3","room:1","phx_reply",{"status":"ok","response":{}}]"#) == ["released 2"])
    }

    @Test("Phoenix: a refused join fails, a crashed channel is joined again, a closed one is complete")
    func phoenixEnds() async throws {
        var driver = try await PhoenixProtocol(url: "wss://a.test").driver()
        _ = try driver.subscribe(.topic("no"), 1)
        #expect(
            try driver.received(#"["1","1","no","phx_reply",{"status":"error","response":{"reason":"unauthorized"}}]"#)
                == ["failed 1 “no”: unauthorized"])
        _ = try driver.subscribe(.topic("yes", payload: ["k": 1]), 2)
        _ = try driver.received(#"["2","2","yes","phx_reply",{"status":"ok","response":{}}]"#)
        #expect(try driver.received(#"["2","2","yes","phx_error",{}]"#) == ["start rejoin yes 1.0"])
        #expect(driver.elapsed("rejoin yes") == [#"send ["3","3","yes","phx_join",{"k":1}]"#])
        #expect(try driver.received(#"["2",null,"yes","phx_close",{}]"#).isEmpty, "of the joining before")
        #expect(try driver.received(#"["3",null,"yes","phx_close",{}]"#) == ["completed 2"])
        #expect(driver.elapsed("heartbeat") == [#"send [null,"4","phoenix","heartbeat",{}]"#, "start heartbeat 30.0"])
        #expect(try driver.received(#"[null,"4","phoenix","phx_reply",{"status":"ok","response":{}}]"#).isEmpty)
        _ = driver.elapsed("heartbeat")
        #expect(driver.elapsed("heartbeat").first?.hasPrefix("reconnect") == true)
        #expect(throws: DecodingError.self) { try driver.received("{}") }
    }

    @Test("Absinthe: the control topic is joined first, a subscription is named by its answer, a query is answered")
    func absinthe() async throws {
        var driver = try await AbsintheProtocol(url: "wss://a.test").driver()
        #expect(
            try driver.opened() == [
                #"send ["1","1","__absinthe__:control","phx_join",{}]"#, "start heartbeat 30.0",
            ])
        #expect(
            try driver.received(#"["1","1","__absinthe__:control","phx_reply",{"status":"ok","response":{}}]"#) == [
                "ready"
            ])
        #expect(
            try driver.subscribe("subscription { a }", 1) == [
                #"send ["1","2","__absinthe__:control","doc",{"query":"subscription { a }"}]"#
            ])
        #expect(
            try driver.received(
                #"["1","2","__absinthe__:control","phx_reply",{"status":"ok","response":{"subscriptionId":"doc:2"}}]"#)
                == ["accepted 1"])
        #expect(
            try driver.received(
                #"[null,null,"doc:2","subscription:data",{"subscriptionId":"doc:2","result":{"data":{"a":1}}}]"#) == [
                    #"event 1 {"data":{"a":1}}"#
                ])
        _ = try driver.subscribe("{ b }", 2)
        #expect(
            try driver.received(#"["1","3","__absinthe__:control","phx_reply",{"status":"ok","response":{"data":7}}]"#)
                == [#"event 2 {"data":7}"#, "completed 2"])
        #expect(
            driver.unsubscribe(1) == [
                #"send ["1","4","__absinthe__:control","unsubscribe",{"subscriptionId":"doc:2"}]"#
            ])
        #expect(
            try driver.received(#"["1","4","__absinthe__:control","phx_reply",{"status":"ok","response":{}}]"#) == [
                "released 1"
            ])
    }

    @Test("Pusher: the server speaks first; private channels carry their proof; silence is asked about")
    func pusher() async throws {
        var wire = PusherProtocol(key: "a/b", cluster: "eu")
        #expect(wire.url == "wss://ws-eu.pusher.com/app/a%2Fb")
        wire.authorize = { channel, socket in ["auth": .string("proof of \(channel) on \(socket)")] }
        var driver = try await wire.driver()
        #expect(try driver.opened().isEmpty)
        #expect(
            try driver.received(
                #"{"event":"pusher:connection_established","data":"{\"socket_id\":\"1.2\",\"activity_timeout\":60}"}"#)
                == ["ready", "start activity 60.0"])
        #expect(
            try driver.subscribe(.channel("open", event: "tick"), 1) == [
                #"send {"data":{"channel":"open"},"event":"pusher:subscribe"}"#
            ])
        let prepared = try await wire.prepared(.channel("private-x"), for: driver.session)
        #expect(
            try driver.subscribe(prepared, 2) == [
                #"send {"data":{"auth":"proof of private-x on 1.2","channel":"private-x"},"event":"pusher:subscribe"}"#
            ])
        #expect(
            try driver.received(#"{"event":"pusher_internal:subscription_succeeded","channel":"open","data":"{}"}"#)
                == [
                    "accepted 1"
                ])
        #expect(
            try driver.received(
                #"{"event":"pusher:subscription_error","channel":"private-x","data":{"error":"no","status":401}}"#) == [
                    "failed 2 no (401)"
                ])
        #expect(
            try driver.received(#"{"event":"tick","channel":"open","data":"{\"n\":1}"}"#) == [#"event 1 {"n":1}"#])
        #expect(try driver.received(#"{"event":"other","channel":"open","data":"{}"}"#).isEmpty)
        #expect(try driver.received(#"{"event":"pusher:ping"}"#) == [#"send {"data":{},"event":"pusher:pong"}"#])
        #expect(driver.elapsed("activity") == ["start activity 60.0"], "something was heard")
        #expect(
            driver.elapsed("activity") == [
                #"send {"data":{},"event":"pusher:ping"}"#, "start pong 30.0", "start activity 60.0",
            ])
        #expect(driver.elapsed("pong").first?.hasPrefix("reconnect") == true)
        #expect(
            driver.unsubscribe(1) == [#"send {"data":{"channel":"open"},"event":"pusher:unsubscribe"}"#, "released 1"])
        #expect(
            try driver.received(#"{"event":"pusher:error","data":{"code":4001,"message":"no app"}}"#) == [
                "give up no app (4001) 1000"
            ])
        #expect(try driver.received(#"{"event":"pusher:error","data":{"code":null,"message":"odd"}}"#).isEmpty)
    }

    @Test(
        "Pusher: the range of the code says whether and when to come back",
        arguments: [
            (4000, SubscriptionVerdict?.some(.giveUp)), (4100, .reconnect), (4200, .reconnectAtOnce), (1006, nil),
        ])
    func pusherVerdicts(code: Int, verdict: SubscriptionVerdict?) {
        let closure = WebSocketClosure(
            code: WebSocketCloseCode(rawValue: UInt16(code)), isClean: true, initiator: .remote)
        #expect(PusherProtocol(key: "k", cluster: "eu").verdict(on: closure) == verdict)
    }

    @Test("A pace is kept in each stretch of time, not only on average")
    func pacer() {
        var pacer = Pacer(SubscriptionPacing(5, per: .seconds(1)))
        var times: [Duration] = []
        var now = Duration.zero
        for number in 0..<200 {
            if number.isMultiple(of: 7) { now += .milliseconds(300) }
            let wait = pacer.delay(now: now)
            now += wait
            times.append(now)
        }
        for index in 5..<times.count { #expect(times[index] - times[index - 5] >= .seconds(1)) }
        #expect(times == times.sorted())
    }
}
