// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import Logging
import SimorghCompatibility
import SimorghCore
import SimorghTesting
import TestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

private struct Bird: Decodable, Sendable, Hashable {
    var id: Int
    var name: String
}

private struct FetchBird: NetworkRequest {
    typealias Response = Bird
    var path: String { "birds/7" }
}

@Suite(.timeLimit(.minutes(10)))
struct PluginTests {
    let notes = PluginCallLog()

    func plugin(_ id: String, _ priority: PluginPriority, _ name: String, refuses: Bool = false) -> RecordingPlugin {
        RecordingPlugin(id: id, priority: priority, name: name, notes: notes, refuses: refuses)
    }

    @Test("SMA1: among plugins with the same id the call's plugin runs, once, in order of priority")
    func identity() async throws {
        let transport = StubServer { _ in .status(.ok) }
        let client = APIClient.scripted(transport) {
            $0.plugins = [plugin("late", 20, "late of client"), plugin("shared", 10, "shared of client")]
        }
        try await client.call(.get, "x")
            .plugins([plugin("shared", 5, "shared of call"), plugin("shared", 1, "shared again")])
            .void()
        let hooks = ["prepare", "willSend", "didReceive", "verify", "didFinish"]
        #expect(notes.all == hooks.flatMap { ["shared of call \($0)", "late of client \($0)"] })
        #expect(try await transport.request(at: 0).header(.via) == "shared of call, late of client")
        #expect(transport.requestCount == 1)
    }

    @Test("SMA2: the library's plugins have a fixed order, however they are listed")
    func order() {
        let inOrder: [any Plugin] = [
            Plugins.Basic { nil }, Plugins.Bearer { nil }, Plugins.JSONHeaders(), Plugins.LogOS(), Plugins.Log(),
            Plugins.StatusCode(),
        ]
        for _ in 0..<50 {
            #expect(inOrder.shuffled().inOrder.map(\.id) == inOrder.map(\.id))
        }
    }

    @Test("PluginPriority arithmetic is relative and saturates")
    func arithmetic() {
        #expect(PluginPriority.authBearer + 1 > .authBearer)
        #expect(PluginPriority.authBearer + 1 < .jsonHeaders)
        #expect(PluginPriority.curl - 1 == .curlOS)
        #expect(PluginPriority(rawValue: .max) + 1 == PluginPriority(rawValue: .max))
        #expect(PluginPriority(rawValue: .min) - 1 == PluginPriority(rawValue: .min))
        #expect(PluginPriority(rawValue: .min) + -1 == PluginPriority(rawValue: .min))
        #expect(PluginPriority(rawValue: .max) - -1 == PluginPriority(rawValue: .max))
    }

