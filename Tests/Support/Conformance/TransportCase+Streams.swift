// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import SimorghSupport
import SimorghTesting

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension TransportCase {
    /// The first half of a body, without the rest.
    private static let half = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello"

    /// Cases about streamed bodies.
    static let streams = [
        TransportCase("A streamed body delivers the received part before the rest arrives") { transport in
            let server = try await RawServer.responding(with: half)
            let response = try await transport.send(TransportRequest.to(server).streamed)
            var iterator = response.body.makeAsyncIterator()
            try require(try await iterator.next(), is: Data("hello".utf8), named: "the first chunk")
        },
        TransportCase("A streamed body delivers every byte once") { transport in
            let bytes = Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) })
            let server = try await RawServer { _ in
                [.send("HTTP/1.1 200 OK\r\nContent-Length: \(bytes.count)\r\n\r\n"), .bytes([UInt8](bytes))]
            }
            let response = try await transport.send(TransportRequest.to(server).streamed)
            var received = Data()
            for try await chunk in response.body {
                try require(!chunk.isEmpty, otherwise: "a chunk is empty")
                received += chunk
            }
            try require(received == bytes, otherwise: "\(received.count) bytes were received, and they differ")
        },
        TransportCase("An empty streamed body ends") { transport in
            let server = try await RawServer.responding(with: "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
            let response = try await transport.send(TransportRequest.to(server).streamed)
            try require(try await response.body.collect(upTo: 1), is: Data(), named: "the body")
        },
        TransportCase("Dropping an unread streamed body closes its connection") { transport in
            let server = try await RawServer.responding(with: half)
            _ = try await transport.send(TransportRequest.to(server).streamed)
            try await until { server.open == 0 }
        },
        TransportCase("Dropping a partially read streamed body closes its connection") { transport in
            let server = try await RawServer.responding(with: half)
            do {
                let response = try await transport.send(TransportRequest.to(server).streamed)
                var iterator = response.body.makeAsyncIterator()
                _ = try await iterator.next()
            }
            try await until { server.open == 0 }
        },
        TransportCase("A streamed body that is cut off throws to its reader") { transport in
            let server = try await RawServer.responding(with: half, closing: true)
            let response = try await transport.send(TransportRequest.to(server).streamed)
            let error = try await refusal { for try await _ in response.body {} }
            try require(error.code, is: .networkConnectionLost, named: "the code")
            try require(error.phase, is: .body, named: "the phase")
        },
        TransportCase("A streamed body that stalls throws to its reader") { transport in
            let server = try await RawServer.responding(with: half)
            var request = TransportRequest.to(server).streamed
            request.options.timeouts.idle = .seconds(1)
            let response = try await transport.send(request)
            let error = try await refusal { for try await _ in response.body {} }
            try require(error.code, is: .timedOut, named: "the code")
            try require(error.phase, is: .body, named: "the phase")
        },
    ]

    /// Cases about failures.
    static let failures =
        [
            TransportCase("A truncated body is never delivered as a complete one") { transport in
                for answer in [half, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n"] {
                    let server = try await RawServer.responding(with: answer, closing: true)
                    let error = try await refusal { try await transport.send(.to(server)) }
                    try require(error.code, is: .networkConnectionLost, named: "the code")
                    try require(error.phase, is: .body, named: "the phase")
                    // The error has the head that arrived before the connection was cut off.
                    try require(error.facts?.response?.status.code, is: 200, named: "the status of the received head")
                }
            },
            TransportCase("A connection that ends before the head is networkConnectionLost") { transport in
                let server = try await RawServer { _ in [.close] }
                let error = try await refusal { try await transport.send(.to(server, method: .post, body: .text("a"))) }
                try require(error.code, is: .networkConnectionLost, named: "the code")
                try require(error.requestMayHaveBeenSent, otherwise: "requestMayHaveBeenSent is false")
            },
            TransportCase("A response that is not HTTP is an error") { transport in
                let server = try await RawServer.responding(with: "SSH-2.0-server\r\n\r\n", closing: true)
                _ = try await refusal { try await transport.send(.to(server)) }
            },
            TransportCase("A refused port is cannotConnectToHost, and nothing was sent") { transport in
                try await UnreachablePort.with { target in
                    let authority = "127.0.0.1:\(target.port)"
                    let request = TransportRequest(
                        head: HTTPRequest(method: .get, scheme: "http", authority: authority, path: "/"))
                    let error = try await refusal { try await transport.send(request) }
                    try require(error.code, is: .cannotConnectToHost, named: "the code")
                    try require(error.phase, is: .connect, named: "the phase")
                    try require(error.requestMayHaveBeenSent, is: false, named: "requestMayHaveBeenSent")
                }
            },
            TransportCase("An unsupported scheme is refused") { transport in
                var request = TransportRequest.to(try await RawServer { _ in [] })
                request.head.scheme = "ftp"
                let sent = request
                let error = try await refusal { try await transport.send(sent) }
                try require(error.code, is: .unsupportedURL, named: "the code")
            },
        ] + timeouts + cancellations

    private static let timeouts: [TransportCase] = [
        ("head", "", \Timeouts.head as any WritableKeyPath<Timeouts, Duration?> & Sendable, TransportError.Phase.head),
        ("body", half, \.idle, .body),
        ("total (head)", "", \.total, .total),
        ("total (body)", half, \.total, .total),
    ].map { (name: String, answer: String, limit: any WritableKeyPath<Timeouts, Duration?> & Sendable, phase) in
        TransportCase("Timeout \(name): the error is timedOut, with its phase and limit") { transport in
            let server = try await RawServer { _ in answer.isEmpty ? [] : [.send(answer)] }
            var request = TransportRequest.to(server)
            request.options.timeouts[keyPath: limit] = .milliseconds(300)
            let sent = request
            let error = try await refusal { try await transport.send(sent) }
            try require(error.code, is: .timedOut, named: "the code")
            try require(error.phase, is: phase, named: "the phase")
            try require(error.limit, is: .milliseconds(300), named: "the limit")
        }
    }

    private static let cancellations: [TransportCase] = [
        ("before it begins", "", false), ("at the head", "", true), ("in the body", half, true),
    ].flatMap { (name: String, answer: String, waits: Bool) in
        [false, true].map { byScope in
            TransportCase("Cancelling the \(byScope ? "scope" : "task") \(name) ends the call at once") {
                transport in
                let server = try await RawServer { _ in answer.isEmpty ? [] : [.send(answer)] }
                let scope = CancellationScope()
                var request = TransportRequest.to(server)
                request.options.scope = scope
                let sent = request
                if !waits && byScope { scope.cancelAll() }
                let task = Task {
                    if !waits && !byScope { withUnsafeCurrentTask { $0?.cancel() } }
                    return try await refusal { try await transport.send(sent) }
                }
                if waits {
                    try await until { server.requests.count == 1 }
                    if byScope { scope.cancelAll() } else { task.cancel() }
                }
                let error = try await task.value
                try require(error.code, is: .cancelled, named: "the code")
                try require(scope.count, is: 0, named: "the number of requests left in the scope")
                if !waits { try require(server.requests.isEmpty, otherwise: "the request was sent") }
            }
        }
    }
}
