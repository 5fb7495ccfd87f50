// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Dispatch
import Foundation
import HTTPTypes
import SimorghCore
import SimorghTesting
import SimorghURLSession
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The callbacks of a session as events; over an ordinary session, since only Apple platforms have others.
@Suite(.timeLimit(.minutes(5)))
struct URLBackgroundSessionTests {
    /// The content of an event in words; `nil` for progress.
    private static func words(_ event: BackgroundSessionEvent) -> String? {
        switch event {
        case .progress: nil
        case .file(_, let response, let path):
            "file \(response?.status ?? 0) \((try? String(contentsOfFile: path, encoding: .utf8)) ?? "missing")"
        case .data(_, let data): "data \(String(decoding: data, as: UTF8.self))"
        case .ended(let task, let response, let failure):
            "ended \(task.isUpload ? "upload" : "download") \(response?.status ?? 0) \(failure?.code ?? 0)"
        case .delivered: "delivered"
        case .invalidated: "invalidated"
        }
    }

    /// Performs an order and returns its events up to the end of the task.
    private static func events(
        of order: BackgroundOrder, trust: BackgroundTrust = BackgroundTrust()
    ) async -> [String] {
        let (events, continuation) = AsyncStream.makeStream(of: String.self)
        let session = URLBackgroundSession(.ephemeral, trust: trust, queue: DispatchQueue(label: "test")) { event in
            guard let words = words(event) else { return }
            continuation.yield(words)
            if words.hasPrefix("ended") { continuation.finish() }
        }
        #expect(session.start(order, resumeData: nil) >= 0)
        var result: [String] = []
        for await event in events { result.append(event) }
        return result
    }

    private static func withServer(_ body: (MockServer) async throws -> Void) async throws {
        var configuration = MockServer.Configuration()
        configuration.protocols = [.http1]
        try await MockServer.with(configuration, body: body)
    }

    @Test("A download reports its file while it exists, and then its end")
    func download() async throws {
        try await Self.withServer { server in
            server.on(.get, path: "/x", response: .text("hello"))
            let events = await Self.events(of: BackgroundOrder(id: UUID(), url: "\(server.url)/x"))
            #expect(events == ["file 200 hello", "ended download 200 0"])
        }
    }

    @Test("An upload sends its file, and reports the response")
    func upload() async throws {
        let file = TemporaryFile(Data("content".utf8))
        try await Self.withServer { server in
            server.on(.put, path: "/x", response: .text("done"))
            var order = BackgroundOrder(id: UUID(), url: "\(server.url)/x")
            (order.method, order.file) = ("PUT", file.path)
            let events = await Self.events(of: order)
            #expect(events == ["data done", "ended upload 200 0"])
            #expect(server.requests.first?.body == Data("content".utf8))
        }
    }

    @Test("A session with TLS options, whose delegate answers challenges, reports the same events")
    func judging() async throws {
        var tls = TLSOptions()
        tls.evaluation = .afterVerification { _ in }
        let (options, file) = (tls, TemporaryFile(Data("content".utf8)))
        try await Self.withServer { server in
            server.on(.get, path: "/x", response: .text("hello"))
            server.on(.put, path: "/x", response: .text("done"))
            let trust = BackgroundTrust(options)
            let download = BackgroundOrder(id: UUID(), url: "\(server.url)/x")
            #expect(await Self.events(of: download, trust: trust) == ["file 200 hello", "ended download 200 0"])
            var upload = BackgroundOrder(id: UUID(), url: "\(server.url)/x")
            (upload.method, upload.file) = ("PUT", file.path)
            #expect(await Self.events(of: upload, trust: trust) == ["data done", "ended upload 200 0"])
        }
    }

    @Test("A failed task reports the number of its error")
    func failed() async {
        let events = await Self.events(of: BackgroundOrder(id: UUID(), url: "http://127.0.0.1:1/x"))
        #expect(events == ["ended download 0 \(URLError.cannotConnectToHost.rawValue)"])
    }

    @Test("An order without a valid URL starts no task")
    func invalid() {
        let session = URLBackgroundSession(.ephemeral, queue: DispatchQueue(label: "test")) { _ in }
        #expect(session.start(BackgroundOrder(id: UUID(), url: ""), resumeData: nil) == -1)
    }
}
