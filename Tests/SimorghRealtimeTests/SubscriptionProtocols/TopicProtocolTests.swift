// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import SimorghCore
import SimorghRealtime
import Testing

/// The protocols that route by topic.
@Suite(.timeLimit(.minutes(5)))
struct TopicProtocolTests {
    @Test("Binance: a stream is subscribed to once for all subscriptions, and unsubscribed after the last one")
    func binanceSharing() async throws {
        var driver = try await BinanceProtocol().driver()
        #expect(try driver.opened() == ["ready"])
        let ask = #"send {"id":1,"method":"SUBSCRIBE","params":["btcusdt@trade"]}"#
        #expect(try driver.subscribe("btcusdt@trade", 1) == [ask])
        #expect(try driver.subscribe("btcusdt@trade", 2).isEmpty, "waits for the same response")
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

    @Test("Binance: an error response fails the subscriptions of its request, and no others")
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

    @Test("Binance: SUBSCRIBE requests are batched, and one invalid stream does not fail the others of its batch")
    func binanceTogether() async throws {
        var session = await BinanceProtocol().opening(attempt: 1).session
        for id in 1...4 {
            let name = id == 3 ? "bad" : "coin\(id)@trade"
            #expect(try session.subscribe([name], id: SubscriptionID(id)).isEmpty)
        }
        typealias Driver = SessionDriver<BinanceSession>
        #expect(
            Driver.lines(session.flush()) == [
                #"send {"id":1,"method":"SUBSCRIBE","params":["coin1@trade","coin2@trade","bad","coin4@trade"]}"#
            ])
        #expect(session.flush().isEmpty)
        var driver = Driver(session: session)
        func refuse(_ number: Int) throws -> [String] {
            try driver.received(#"{"error":{"code":2,"msg":"bad"},"id":\#(number)}"#)
        }
        #expect(
            try refuse(1) == [
                #"send {"id":2,"method":"SUBSCRIBE","params":["coin1@trade","coin2@trade"]}"#,
                #"send {"id":3,"method":"SUBSCRIBE","params":["bad","coin4@trade"]}"#,
            ])
        #expect(try driver.received(#"{"result":null,"id":2}"#) == ["accepted 1", "accepted 2"])
        #expect(try refuse(3).count == 2)
        #expect(try refuse(4) == ["failed 3 bad (2)"])
        #expect(try driver.received(#"{"result":null,"id":5}"#) == ["accepted 4"])
        _ = driver.session.unsubscribe(SubscriptionID(1))
        _ = driver.session.unsubscribe(SubscriptionID(4))
        #expect(
            Driver.lines(driver.session.flush()) == [
                #"send {"id":6,"method":"UNSUBSCRIBE","params":["coin1@trade","coin4@trade"]}"#
            ])
        #expect(try driver.received(#"{"result":null,"id":6}"#) == ["released 1", "released 4"])
        var long = await BinanceProtocol().opening(attempt: 1).session
        for id in 1...1000 { _ = try long.subscribe(["symbol\(id)@kline_1m"], id: SubscriptionID(id)) }
        let messages = long.flush()
        #expect(messages.count == 7, "each is within the message size that Binance accepts")
    }

    @Test(
        "Binance: an event without a stream name is matched by its kind and symbol",
        arguments: [
            (#"{"e":"trade","s":"BNBBTC","p":"1"}"#, "bnbbtc@trade"),
            (#"{"e":"aggTrade","s":"BNBBTC"}"#, "bnbbtc@aggTrade"),
            (#"{"e":"kline","s":"BNBBTC","k":{"i":"1m"}}"#, "bnbbtc@kline_1m"),
            (#"{"e":"depthUpdate","s":"BNBBTC"}"#, "bnbbtc@depth@100ms"),
            (#"{"e":"24hrTicker","s":"BNBBTC"}"#, "bnbbtc@ticker"),
            (#"{"e":"1hTicker","s":"BNBBTC"}"#, "bnbbtc@ticker_1h"),
            (#"{"u":1,"s":"BNBBTC","b":"1","B":"1","a":"2","A":"1"}"#, "bnbbtc@bookTicker"),
            (#"[{"e":"24hrMiniTicker","s":"BNBBTC"}]"#, "!miniTicker@arr"),
        ])
    func binanceRaw(event: String, stream: String) async throws {
        var wire = BinanceProtocol()
        wire.isCombined = false
        var driver = try await wire.driver()
        let others = ["other@trade", "bnbbtc@kline_5m", "bnbbtc@ticker_4h", "bnbbtc@ticker_1d"]
        _ = try driver.subscribe(BinanceProtocol.Streams(others), 1)
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
        #expect(try driver.received(#"["0",null,"room:1","msg",{}]"#).isEmpty, "of an earlier join")
        #expect(
            try driver.subscribe(.push("room:1", event: "echo", payload: ["y": 2]), 3) == [
                #"send ["1","2","room:1","echo",{"y":2}]"#
            ])
        #expect(
            try driver.received(#"["1","2","room:1","phx_reply",{"status":"ok","response":{"y":2}}]"#) == [
                #"event 3 {"y":2}"#, "completed 3",
            ])
        #expect(throws: PhoenixError.self) { try driver.subscribe(.push("room:9", event: "e"), 4) }
        _ = try driver.subscribe(.push("room:1", event: "echo"), 5)
        #expect(driver.unsubscribe(5) == ["released 5"], "its reply is ignored")
        #expect(try driver.received(#"["1","3","room:1","phx_reply",{"status":"ok","response":{}}]"#).isEmpty)
        #expect(driver.unsubscribe(1) == ["released 1"])
        #expect(driver.unsubscribe(2) == [#"send ["1","4","room:1","phx_leave",{}]"#])
        #expect(try driver.received(#"["1","4","room:1","phx_reply",{"status":"ok","response":{}}]"#) == ["released 2"])
    }

    @Test(
        "Phoenix: a refused join fails, a crashed channel is postponed and its pushes fail, a closed channel completes"
    )
    func phoenixEnds() async throws {
        var driver = try await PhoenixProtocol(url: "wss://a.test").driver()
        _ = try driver.subscribe(.topic("no"), 1)
        #expect(
            try driver.received(#"["1","1","no","phx_reply",{"status":"error","response":{"reason":"unauthorized"}}]"#)
                == ["failed 1 “no”: unauthorized"])
        _ = try driver.subscribe(.topic("yes", payload: ["k": 1]), 2)
        _ = try driver.received(#"["2","2","yes","phx_reply",{"status":"ok","response":{}}]"#)
        _ = try driver.subscribe(.push("yes", event: "work"), 3)
        let crash = "“yes”: the channel crashed"
        #expect(
            try driver.received(#"["2","2","yes","phx_error",{}]"#) == ["failed 3 \(crash)", "postponed 2 \(crash)"])
        #expect(try driver.received(#"["2","2","yes","phx_error",{}]"#).isEmpty, "the crash was already reported")
        #expect(
            try driver.subscribe(.topic("yes", payload: ["k": 1]), 2) == [
                #"send ["4","4","yes","phx_join",{"k":1}]"#
            ])
        #expect(try driver.received(#"["2",null,"yes","phx_close",{}]"#).isEmpty, "of the earlier join")
        #expect(try driver.received(#"["4",null,"yes","phx_close",{}]"#) == ["completed 2"])
        #expect(driver.elapsed("heartbeat") == [#"send [null,"5","phoenix","heartbeat",{}]"#, "start heartbeat 30.0"])
        #expect(try driver.received(#"[null,"5","phoenix","phx_reply",{"status":"ok","response":{}}]"#).isEmpty)
        _ = driver.elapsed("heartbeat")
        #expect(
            driver.timerFiredWhilePaused("heartbeat").first == #"send [null,"7","phoenix","heartbeat",{}]"#,
            "the heartbeat is sent, and no reply counts as missing")
        #expect(driver.elapsed("heartbeat").first?.hasPrefix("reconnect") == true)
        #expect(throws: DecodingError.self) { try driver.received("{}") }
    }

    @Test("Absinthe: the control topic is joined first, the reply names the subscription, a query gets a reply")
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

    @Test("Absinthe: a subscription that ends before its reply is unsubscribed at the reply")
    func absintheLeftEarly() async throws {
        var driver = try await AbsintheProtocol(url: "wss://a.test").driver()
        _ = try driver.opened()
        _ = try driver.subscribe("subscription { a }", 1)
        _ = try driver.subscribe("subscription { a }", 2)
        _ = try driver.subscribe("{ b }", 3)
        #expect(driver.unsubscribe(1).isEmpty, "the reply names the subscription")
        #expect(driver.unsubscribe(3).isEmpty)
        let named = #"{"status":"ok","response":{"subscriptionId":"doc:7"}}"#
        #expect(
            try driver.received(#"["1","2","__absinthe__:control","phx_reply",\#(named)]"#) == ["released 1"],
            "the other document has the same id, and its reply is pending")
        #expect(try driver.received(#"["1","3","__absinthe__:control","phx_reply",\#(named)]"#) == ["accepted 2"])
        #expect(
            try driver.received(#"["1","4","__absinthe__:control","phx_reply",{"status":"ok","response":{"data":7}}]"#)
                == [#"event 3 {"data":7}"#, "completed 3"])
        let end = #"["1","5","__absinthe__:control","unsubscribe",{"subscriptionId":"doc:7"}]"#
        #expect(driver.unsubscribe(2) == ["send " + end])
    }

    @Test("Pusher: the server speaks first; private channels send their authorization; silence sends a ping")
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
        #expect(try driver.received(#"{"event":"pusher:ping"}"#) == [#"send latest {"data":{},"event":"pusher:pong"}"#])
        #expect(driver.elapsed("activity") == ["start activity 60.0"], "a message was received")
        #expect(
            driver.elapsed("activity") == [
                #"send {"data":{},"event":"pusher:ping"}"#, "start pong 30.0", "start activity 60.0",
            ])
        #expect(driver.elapsed("activity") == ["start activity 60.0"], "the wait for the pong continues")
        #expect(try driver.received(#"{"event":"pusher:pong"}"#) == ["stop pong"])
        #expect(driver.elapsed("pong").isEmpty, "a late timer")
        _ = driver.elapsed("activity")
        _ = driver.elapsed("activity")
        #expect(driver.elapsed("pong").first?.hasPrefix("reconnect") == true)
        #expect(
            driver.unsubscribe(1) == [#"send {"data":{"channel":"open"},"event":"pusher:unsubscribe"}"#, "released 1"])
        #expect(
            try driver.received(#"{"event":"pusher:error","data":{"code":4001,"message":"no app"}}"#) == [
                "stop pong", "give up no app (4001) 1000",
            ])
        #expect(try driver.received(#"{"event":"pusher:error","data":{"code":null,"message":"odd"}}"#).isEmpty)
    }

    @Test(
        "Pusher: an activity_timeout near or below zero is clamped", arguments: ["1e-9", "0", "-1"])
    func pusherActivity(seconds: String) async throws {
        var driver = try await PusherProtocol(key: "k", cluster: "eu").driver()
        let lines = try driver.received(
            #"{"event":"pusher:connection_established","data":{"socket_id":"1.2","activity_timeout":\#(seconds)}}"#)
        #expect(lines == ["ready", seconds == "1e-9" ? "start activity 0.1" : "start activity 120.0"])
    }

    @Test(
        "Pusher: the range of the close code decides whether and when to reconnect",
        arguments: [
            (4000, ReconnectDecision?.some(.giveUp)), (4100, .reconnect), (4200, .reconnectImmediately), (1006, nil),
        ])
    func pusherVerdicts(code: Int, decision: ReconnectDecision?) {
        let closure = WebSocketCloseInfo(
            code: WebSocketCloseCode(rawValue: UInt16(code)), isClean: true, initiator: .remote)
        #expect(PusherProtocol(key: "k", cluster: "eu").decision(on: closure) == decision)
    }

    @Test("Pacer: the limit holds in every interval, not only on average")
    func pacer() {
        var pacer = MessageRateLimiter(MessageRateLimit(5, per: .seconds(1)))
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

    @Test("Pacer: fewer than one message is clamped to one, a negative interval to zero", arguments: [0, -1, Int.min])
    func boundedPacer(messages: Int) {
        var pacing = MessageRateLimit(5, per: .seconds(1))
        pacing.messages = messages
        var pacer = MessageRateLimiter(pacing)
        #expect((0..<3).map { _ in pacer.delay(now: .zero) } == [.zero, .seconds(1), .seconds(2)])
        pacing.interval = .seconds(-1)
        pacer = MessageRateLimiter(pacing)
        #expect((0..<3).map { _ in pacer.delay(now: .zero) } == [.zero, .zero, .zero])
    }
}
