// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghNIO
import Synchronization
import TestSupport
import Testing

/// A server that breaks the rules (Tests/Peers/h2faults.py): no crash, no hang, and an error that says what happened or a
/// right answer.
@Suite("HTTP/2 with a server that breaks the rules", .serialized, .timeLimit(.minutes(10)))
struct HTTP2FaultTests {
    static let peers: [Peer] = [.faults, .faultsInTheClear]

    /// An upload that goes on for long, so that whatever the server does, it does it in the middle.
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

    /// How an exchange ended: with a status, or with an error's code.
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

    /// The same request so many times at once, over one transport.
    static func ends(_ count: Int, _ transport: NIOTransport, _ request: TransportRequest) async -> Set<End> {
        await withTaskGroup(of: End.self) { group in
            for _ in 0..<count { group.addTask { await end(transport, request) } }
            return await group.reduce(into: []) { $0.insert($1) }
        }
    }

    /// Whether the transport still carries requests, whatever went before.
    ///
    /// A flood that was not over may yet take the first one with it.
    static func expectAlive(
        _ transport: NIOTransport, _ peer: Peer, _ location: SourceLocation, inFlood: Bool = false
    ) async throws {
        if inFlood, case .status(200) = await end(transport, try peer.request(.get, "/ok")) { return }
        let response = try await transport.send(try peer.request(.get, "/ok"))
        #expect(response.text == "ok", sourceLocation: location)
    }

