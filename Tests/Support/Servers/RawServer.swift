// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import NIOPosix
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A TCP server on the loopback that sends the bytes given by the test, and records the requests.
///
/// For behavior that no well-behaved server shows. It closes when its last reference is released.
package final class RawServer: Sendable {
    /// A step to perform on a connection; steps run in order.
    package enum Step: Sendable {
        /// Sends text unchanged.
        case send(String)
        /// Sends bytes.
        case bytes([UInt8])
        /// Closes the connection.
        case close
        /// Resets the connection, as a machine that does not know it would.
        case reset
        /// Stops reading from the connection.
        case stopReading
    }

    /// A received request, or only its head if the server answers at the head.
    package struct Request: Sendable {
        /// The index of the connection, from 0.
        package let connection: Int
        /// The index of the request on its connection, from 0.
        package let number: Int
        /// The bytes of the request.
        package let text: String
    }

    private struct State {
        var requests: [Request] = []
        var accepted = 0
        /// The open connections by index.
        var open: [Int: any Channel] = [:]
    }

    private let channel: any Channel
    private let shared: Shared

    /// The state of the handlers, separate so that they do not retain the server.
    private final class Shared: Sendable {
        let state = Mutex(State())
        let answersAtHead: Bool
        let greeting: [Step]
        let interim: [Step]
        let answer: @Sendable (Request) -> [Step]

        init(
            answersAtHead: Bool, greeting: [Step], interim: [Step], answer: @escaping @Sendable (Request) -> [Step]
        ) {
            self.answersAtHead = answersAtHead
            self.greeting = greeting
            self.interim = interim
            self.answer = answer
        }
    }

    /// Starts listening on a free port of 127.0.0.1.
    ///
    /// - Parameters:
    ///   - answersAtHead: True to answer after the head of a request, without waiting for its body.
    ///   - greeting: The steps for a new connection, before any request.
    ///   - interim: The steps after the head of a request, before its body.
    ///   - answer: Returns the steps for a request.
    /// - Throws: The system's error if no port is available.
    package init(
        answersAtHead: Bool = false,
        greeting: [Step] = [],
        interim: [Step] = [],
        answer: @escaping @Sendable (Request) -> [Step]
    ) async throws {
        let shared = Shared(answersAtHead: answersAtHead, greeting: greeting, interim: interim, answer: answer)
        self.shared = shared
        channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.allowRemoteHalfClosure, value: false)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Handler(shared))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
    }

    deinit {
        channel.close(promise: nil)
        for connection in shared.state.withLock({ Array($0.open.values) }) { connection.close(promise: nil) }
    }

    /// The port of the server.
    package var port: Int { channel.localAddress?.port ?? 0 }

    /// The server's address as in a URL.
    package var authority: String { "127.0.0.1:\(port)" }

    /// The requests so far.
    package var requests: [Request] { shared.state.withLock { $0.requests } }

    /// The number of connections accepted so far.
    package var accepted: Int { shared.state.withLock { $0.accepted } }

    /// The number of open connections.
    package var open: Int { shared.state.withLock { $0.open.count } }

    /// Closes all open connections, and returns when they are closed.
    package func closeConnections() async {
        for channel in shared.state.withLock({ Array($0.open.values) }) { try? await channel.close() }
    }

    /// Closes one connection, and returns when it is closed.
    ///
    /// - Parameter number: The index of the connection, from 0.
    package func closeConnection(_ number: Int) async {
        try? await shared.state.withLock({ $0.open[number] })?.close()
    }

    /// Sends bytes over a connection, and returns when they were written to the socket.
    ///
    /// - Parameters:
    ///   - bytes: The bytes to send.
    ///   - number: The index of the connection, from 0.
    /// - Throws: The error of a connection that has ended.
    package func send(_ bytes: [UInt8], over number: Int = 0) async throws {
        try await shared.state.withLock({ $0.open[number] })?.writeAndFlush(ByteBuffer(bytes: bytes))
    }

    /// Returns the number of bytes that are buffered because the clients do not read them.
    ///
    /// - Returns: The number, over all open connections.
    /// - Throws: The error of a connection that ends meanwhile.
    package func unsent() async throws -> Int {
        var count = 0
        for channel in shared.state.withLock({ Array($0.open.values) }) {
            count += try await channel.getOption(.bufferedWritableBytes).get()
        }
        return count
    }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let shared: Shared
        private var index = 0
        private var number = 0
        private var bytes: [UInt8] = []
        private var head: Head?
        private var hasAnswered = false

        init(_ shared: Shared) { self.shared = shared }

        func channelActive(context: ChannelHandlerContext) {
            let channel = context.channel
            index = shared.state.withLock { state in
                state.open[state.accepted] = channel
                defer { state.accepted += 1 }
                return state.accepted
            }
            perform(shared.greeting, context: context)
        }

        func channelInactive(context: ChannelHandlerContext) {
            shared.state.withLock { $0.open[index] = nil }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard !hasAnswered else { return }
            bytes += unwrapInboundIn(data).readableBytesView
            let isNew = head == nil
            defer { if isNew, head != nil { perform(shared.interim, context: context) } }
            while !hasAnswered, let end = endOfRequest() {
                // As Latin-1, so that each byte is one character.
                let text = String(String.UnicodeScalarView(bytes[..<end].map { Unicode.Scalar($0) }))
                let request = Request(connection: index, number: number, text: text)
                bytes.removeFirst(end)
                head = nil
                number += 1
                hasAnswered = shared.answersAtHead
                shared.state.withLock { $0.requests.append(request) }
                perform(shared.answer(request), context: context)
            }
        }

        /// Returns the length of the first buffered request; `nil` if it is incomplete.
        private func endOfRequest() -> Int? {
            if head == nil { head = Head(bytes) }
            guard let head else { return nil }
            if shared.answersAtHead { return head.length }
            if head.isChunked {
                let isWhole = bytes.count >= head.length + 5 && bytes.suffix(5).elementsEqual("0\r\n\r\n".utf8)
                return isWhole ? bytes.count : nil
            }
            return bytes.count >= head.length + head.bodyLength ? head.length + head.bodyLength : nil
        }

        /// The length of a request's head, and the framing of its body.
        private struct Head {
            let length: Int
            var bodyLength = 0
            var isChunked = false

            init?(_ bytes: [UInt8]) {
                let blank = Array("\r\n\r\n".utf8)
                guard bytes.count >= 4,
                    let end = (0...(bytes.count - 4)).first(where: { bytes[$0..<($0 + 4)].elementsEqual(blank) })
                else { return nil }
                length = end + 4
                for line in String(decoding: bytes[..<end], as: UTF8.self).lowercased().split(separator: "\r\n") {
                    if line.hasPrefix("content-length: ") { bodyLength = Int(line.dropFirst(16)) ?? 0 }
                    if line == "transfer-encoding: chunked" { isChunked = true }
                }
            }
        }

        private func perform(_ steps: [Step], context: ChannelHandlerContext) {
            for step in steps {
                switch step {
                case .send(let text): context.writeAndFlush(NIOAny(ByteBuffer(string: text)), promise: nil)
                case .bytes(let bytes): context.writeAndFlush(NIOAny(ByteBuffer(bytes: bytes)), promise: nil)
                case .close: context.close(promise: nil)
                case .stopReading: context.channel.setOption(.autoRead, value: false).whenFailure { _ in }
                case .reset:
                    let socket = context.channel as? any SocketOptionProvider
                    let channel = context.channel
                    if let socket {
                        socket.setSoLinger(linger(l_onoff: 1, l_linger: 0)).whenComplete { _ in
                            channel.close(promise: nil)
                        }
                    } else {
                        channel.close(promise: nil)
                    }
                }
            }
        }
    }
}
