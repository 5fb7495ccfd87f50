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
    /// Half of a body, and nothing behind it.
    private static let half = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello"

    /// Bodies that are taken as they come.
    static let streams = [
        TransportCase("a stream gives what has come before the rest has") { transport in
            let server = try await RawServer.saying(half)
            let response = try await transport.send(TransportRequest.to(server).streamed)
            var iterator = response.body.makeAsyncIterator()
            try require(try await iterator.next(), is: Data("hello".utf8), "the first chunk")
        },
        TransportCase("a stream gives every byte once") { transport in
            let bytes = Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) })
            let server = try await RawServer { _ in
                [.send("HTTP/1.1 200 OK\r\nContent-Length: \(bytes.count)\r\n\r\n"), .bytes([UInt8](bytes))]
            }
            let response = try await transport.send(TransportRequest.to(server).streamed)
            var came = Data()
            for try await chunk in response.body {
                try require(!chunk.isEmpty, "a chunk is empty")
                came += chunk
            }
            try require(came == bytes, "\(came.count) bytes came, and they are others")
        },
        TransportCase("a stream of no byte ends") { transport in
            let server = try await RawServer.saying("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
            let response = try await transport.send(TransportRequest.to(server).streamed)
            try require(try await response.body.collect(upTo: 1), is: Data(), "the body")
        },
        TransportCase("letting go of a stream that was not read ends its exchange") { transport in
            let server = try await RawServer.saying(half)
            _ = try await transport.send(TransportRequest.to(server).streamed)
            try await until { server.open == 0 }
        },
        TransportCase("letting go of a stream in its middle ends its exchange") { transport in
            let server = try await RawServer.saying(half)
            do {
                let response = try await transport.send(TransportRequest.to(server).streamed)
                var iterator = response.body.makeAsyncIterator()
                _ = try await iterator.next()
            }
            try await until { server.open == 0 }
        },
        TransportCase("a stream that breaks off throws where it is read") { transport in
            let server = try await RawServer.saying(half, closing: true)
            let response = try await transport.send(TransportRequest.to(server).streamed)
            let error = try await refusal { for try await _ in response.body {} }
            try require(error.code, is: .networkConnectionLost, "the code")
            try require(error.phase, is: .body, "the phase")
        },
        TransportCase("a stream that stalls throws where it is read") { transport in
            let server = try await RawServer.saying(half)
            var request = TransportRequest.to(server).streamed
            request.options.timeouts.idle = .seconds(1)
            let response = try await transport.send(request)
            let error = try await refusal { for try await _ in response.body {} }
            try require(error.code, is: .timedOut, "the code")
            try require(error.phase, is: .body, "the phase")
        },
    ]

    /// What goes wrong, and how it is told.
    static let failures =
        [
            TransportCase("a body that breaks off is never handed over as a whole one") { transport in
                for answer in [half, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n"] {
                    let server = try await RawServer.saying(answer, closing: true)
                    let error = try await refusal { try await transport.send(.to(server)) }
                    try require(error.code, is: .networkConnectionLost, "the code")
                    try require(error.phase, is: .body, "the phase")
                    // What came before it broke off is told.
                    try require(error.facts?.response?.status.code, is: 200, "the status of the head that came")
                }
            },
            TransportCase("a connection that ends before the head is lost") { transport in
                let server = try await RawServer { _ in [.close] }
                let error = try await refusal { try await transport.send(.to(server, .post, body: .text("a"))) }
                try require(error.code, is: .networkConnectionLost, "the code")
                try require(error.requestMayHaveBeenSent, "it says that nothing can have been sent")
            },
            TransportCase("what is no HTTP is an error") { transport in
                let server = try await RawServer.saying("SSH-2.0-server\r\n\r\n", closing: true)
                _ = try await refusal { try await transport.send(.to(server)) }
            },
            TransportCase("a port that nobody listens on refuses, and nothing was sent") { transport in
                try await UnreachablePort.with { nobody in
                    let authority = "127.0.0.1:\(nobody.port)"
                    let request = TransportRequest(
                        head: HTTPRequest(method: .get, scheme: "http", authority: authority, path: "/"))
                    let error = try await refusal { try await transport.send(request) }
                    try require(error.code, is: .cannotConnectToHost, "the code")
                    try require(error.phase, is: .connect, "the phase")
                    try require(error.requestMayHaveBeenSent, is: false, "whether it may have been sent")
                }
            },
            TransportCase("a scheme that is not HTTP's is refused") { transport in
                var request = TransportRequest.to(try await RawServer { _ in [] })
                request.head.scheme = "ftp"
                let sent = request
                let error = try await refusal { try await transport.send(sent) }
                try require(error.code, is: .unsupportedURL, "the code")
            },
        ] + timeouts + cancellations

    private static let timeouts: [TransportCase] = [
        ("head", "", \Timeouts.head as any WritableKeyPath<Timeouts, Duration?> & Sendable, TransportError.Phase.head),
        ("body", half, \.idle, .body),
        ("total, at the head,", "", \.total, .total),
        ("total, in the body,", half, \.total, .total),
    ].map { (name: String, answer: String, limit: any WritableKeyPath<Timeouts, Duration?> & Sendable, phase) in
        TransportCase("a \(name) that takes too long ends with an error that says so, and its limit") { transport in
            let server = try await RawServer { _ in answer.isEmpty ? [] : [.send(answer)] }
            var request = TransportRequest.to(server)
            request.options.timeouts[keyPath: limit] = .milliseconds(300)
            let sent = request
            let error = try await refusal { try await transport.send(sent) }
            try require(error.code, is: .timedOut, "the code")
            try require(error.phase, is: phase, "the phase")
            try require(error.limit, is: .milliseconds(300), "the limit")
        }
    }

    private static let cancellations: [TransportCase] = [
        ("before it began", "", false), ("at the head", "", true), ("in the body", half, true),
    ].flatMap { (name: String, answer: String, waits: Bool) in
        [false, true].map { byScope in
            TransportCase("a call that is cancelled \(name)\(byScope ? " by its scope" : "") ends at once") {
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
                try require(error.code, is: .cancelled, "the code")
                try require(scope.count, is: 0, "how many are left in the scope")
                if !waits { try require(server.requests.isEmpty, "the request was sent") }
            }
        }
    }
}