    @Test(
        "An answer before the upload has ended is delivered, and kills nothing, whatever follows it", arguments: peers,
        ["no-error", "cancel", "end", "goaway", "close", "error"])
    func early(peer: Peer, how: String) async throws {
        let transport = NIOTransport.patient()
        for count in [1, 20] {
            let request = try peer.request(.post, "/early/\(how)", body: Self.upload())
            let ends = await Self.ends(count, transport, request)
            switch how {
            case "goaway", "close":
                // Those that were on the same connection are lost with it, where they had no answer yet.
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
        "A reset stream fails alone, with the server's code", arguments: ["head", "body", "inside"],
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
        "What the server did not look at is sent again, whatever the method", arguments: peers,
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
        "Uploads that the server did not look at, one and many at once, are sent again or end with an error",
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
            // Each connection takes one of them at most, and so many are not opened for one request.
            let lost = [TransportError.Phase.request, .head, .body].map { End.error(.networkConnectionLost, $0) }
            #expect(ends.isSubset(of: lost + [.status(200)]), "\(count): \(ends)")
            try await Self.expectAlive(transport, peer, #_sourceLocation)
        }
    }

    @Test("What the server never looks at is sent four times, then fails as not sent")
    func refusedAlways() async throws {
        let request = try Peer.faultsInTheClear.request(.post, "/reset/head/7")
        let error = await failure { try await NIOTransport().send(request) }
        #expect(error?.code == .networkConnectionLost)
        #expect(error?.attempts == 4)
        #expect(error?.requestMayHaveBeenSent == false)
    }

    @Test("A body that can be read once is not sent again")
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

    @Test("A server that goes away answers what it took, and the next request goes over a new connection")
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
        "A connection that ends takes its requests with it, and nothing else",
        arguments: [
            ("close/head", TransportError.Phase.head), ("close/body", .body), ("close/inside", .body),
            ("close/frame", .body), ("goaway/error", .head), ("goaway/calm", .head), ("goaway/inside", .body),
        ], [1, 20])
    func closes(path: (String, TransportError.Phase), count: Int) async throws {
        for peer in Self.peers {
            let transport = NIOTransport.patient()
            for body in [RequestBody.empty, Self.upload()] {
                let ends = await Self.ends(count, transport, try peer.request(.post, "/" + path.0, body: body))
                // One that finds its connection dead four times did not get to be sent.
                let phases: [TransportError.Phase] = count > 1 ? [path.1, .head, .request] : [path.1]
                #expect(ends.isSubset(of: phases.map { .error(.networkConnectionLost, $0) }), "\(ends)")
            }
            try await Self.expectAlive(transport, peer, #_sourceLocation)
        }
    }

    @Test(
        "Frames that break the rules end the connection with an error",
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
            // The first makes the table of streams such that a reset of number 1 is for one that has ended.
            try await Self.expectAlive(transport, peer, #_sourceLocation)
            let ends = await Self.ends(count, transport, try peer.request(.post, "/" + path, body: body))
            var allowed: Set<End> = [.error(.badServerResponse, .head), .error(.badServerResponse, .body)]
            // On a connection that was opened anew, number 1 is one of these, and what ends it is not the end of the flood.
            let isLate = ["flood/resets", "flood/empty-ends"].contains(path)
            if isLate { allowed.insert(.error(.networkConnectionLost, .head)) }
            #expect(ends.isSubset(of: allowed), "\(ends)")
            let inFlood = isLate || path == "flood/interim"
            try await Self.expectAlive(transport, peer, #_sourceLocation, inFlood: inFlood)
        }
    }

    @Test(
        "Streams that break the rules fail alone",
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
        "A server that sends more than a slow reader's window takes has its stream reset, and only that",
        arguments: [1, 20], [false, true])
    func overflow(count: Int, hasUpload: Bool) async throws {
        // A busy machine seems to be far away, which would have larger windows.
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

    @Test("A head larger than it may be fails alone, too", arguments: ["fields/many", "fields/huge"])
    func largeHeads(path: String) async throws {
        let transport = NIOTransport.patient()
        let request = try Peer.faultsInTheClear.request(.get, "/" + path)
        #expect(await Self.ends(20, transport, request) == [.error(.dataLengthExceedsMaximum, .head)])
        try await Self.expectAlive(transport, .faultsInTheClear, #_sourceLocation)
        #expect(transport.statistics.dialed == 1)
    }

    @Test("Frames at random crash nothing, hang nothing, and leave the next request alone", arguments: 1...150)
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
                    // Whatever comes, it ends.
                    _ = try? await transport.send(request).body.collect(upTo: 1_000_000)
                }
            }
        }
        try await Self.expectAlive(transport, peer, #_sourceLocation)
    }

    @Test(
        "What is odd and allowed is understood",
        arguments: ["frame/unknown", "frame/padded", "frame/push-off", "ok", "echo"])
    func oddities(path: String) async throws {
        let response = try await NIOTransport().send(try Peer.faultsInTheClear.request(.get, "/" + path))
        #expect(response.text == (path == "echo" ? "0" : "ok"))
    }

    @Test("A server that sends nothing, not even answers to pings, is found dead", arguments: [1, 20])
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

    @Test("A server that takes long and answers to pings is waited for")
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

    @Test("A cancelled request is reset at once, and its connection goes on", arguments: [1, 20])
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

    @Test("Settings that change while streams run are kept to")
    func settings() async throws {
        for what in ["one-stream", "no-table", "more-streams"] {
            let transport = NIOTransport.patient()
            for body in [RequestBody.empty, Self.upload(200_000)] {
                let request = try Peer.faultsInTheClear.request(.post, "/settings/\(what)", body: body)
                #expect(await Self.ends(20, transport, request) == [.status(200)], "\(what)")
            }
        }
        // No window at all: the upload cannot go on.
        let request = try Peer.faultsInTheClear.request(.post, "/unread", body: Self.upload()) {
            $0.timeouts.idle = .milliseconds(200)
        }
        #expect(await Self.end(NIOTransport(), request) == .error(.timedOut, .request))
    }

    @Test("Interim responses are told, and the final one is delivered")
    func interim() async throws {
        let seen = Mutex<[Int]>([])
        let request = try Peer.faultsInTheClear.request(.get, "/interim") {
            $0.informational = { response in seen.withLock { $0.append(response.status.code) } }
        }
        #expect(try await NIOTransport().send(request).text == "ok")
        #expect(seen.withLock { $0 } == [103])
    }

    @Test("Trailers end a body and are handed over with it, and 204 has none")
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
