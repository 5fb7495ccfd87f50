// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghNIO
import Synchronization
import TestSupport
import Testing

/// A server that violates the protocol (Tests/Peers/h2faults.py): no crash, no hang, and either a correct response or
/// an error that says what happened.
@Suite("HTTP/2: protocol violations by the server", .serialized, .timeLimit(.minutes(10)))
struct HTTP2FaultTests {
    static let peers: [Peer] = [.faults, .faultsInTheClear]

    /// Returns a long upload, so that anything the server does happens during it.
    static func upload(_ size: Int = 1_000_000) -> RequestBody {
        let chunk = Data(repeating: 1, count: 10_000)
        return .stream(length: Int64(size)) {
            let left = Mutex(size / chunk.count)
            return AsyncThrowingStream<Data, any Error> {
                left.withLock { left in
                    left -= 1
                    return left >= 0 ? chunk : nil
                }
            }
        }
    }

    /// The result of an exchange: a status, or the code of an error.
    enum End: Hashable, CustomStringConvertible {
        case status(Int)
        case error(TransportError.Code, TransportError.Phase)

        var description: String {
            switch self {
            case .status(let status): "\(status)"
            case .error(let code, let phase): "\(code) in \(phase)"
            }
        }
    }

    static func end(_ transport: NIOTransport, _ request: TransportRequest) async -> End {
        do {
            let response = try await transport.send(request)
            return .status(response.head.status.code)
        } catch {
            return .error(error.code, error.phase)
        }
    }

    /// Sends the same request a number of times concurrently over one transport, and returns the distinct results.
    static func ends(_ count: Int, _ transport: NIOTransport, _ request: TransportRequest) async -> Set<End> {
        await withTaskGroup(of: End.self) { group in
            for _ in 0..<count { group.addTask { await end(transport, request) } }
            return await group.reduce(into: []) { $0.insert($1) }
        }
    }

    /// Expects that the transport still carries requests, of which the first may fail with the connection being closed.
    static func expectAlive(
        _ transport: NIOTransport, _ peer: Peer, _ location: SourceLocation, inFlood: Bool = false
    ) async throws {
        if inFlood, case .status(200) = await end(transport, try peer.request(.get, "/ok")) { return }
        let response = try await transport.send(try peer.request(.get, "/ok"))
        #expect(response.text == "ok", sourceLocation: location)
    }

    @Test(
        "A response before the end of the upload is delivered, and later requests work, whatever follows it",
        arguments: peers,
        ["no-error", "cancel", "end", "goaway", "close", "error"])
    func early(peer: Peer, how: String) async throws {
        let transport = NIOTransport.patient()
        for count in [1, 20] {
            let request = try peer.request(.post, "/early/\(how)", body: Self.upload())
            let ends = await Self.ends(count, transport, request)
            switch how {
            case "goaway", "close":
                // The other requests on that connection are lost with it, unless they have their response.
                #expect(
                    ends.isSubset(of: [
                        .status(200), .error(.networkConnectionLost, .request),
                        .error(.networkConnectionLost, .head), .error(.networkConnectionLost, .body),
                    ]))
                #expect(count > 1 || ends == [.status(200)])
            default: #expect(ends == [.status(how == "error" ? 413 : 200)])
            }
            try await Self.expectAlive(transport, peer, #_sourceLocation)
        }
    }

