// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import NIOCore
import Simorgh
import SimorghNIO
import Synchronization
import TestSupport
import Testing

/// Upgrades to the echo protocol of Tests/Peers/wire.py, which answers in capitals, directly and through proxies.
@Suite("HTTP upgrade over real connections", .timeLimit(.minutes(10)))
struct UpgradeWitnessTests {
    private final class EchoReader: ChannelInboundHandler, Sendable {
        typealias InboundIn = ByteBuffer
        let text = Mutex("")

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let bytes = unwrapInboundIn(data)
            text.withLock { $0 += String(buffer: bytes) }
        }
    }

    @Test(
        "The upgraded protocol works in cleartext and over TLS, directly and through each proxy",
        arguments: [false, true], ["", "http", "https", "socks5h"])
    func ways(isSecure: Bool, proxy: String) async throws {
        let witness = try await WireWitness.ask()
        let authority = isSecure ? "localhost:\(witness.offering)" : try WireWitness.authority
        var request = TransportRequest(
            head: HTTPRequest(
                method: .get, scheme: isSecure ? "wss" : "ws", authority: authority, path: "/echo"))
        request.options.tls.trust = .only([.file(witness.root)])
        request.options.timeouts.connect = .seconds(60)
        if let kind = ProxyTests.Kind(rawValue: proxy) {
            request.options.route.proxy = .url(try kind.url("zal:feather%3A1@"))
        }
        let voice = EchoReader()
        let answer = try await NIOTransport().upgrade(request, to: "echo") { _, channel in
            try channel.pipeline.syncOperations.addHandler(voice)
            return channel
        }
        guard case .upgraded(let channel, let response) = answer else {
            Issue.record("refused: \(answer)")
            return
        }
        #expect(response.connection?.tls?.negotiatedProtocol == (isSecure ? "http/1.1" : nil))
        #expect((response.connection?.proxy != nil) == !proxy.isEmpty)
        try await channel.writeAndFlush(ByteBuffer(string: "birds"))
        try await eventually { voice.text.withLock { $0 == "HELLO BIRDS" } }
        // The peer may close the connection without a TLS close_notify.
        try? await channel.close()
    }
}
