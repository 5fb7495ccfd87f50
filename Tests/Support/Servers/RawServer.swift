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

/// A TCP server on the loopback that says exactly the bytes it is told to, and remembers what it heard.
///
/// For what no well-behaved server does. It closes when the last reference to it goes.
package final class RawServer: Sendable {
    /// What to do with a connection, in order.
    package enum Step: Sendable {
        /// Send text, as it stands.
        case send(String)
        /// Send bytes.
        case bytes([UInt8])
        /// End the connection.
        case close
        /// End it as a machine does that knows nothing of it.
        case reset
        /// Read nothing of it any more.
        case deafen
    }

    /// What came in: one request, or the head of one where the server answers at the head.
    package struct Request: Sendable {
        /// Which connection it came over, from 0.
        package let connection: Int
        /// Which request of its connection it is, from 0.
        package let number: Int
        /// Its bytes.
        package let text: String
    }

    private struct State {
        var requests: [Request] = []
        var accepted = 0
        /// By the number of the connection.
        var open: [Int: any Channel] = [:]
    }

    private let channel: any Channel
    private let shared: Shared

    /// What the handlers see, so that they do not keep the server alive.
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
    ///   - answersAtHead: Whether to answer when the head of a request has come, and not wait for its body.
    ///   - greeting: What to do when a connection is accepted, before anything is asked.
    ///   - interim: What to do when the head of a request has come, before the rest of it is waited for.
    ///   - answer: What to do about a request.
    /// - Throws: What the system says when there is no port to be had.
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

    /// The port it listens on.
    package var port: Int { channel.localAddress?.port ?? 0 }

    /// Its address as a URL has it.
    package var authority: String { "127.0.0.1:\(port)" }

    /// What was asked so far.
    package var requests: [Request] { shared.state.withLock { $0.requests } }

    /// How many connections were accepted so far.
    package var accepted: Int { shared.state.withLock { $0.accepted } }

    /// How many connections are open now.
    package var open: Int { shared.state.withLock { $0.open.count } }

    /// Ends all connections that are open now, and returns when they are closed.
    package func closeConnections() async {
        for channel in shared.state.withLock({ Array($0.open.values) }) { try? await channel.close() }
    }

    /// Ends one connection, and returns when it is closed.
    ///
    /// - Parameter number: Which connection, from 0.
    package func closeConnection(_ number: Int) async {
        try? await shared.state.withLock({ $0.open[number] })?.close()
    }

    /// Sends more over a connection, and returns when the socket has it.
    ///
    /// - Parameters:
    ///   - bytes: What to send.
    ///   - number: Which connection, from 0.
    /// - Throws: What the connection says that has ended.
    package func send(_ bytes: [UInt8], over number: Int = 0) async throws {
        try await shared.state.withLock({ $0.open[number] })?.writeAndFlush(ByteBuffer(bytes: bytes))
    }

    /// How many bytes it was told to send and still holds, since nobody takes them.
    ///
    /// - Returns: The number, over all connections that are open.
    /// - Throws: What a connection says that ends meanwhile.
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
            perform(shared.greeting, context)
        }

        func channelInactive(context: ChannelHandlerContext) {
            shared.state.withLock { $0.open[index] = nil }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard !hasAnswered else { return }
            bytes += unwrapInboundIn(data).readableBytesView
            let isNew = head == nil
            defer { if isNew, head != nil { perform(shared.interim, context) } }
            while !hasAnswered, let end = endOfRequest() {
                // As Latin 1, so that each byte is one character.
                let text = String(String.UnicodeScalarView(bytes[..<end].map { Unicode.Scalar($0) }))
                let request = Request(connection: index, number: number, text: text)
                bytes.removeFirst(end)
                head = nil
                number += 1
                hasAnswered = shared.answersAtHead
                shared.state.withLock { $0.requests.append(request) }
                perform(shared.answer(request), context)
            }
        }

        /// How many bytes the first request at hand has; `nil` until it is whole.
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

        /// What the head of a request says of its own length and its body's.
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

        private func perform(_ steps: [Step], _ context: ChannelHandlerContext) {
            for step in steps {
                switch step {
                case .send(let text): context.writeAndFlush(NIOAny(ByteBuffer(string: text)), promise: nil)
                case .bytes(let bytes): context.writeAndFlush(NIOAny(ByteBuffer(bytes: bytes)), promise: nil)
                case .close: context.close(promise: nil)
                case .deafen: context.channel.setOption(.autoRead, value: false).whenFailure { _ in }
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