    @Test(
        "A reset stream fails alone, with the server's error code", arguments: ["head", "body", "inside"],
        [0, 1, 2, 8, 11, 99])
    func resets(place: String, code: Int) async throws {
        let transport = NIOTransport.patient()
        let peer = Peer.faultsInTheClear
        for body in [RequestBody.empty, Self.upload()] {
            let request = try peer.request(.post, "/reset/\(place)/\(code)", body: body)
            for count in [1, 20] {
                let ends = await Self.ends(count, transport, request)
                #expect(ends == [.error(.networkConnectionLost, place == "head" ? .head : .body)])
            }
            let error = await failure { try await transport.send(request) }
            #expect((error?.underlying as? HTTP2ClosedByPeerError)?.code == HTTP2ErrorCode(UInt32(code)))
            #expect(error?.requestMayHaveBeenSent == true)
        }
        try await Self.expectAlive(transport, peer, #_sourceLocation)
        #expect(transport.statistics.dialed == 1)
    }

    @Test(
        "An unprocessed request is resent, whatever its method", arguments: peers,
        ["refuse-once", "goaway/below", "goaway/all"])
    func unprocessed(peer: Peer, how: String) async throws {
        let transport = NIOTransport.patient()
        for number in 0..<3 {
            let path = "/\(how)?\(UUID())-\(number)"
            let response = try await transport.send(try peer.request(.post, path, body: .bytes(Data("again".utf8))))
            #expect(response.text == "ok")
            #expect(response.attempts > 1)
        }
    }

    @Test(
        "Unprocessed uploads, single and concurrent, are resent or fail with an error",
        arguments: peers, ["refuse-once", "goaway/below", "goaway/all", "goaway/answered"])
    func unprocessedUploads(peer: Peer, how: String) async throws {
        let transport = NIOTransport.patient()
        for count in [1, 20] {
            let requests = try (0..<count).map { _ in
                try peer.request(.post, "/\(how)?\(UUID())", body: Self.upload())
            }
            let ends: Set<End> = await withTaskGroup(of: End.self) { group in
                for request in requests { group.addTask { await Self.end(transport, request) } }
                return await group.reduce(into: []) { $0.insert($1) }
            }
            if how == "refuse-once" || count == 1 && how != "goaway/all" {
                #expect(ends == [.status(200)], "\(count): \(ends)")
            }
            // Each connection accepts at most one of them, and a request does not open that many.
            let lost = [TransportError.Phase.request, .head, .body].map { End.error(.networkConnectionLost, $0) }
            #expect(ends.isSubset(of: lost + [.status(200)]), "\(count): \(ends)")
            try await Self.expectAlive(transport, peer, #_sourceLocation)
        }
    }

    @Test("A request that is always refused is sent four times, then fails with requestMayHaveBeenSent == false")
    func refusedAlways() async throws {
        let request = try Peer.faultsInTheClear.request(.post, "/reset/head/7")
        let error = await failure { try await NIOTransport().send(request) }
        #expect(error?.code == .networkConnectionLost)
        #expect(error?.attempts == 4)
        #expect(error?.requestMayHaveBeenSent == false)
    }

    @Test("A body that can be read only once is not resent")
    func refusedOnce() async throws {
        let chunks = AsyncThrowingStream<Data, any Error> { continuation in
            continuation.yield(Data("hello".utf8))
            continuation.finish()
        }
        let body = RequestBody.once(chunks, length: 5)
        let request = try Peer.faultsInTheClear.request(.post, "/refuse-once?\(UUID())", body: body)
        let error = await failure { try await NIOTransport().send(request) }
        #expect(error?.code == .networkConnectionLost)
        #expect(error?.attempts == 1)
    }

    @Test("GOAWAY: requests in progress are answered, and the next one opens a new connection")
    func goAwayAnswered() async throws {
        let transport = NIOTransport.patient()
        for _ in 0..<3 {
            let request = try Peer.faultsInTheClear.request(.get, "/goaway/answered")
            #expect(try await transport.send(request).text == "ok")
        }
        #expect(transport.statistics.dialed == 3)
        try await eventually { transport.statistics.open == 0 }
    }

    @Test(
        "A closed connection fails its own requests only",
        arguments: [
            ("close/head", TransportError.Phase.head), ("close/body", .body), ("close/inside", .body),
            ("close/frame", .body), ("goaway/error", .head), ("goaway/calm", .head), ("goaway/inside", .body),
        ], [1, 20])
    func closes(path: (String, TransportError.Phase), count: Int) async throws {
        for peer in Self.peers {
            let transport = NIOTransport.patient()
            for body in [RequestBody.empty, Self.upload()] {
                let ends = await Self.ends(count, transport, try peer.request(.post, "/" + path.0, body: body))
                // A request whose connections were dead four times was never sent.
                let phases: [TransportError.Phase] = count > 1 ? [path.1, .head, .request] : [path.1]
                #expect(ends.isSubset(of: phases.map { .error(.networkConnectionLost, $0) }), "\(ends)")
            }
            try await Self.expectAlive(transport, peer, #_sourceLocation)
        }
    }

    @Test(
        "Connection-level protocol violations end the connection with an error",
        arguments: [
            "frame/large", "frame/short-ping", "frame/odd-settings", "frame/settings-on-stream",
            "frame/headers-on-none", "frame/data-on-idle", "frame/headers-on-idle", "frame/even-stream",
            "frame/reset-idle", "frame/push", "frame/continuation", "frame/interrupted", "frame/padding",
            "frame/push-on", "frame/push-odd", "frame/bad-fields", "frame/garbage", "frame/http1", "frame/bomb",
            "overflow/connection", "overflow/settings", "overflow/zero-connection", "flood/ping", "flood/ping-answers",
            "flood/settings", "flood/settings-answers", "flood/empty-data", "flood/empty-ends", "flood/continuation",
            "flood/resets", "flood/windows", "flood/priorities", "flood/unknown", "flood/interim",
        ])
    func connectionFaults(path: String) async throws {
        let peer = Peer.faultsInTheClear
        for (body, count) in [(RequestBody.empty, 1), (.empty, 20), (Self.upload(), 1), (Self.upload(), 20)] {
            let transport = NIOTransport.patient()
            // The first request uses up stream 1, so that a reset of stream 1 refers to a stream that has ended.
            try await Self.expectAlive(transport, peer, #_sourceLocation)
            let ends = await Self.ends(count, transport, try peer.request(.post, "/" + path, body: body))
            var allowed: Set<End> = [.error(.badServerResponse, .head), .error(.badServerResponse, .body)]
            // On a new connection stream 1 is one of these requests, so it is reset before the flood ends it.
            let isLate = ["flood/resets", "flood/empty-ends"].contains(path)
            if isLate { allowed.insert(.error(.networkConnectionLost, .head)) }
            #expect(ends.isSubset(of: allowed), "\(ends)")
            let inFlood = isLate || path == "flood/interim"
            try await Self.expectAlive(transport, peer, #_sourceLocation, inFlood: inFlood)
        }
    }

    @Test(
        "Stream-level protocol violations fail the stream alone",
        arguments: [
            "overflow/window", "overflow/zero", "frame/data-first", "fields/uppercase",
            "fields/connection", "fields/chunked", "fields/no-status", "fields/two-status", "fields/late-status",
            "fields/bad-status", "fields/switching", "fields/interim-end", "fields/control", "fields/second-head",
            "fields/blank-first", "fields/blank-last", "fields/tab-first", "fields/tab-last", "fields/blank-alone",
            "fields/blank-length", "fields/blank-trailer", "fields/no-content", "fields/no-content-length",
            "fields/not-modified", "fields/long-length", "fields/short-length", "fields/no-body", "fields/two-lengths",
        ])
    func streamFaults(path: String) async throws {
        let peer = Peer.faultsInTheClear
        let transport = NIOTransport.patient()
        for (body, count) in [(RequestBody.empty, 1), (.empty, 20), (Self.upload(), 1), (Self.upload(), 20)] {
            let ends = await Self.ends(count, transport, try peer.request(.post, "/" + path, body: body))
            #expect(
                ends.isSubset(of: [.error(.badServerResponse, .head), .error(.badServerResponse, .body)]), "\(ends)")
            try await Self.expectAlive(transport, peer, #_sourceLocation)
        }
        #expect(transport.statistics.dialed == 1)
    }

    @Test(
        "Sending more than the stream window of a slow reader resets that stream only",
        arguments: [1, 20], [false, true])
    func overflow(count: Int, hasUpload: Bool) async throws {
        // On a busy machine the round trips look long, which would lead to larger windows.
        let transport = NIOTransport.patient { $0.maximumStreamWindow = 512 * 1024 }
        let peer = Peer.faultsInTheClear
        let body = hasUpload ? Self.upload() : RequestBody.empty
        let request = try peer.request(.post, "/overflow/stream", body: body) { $0.delivery = .streamed }
        let slow: [TransportResponse] = try await withThrowingTaskGroup(of: TransportResponse.self) { group in
            for _ in 0..<count { group.addTask { try await transport.send(request) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        try await Self.expectAlive(transport, peer, #_sourceLocation)
        for response in slow {
            let error = await failure { try await response.body.collect(upTo: 10_000_000) }
            #expect(error?.code == .badServerResponse)
        }
        #expect(transport.statistics.dialed == 1)
    }

    @Test("A head above its limits fails alone", arguments: ["fields/many", "fields/huge"])
    func largeHeads(path: String) async throws {
        let transport = NIOTransport.patient()
        let request = try Peer.faultsInTheClear.request(.get, "/" + path)
        #expect(await Self.ends(20, transport, request) == [.error(.dataLengthExceedsMaximum, .head)])
        try await Self.expectAlive(transport, .faultsInTheClear, #_sourceLocation)
        #expect(transport.statistics.dialed == 1)
    }

    @Test("Random frames cause no crash or hang, and the next request works", arguments: 1...150)
    func random(seed: Int) async throws {
        let transport = NIOTransport.patient()
        let peer = Peer.faultsInTheClear
        let body = seed.isMultiple(of: 2) ? RequestBody.empty : Self.upload(300_000)
        let request = try peer.request(.post, "/random/\(seed)", body: body) {
            $0.delivery = seed.isMultiple(of: 3) ? .streamed : .collected(upTo: 1_000_000)
        }
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<(seed % 5 + 1) {
                group.addTask {
                    // Any result is allowed, as long as the request ends.
                    _ = try? await transport.send(request).body.collect(upTo: 1_000_000)
                }
            }
        }
        try await Self.expectAlive(transport, peer, #_sourceLocation)
    }

    @Test(
        "Unusual but allowed frames are accepted",
        arguments: ["frame/unknown", "frame/padded", "frame/push-off", "ok", "echo"])
    func oddities(path: String) async throws {
        let response = try await NIOTransport().send(try Peer.faultsInTheClear.request(.get, "/" + path))
        #expect(response.text == (path == "echo" ? "0" : "ok"))
    }

    @Test("A server that sends nothing, not even PING answers, is detected as dead", arguments: [1, 20])
    func silence(count: Int) async throws {
        var configuration = NIOTransport.Configuration()
        configuration.pingInterval = .milliseconds(50)
        configuration.pingTimeout = .milliseconds(50)
        let transport = NIOTransport(configuration: configuration)
        for body in [RequestBody.empty, Self.upload()] {
            let request = try Peer.faultsInTheClear.request(.post, "/silent", body: body)
            let ends = await Self.ends(count, transport, request)
            #expect(ends == [.error(.networkConnectionLost, .head)])
        }
    }

    @Test("A slow server that answers PING is not considered dead")
    func patience() async throws {
        var configuration = NIOTransport.Configuration()
        configuration.pingInterval = .milliseconds(10)
        configuration.pingTimeout = .seconds(60)
        let transport = NIOTransport(configuration: configuration)
        let request = try Peer.faultsInTheClear.request(.get, "/stall") { $0.timeouts.head = .milliseconds(300) }
        #expect(await Self.end(transport, request) == .error(.timedOut, .head))
        try await Self.expectAlive(transport, .faultsInTheClear, #_sourceLocation)
        #expect(transport.statistics.dialed == 1)
    }

    @Test("A cancelled request resets its stream at once, and the connection stays open", arguments: [1, 20])
    func cancellation(count: Int) async throws {
        let transport = NIOTransport.patient()
        let path = "/stall/\(UUID())"
        let request = try Peer.faultsInTheClear.request(.post, path, body: Self.upload(200_000))
        try await Self.expectAlive(transport, .faultsInTheClear, #_sourceLocation)
        let tasks = (0..<count).map { _ in Task { await Self.end(transport, request) } }
        try await eventually { transport.statistics.leased == 1 && transport.statistics.reused >= count }
        for task in tasks { task.cancel() }
        for task in tasks {
            let end = await task.value
            guard case .error(.cancelled, _) = end else {
                Issue.record("\(end)")
                return
            }
        }
        try await Self.expectAlive(transport, .faultsInTheClear, #_sourceLocation)
        #expect(transport.statistics.dialed == 1)
        try await eventually { transport.statistics.idle == 1 }
    }

    @Test("SETTINGS that change while streams are open are applied")
    func settings() async throws {
        for what in ["one-stream", "no-table", "more-streams"] {
            let transport = NIOTransport.patient()
            for body in [RequestBody.empty, Self.upload(200_000)] {
                let request = try Peer.faultsInTheClear.request(.post, "/settings/\(what)", body: body)
                #expect(await Self.ends(20, transport, request) == [.status(200)], "\(what)")
            }
        }
        // With a window of 0 the upload cannot continue.
        let request = try Peer.faultsInTheClear.request(.post, "/unread", body: Self.upload()) {
            $0.timeouts.idle = .milliseconds(200)
        }
        #expect(await Self.end(NIOTransport(), request) == .error(.timedOut, .request))
    }

    @Test("Interim responses are reported, and the final one is delivered")
    func interim() async throws {
        let seen = Mutex<[Int]>([])
        let request = try Peer.faultsInTheClear.request(.get, "/interim") {
            $0.informational = { response in seen.withLock { $0.append(response.status.code) } }
        }
        #expect(try await NIOTransport().send(request).text == "ok")
        #expect(seen.withLock { $0 } == [103])
    }

    @Test("Trailers end a body and are delivered with it, and 204 has no body")
    func ends() async throws {
        let transport = NIOTransport.patient()
        let checksum = try #require(HTTPField.Name("x-checksum"))
        let collected = try await transport.send(try Peer.faultsInTheClear.request(.get, "/trailers"))
        #expect(collected.text == "ok")
        #expect(collected.trailers[checksum] == "abc")
        let streamed = try await transport.send(
            try Peer.faultsInTheClear.request(.get, "/trailers") { $0.delivery = .streamed })
        #expect(try await streamed.body.collect(upTo: 100) == Data("ok".utf8))
        #expect(streamed.trailers[checksum] == "abc")
        let empty = try await transport.send(try Peer.faultsInTheClear.request(.get, "/empty"))
        #expect(empty.head.status == .noContent)
        let drip = try await transport.send(
            try Peer.faultsInTheClear.request(.get, "/drip") { $0.delivery = .streamed })
        #expect(try await drip.body.collect(upTo: 10_000).count == 2001)
    }
}