    @Test("SMA3: with the status plugin a 400 is its error; without it, if all statuses are accepted, the body decodes")
    func statusCode() async throws {
        let transport = StubServer { _ in .json(#"{"id":7,"name":"Zal"}"#, status: .badRequest) }
        let client = APIClient.scripted(transport) { $0.validation.statusCodes = .any }
        #expect(try await client.call(FetchBird()).value() == Bird(id: 7, name: "Zal"))
        let error = await #expect(throws: NetworkError.self) {
            try await client.call(FetchBird()).plugins([Plugins.StatusCode()]).value()
        }
        #expect(error?.underlyingError as? StatusCode == StatusCode(400))
    }

    @Test(
        "The status plugin accepts the configured statuses",
        arguments: [
            (200, false, true), (204, true, true), (204, false, false), (304, true, false), (500, true, false),
        ])
    func statuses(status: Int, ignoresSuccess: Bool, passes: Bool) async throws {
        let client = APIClient.scripted(StubServer { _ in .status(.init(code: status)) }) {
            $0.validation.statusCodes = .any
            $0.plugins = [Plugins.StatusCode(shouldIgnore200th: ignoresSuccess)]
        }
        switch await client.call(.get, "x").decoding(.void).result() {
        case .success: #expect(passes)
        case .failure(let error):
            #expect(!passes)
            #expect(error.underlyingError as? StatusCode == StatusCode(status))
        }
    }

    @Test(
        "SMA4: the status plugin keeps an earlier error, unless it is configured to override it",
        arguments: [(false, false), (true, false), (false, true), (true, true)])
    func previousError(ignoresNil: Bool, overrides: Bool) async throws {
        let client = APIClient.scripted(StubServer { _ in .timedOut(.connect) }) {
            $0.plugins = [
                Plugins.StatusCode(shouldIgnoreNil: ignoresNil, shouldIgnorePreviousError: overrides)
            ]
        }
        let error = await #expect(throws: NetworkError.self) { try await client.call(.get, "x").void() }
        if overrides, !ignoresNil {
            #expect(error?.underlyingError as? StatusCode == StatusCode.none)
        } else {
            #expect((error?.underlyingError as? TransportError)?.code == .timedOut)
        }
    }

    @Test("The error of a later plugin takes precedence, and all plugins receive didFinish")
    func lastRefusal() async throws {
        let client = APIClient.scripted(StubServer { _ in .status(.badRequest) }) {
            $0.plugins = [plugin("last", 400, "last", refuses: true), Plugins.StatusCode()]
        }
        let error = await #expect(throws: NetworkError.self) { try await client.call(.get, "x").void() }
        #expect(error?.underlyingError is RecordingPlugin.Refused)
        #expect(notes.all.last == "last didFinish")
    }

    @Test("A cancelled call notifies each plugin of the cancellation only")
    func cancelled() async throws {
        let gate = Gate()
        let transport = StubServer { _ in StubResponse.status(.ok).held(by: gate) }
        let client = APIClient.scripted(transport) { $0.plugins = [plugin("one", 1, "one")] }
        let task = Task { try await client.call(.get, "x").void() }
        _ = try await transport.request(at: 0)
        task.cancel()
        await #expect(throws: NetworkError.self) { try await task.value }
        #expect(notes.all == ["one prepare", "one willSend", "one wasCancelled"])
    }

    @Test("An error thrown by prepare ends the call before a request is sent")
    func refusedBefore() async throws {
        let transport = StubServer { _ in .status(.ok) }
        let client = APIClient.scripted(transport) { $0.plugins = [Plugins.Bearer { "a\r\nX-Evil: 1" }] }
        let error = await #expect(throws: NetworkError.self) { try await client.call(.get, "x").void() }
        guard case .invalidRequest(let refusal, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(refusal.reason == .invalidHeader)
        #expect(!refusal.message.contains("Evil"))
        #expect(transport.requestCount == 0)
    }

    @Test("Credentials are sent, respect overrideExisting, and are not shown")
    func credentials() async throws {
        let transport = StubServer { _ in .status(.ok) }
        let client = APIClient.scripted(transport)
        let token = AuthBasicToken(username: "Aladdin", password: "open sesame")
        let calls: [[any Plugin]] = [
            [Plugins.Basic { token }], [Plugins.Bearer { "t" }], [Plugins.Bearer(overrideExisting: false) { "t" }],
            [Plugins.Bearer { nil }],
        ]
        for plugins in calls {
            try await client.call(.get, "x", headers: ["Authorization": "own"]).plugins(plugins).void()
        }
        #expect(
            transport.requests.map { $0.header(.authorization) }
                == ["Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==", "Bearer t", "own", "own"])
        var dumped = ""
        dump(token, to: &dumped)
        #expect(!"\(token)\(String(reflecting: token))\(dumped)".contains("sesame"))
    }

    @Test("JSONHeaders sets Accept, and Content-Type for a body without one")
    func jsonHeaders() async throws {
        let transport = StubServer { _ in .status(.ok) }
        let client = APIClient.scripted(transport) { $0.plugins = [Plugins.JSONHeaders()] }
        try await client.call(.get, "x").void()
        try await client.call(.post, "x", body: .bytes(.init("{}".utf8), contentType: nil)).void()
        try await client.call(.post, "x", headers: ["Accept": "text/x"], body: .text("t")).void()
        #expect(transport.requests.map { $0.header(.accept) } == ["application/json", "application/json", "text/x"])
        #expect(
            transport.requests.map { $0.header(.contentType) } == [
                nil, "application/json", "text/plain; charset=utf-8",
            ])
    }

    @Test("The log contains each call, without credentials and query values")
    func log() async throws {
        let lines = PluginCallLog()
        let logger = Logger(label: "test") { _ in RecordingLogHandler(notes: lines) }
        let client = APIClient.scripted(StubServer { _ in .status(.ok).header(.setCookie, value: "sid=s3cret") }) {
            $0.plugins = [Plugins.Log(options: .all, logger: logger)]
        }
        try await client.call(.get, "x", query: ["key": "s3cret"], headers: ["Authorization": "Bearer s3cret"]).void()
        #expect(lines.all.count == 3)
        #expect(lines.all.allSatisfy { $0.contains("https://api.test/x?…") && !$0.contains("s3cret") })
        #expect(lines.all[0].contains("Bearer [hidden]"))
    }
}
