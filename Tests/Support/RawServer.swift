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
        var open: [ObjectIdentifier: any Channel] = [:]
    }

    private let channel: any Channel
    private let shared: Shared

    /// What the handlers see, so that they do not keep the server alive.
    private final class Shared: Sendable {
        let state = Mutex(State())
        let answersAtHead: Bool
        let greeting: [Step]
        let answer: @Sendable (Request) -> [Step]

        init(answersAtHead: Bool, greeting: [Step], answer: @escaping @Sendable (Request) -> [Step]) {
            self.answersAtHead = answersAtHead
            self.greeting = greeting
            self.answer = answer
        }
    }

    /// Starts listening on a free port of 127.0.0.1.
    ///
    /// - Parameters:
    ///   - answersAtHead: Whether to answer when the head of a request has come, and not wait for its body.
    ///   - greeting: What to do when a connection is accepted, before anything is asked.
    ///   - answer: What to do about a request.
    /// - Throws: What the system says when there is no port to be had.
    package init(
        answersAtHead: Bool = false,
        greeting: [Step] = [],
        answer: @escaping @Sendable (Request) -> [Step]
    ) async throws {
        let shared = Shared(answersAtHead: answersAtHead, greeting: greeting, answer: answer)
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

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let shared: Shared
        private var index = 0
        private var number = 0
        private var text = ""
        private var hasAnswered = false

        init(_ shared: Shared) { self.shared = shared }

        func channelActive(context: ChannelHandlerContext) {
            let channel = context.channel
            index = shared.state.withLock { state in
                state.open[ObjectIdentifier(channel)] = channel
                defer { state.accepted += 1 }
                return state.accepted
            }
            perform(shared.greeting, context)
        }

        func channelInactive(context: ChannelHandlerContext) {
            let channel = context.channel
            shared.state.withLock { $0.open[ObjectIdentifier(channel)] = nil }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            var bytes = unwrapInboundIn(data)
            // As Latin 1, so that each byte is one character.
            text += String(
                String.UnicodeScalarView((bytes.readBytes(length: bytes.readableBytes) ?? []).map { .init($0) }))
            while let end = endOfRequest() {
                let request = Request(connection: index, number: number, text: String(text.unicodeScalars.prefix(end)))
                text = String(text.unicodeScalars.dropFirst(end))
                number += 1
                hasAnswered = shared.answersAtHead
                shared.state.withLock { $0.requests.append(request) }
                perform(shared.answer(request), context)
            }
        }

        /// How many bytes the first request at hand has; `nil` until it is whole.
        private func endOfRequest() -> Int? {
            guard !hasAnswered else { return nil }
            let scalars = Array(text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) })
            let blank = Array("\r\n\r\n".utf8)
            guard scalars.count >= 4,
                let head = (0...(scalars.count - 4)).first(where: { scalars[$0..<($0 + 4)].elementsEqual(blank) })
            else { return nil }
            let length = head + 4
            if shared.answersAtHead { return length }
            let lines = String(decoding: scalars[..<head], as: UTF8.self).lowercased().split(separator: "\r\n")
            if let line = lines.first(where: { $0.hasPrefix("content-length: ") }) {
                let total = length + (Int(line.dropFirst(16)) ?? 0)
                return scalars.count >= total ? total : nil
            }
            guard lines.contains("transfer-encoding: chunked") else { return length }
            let last = Array("0\r\n\r\n".utf8)
            guard scalars.count >= length + 5, scalars.suffix(5).elementsEqual(last) else { return nil }
            return scalars.count
        }

        private func perform(_ steps: [Step], _ context: ChannelHandlerContext) {
            for step in steps {
                switch step {
                case .send(let text): context.writeAndFlush(NIOAny(ByteBuffer(string: text)), promise: nil)
                case .bytes(let bytes): context.writeAndFlush(NIOAny(ByteBuffer(bytes: bytes)), promise: nil)
                case .close: context.close(promise: nil)
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
