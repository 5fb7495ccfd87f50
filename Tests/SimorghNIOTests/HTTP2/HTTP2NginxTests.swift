// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghNIO
import TestSupport
import Testing

@Suite("HTTP/2 with nginx", .timeLimit(.minutes(10)))
struct HTTP2NginxTests {
    static let peers: [Peer] = [.nginx, .nginxInTheClear]

    @Test("Sequential requests share one HTTP/2 connection, by ALPN or prior knowledge", arguments: peers)
    func reuse(peer: Peer) async throws {
        let transport = NIOTransport.patient()
        var connections: Set<UInt64> = []
        for turn in 0..<20 {
            let response = try await transport.send(try peer.request(.get, "/200"))
            #expect(response.head.status == .ok)
            #expect(response.text == String(repeating: "x", count: 200))
            #expect(response.timings.isReusedConnection == (turn > 0))
            let info = try #require(response.connection)
            #expect(info.applicationProtocol == (peer == .nginx ? "h2" : "h2c"))
            connections.insert(info.id)
        }
        #expect(connections.count == 1)
        #expect(transport.statistics.open == 1)
        #expect(transport.statistics.idle == 1)
    }

    @Test("300 concurrent requests share few connections, more than one if streams run out", arguments: peers)
    func multiplexing(peer: Peer) async throws {
        let transport = NIOTransport.patient()
        let connections = try await withThrowingTaskGroup(of: UInt64?.self) { group in
            for _ in 0..<300 {
                group.addTask {
                    let response = try await transport.send(try peer.request(.get, "/200"))
                    #expect(response.text.utf8.count == 200)
                    return response.connection?.id
                }
            }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(connections.count <= 4)
        try await eventually { transport.statistics.leased == 0 }
        #expect(transport.statistics.idle == transport.statistics.open)
    }

    @Test("A body of 1 MiB arrives whole, collected and streamed", arguments: peers)
    func large(peer: Peer) async throws {
        let transport = NIOTransport.patient()
        let whole = Data(repeating: UInt8(ascii: "y"), count: 1_048_576)
        let collected = try await transport.send(try peer.request(.get, "/1m"))
        #expect(collected.body.collectedBytes == whole)
        let streamed = try await transport.send(try peer.request(.get, "/1m") { $0.delivery = .streamed })
        #expect(try await streamed.body.collect(upTo: 2_000_000) == whole)
    }

    @Test(
        "Uploads of all sizes arrive whole, from memory and streamed", arguments: peers,
        [0, 1, 1000, 65_535, 65_536, 3_000_000])
    func uploads(peer: Peer, size: Int) async throws {
        let transport = NIOTransport.patient()
        let bytes = Data(repeating: 7, count: size)
        let sent = try await transport.send(try peer.request(.post, "/echo", body: .bytes(bytes)))
        #expect(sent.text == "POST \(size) application/octet-stream")
        let chunks = RequestBody.stream(length: Int64(size)) {
            AsyncThrowingStream<Data, any Error> { continuation in
                for start in stride(from: 0, to: size, by: 70_000) {
                    continuation.yield(bytes[start..<min(size, start + 70_000)])
                }
                continuation.finish()
            }
        }
        let streamed = try await transport.send(try peer.request(.post, "/echo", body: chunks))
        #expect(streamed.text == "POST \(size) application/octet-stream")
    }

    @Test("HEAD returns the fields of GET without a body", arguments: peers)
    func head(peer: Peer) async throws {
        let response = try await NIOTransport().send(try peer.request(.head, "/1m"))
        #expect(response.head.headerFields[.contentLength] == "1048576")
        #expect(response.body.collectedBytes?.isEmpty == true)
    }

    @Test("A compressed body is decompressed")
    func compression() async throws {
        let response = try await NIOTransport().send(try Peer.nginx.request(.get, "/json"))
        #expect(response.text.hasPrefix(#"{"name": "nginx""#))
        #expect(response.head.headerFields[.contentEncoding] == nil)
    }

    @Test("http1Only requests use HTTP/1.1, over separate connections")
    func http1Only() async throws {
        let transport = NIOTransport.patient()
        let response = try await transport.send(try Peer.nginx.request(.get, "/200") { $0.httpVersion = .http1Only })
        #expect(response.connection?.applicationProtocol == "http/1.1")
        let other = try await transport.send(try Peer.nginx.request(.get, "/200") { $0.httpVersion = .http2Only })
        #expect(other.connection?.applicationProtocol == "h2")
        #expect(transport.statistics.open == 2)
    }

    @Test("Two names of one server with a common certificate use separate connections")
    func noCoalescing() async throws {
        let transport = NIOTransport.patient()
        let request = try Peer.nginx.request(.get, "/200")
        let port = try #require(request.head.authority?.split(separator: ":").last)
        var connections: [String: Set<UInt64>] = [:]
        for host in ["localhost", "127.0.0.1", "localhost", "127.0.0.1"] {
            let response = try await transport.send(request.with { $0.head.authority = "\(host):\(port)" })
            #expect(response.text.utf8.count == 200)
            let info = try #require(response.connection)
            #expect(info.applicationProtocol == "h2")
            #expect(info.remoteAddress == "127.0.0.1:\(port)")
            connections[host, default: []].insert(info.id)
        }
        #expect(connections.count == 2 && connections.values.allSatisfy { $0.count == 1 })
        #expect(connections["localhost"] != connections["127.0.0.1"])
        #expect(transport.statistics.dialed == 2)
    }

    @Test("A slow reader does not block other streams of its connection", arguments: peers)
    func slowReader(peer: Peer) async throws {
        let transport = NIOTransport.patient()
        let slow = try await transport.send(try peer.request(.get, "/1m") { $0.delivery = .streamed })
        for _ in 0..<5 {
            let quick = try await transport.send(try peer.request(.get, "/1m"))
            #expect(quick.body.collectedBytes?.count == 1_048_576)
            #expect(quick.connection?.id == slow.connection?.id)
        }
        #expect(try await slow.body.collect(upTo: 2_000_000).count == 1_048_576)
    }
}
