// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import NIOCore
import NIOPosix
import SimorghCore
import SimorghNIO
import Synchronization
import Testing

/// Read from the ClientHello, since the negotiated protocol does not tell which others were offered.
@Suite("TLS: offered protocols (ALPN)", .timeLimit(.minutes(10)))
struct OfferedProtocolsTests {
    typealias Version = TransportOptions.HTTPVersion

    private static let offers: [(Version, [String])] = [
        (.automatic, ["h2", "http/1.1"]), (.http1Only, ["http/1.1"]), (.http2Only, ["h2"]),
        (.http2PriorKnowledge, ["h2"]),
    ]

    /// Long timeouts: a busy machine may be slow, and a late ClientHello would be taken for that of another request.
    private static let timeouts: Timeouts = {
        var timeouts = Timeouts()
        (timeouts.connect, timeouts.tls) = (.seconds(120), .seconds(120))
        return timeouts
    }()

    private static func request(
        _ server: HelloServer, _ version: Version, scheme: String = "https"
    ) -> TransportRequest {
        var options = TransportOptions()
        options.httpVersion = version
        options.timeouts = timeouts
        return TransportRequest(
            head: HTTPRequest(method: .get, scheme: scheme, authority: server.authority, path: "/"), options: options)
    }

    @Test("The client's httpVersion decides what its connections offer", arguments: offers)
    func client(version: Version, protocols: [String]) async throws {
        let server = try await HelloServer()
        var configuration = APIClient.Configuration()
        configuration.httpVersion = version
        configuration.timeouts = Self.timeouts
        configuration.networkMonitor = nil
        let client = APIClient(configuration: configuration, transport: NIOTransport())
        await #expect(throws: NetworkError.self) { try await client.call(.get, "https://\(server.authority)/").data() }
        #expect(Set(server.offers) == [protocols])
    }

    @Test("A call's httpVersion decides what its own connection offers, whatever others to the same host asked for")
    func call() async throws {
        let server = try await HelloServer()
        let transport = NIOTransport()
        // Twice, since the TLS configuration is cached.
        for (version, protocols) in Self.offers + Self.offers {
            let known = server.offers.count
            let error = await failure { try await transport.send(Self.request(server, version)) }
            #expect(error != nil, "\(version)")
            #expect(Set(server.offers.dropFirst(known)) == [protocols], "\(version)")
        }
    }

    @Test("Each host is offered the protocols of its own requests")
    func hosts() async throws {
        let (old, new) = (try await HelloServer(), try await HelloServer())
        let transport = NIOTransport()
        _ = await failure { try await transport.send(Self.request(old, .http1Only)) }
        _ = await failure { try await transport.send(Self.request(new, .http2Only)) }
        #expect(Set(old.offers) == [["http/1.1"]])
        #expect(Set(new.offers) == [["h2"]])
    }

    @Test("A connection for an upgrade offers HTTP/1.1 only", arguments: Version.allCases)
    func upgrade(version: Version) async throws {
        let server = try await HelloServer()
        let request = Self.request(server, version, scheme: "wss")
        let error = await failure { try await NIOTransport().upgrade(request, to: "bird") { _, _ in } }
        #expect(error != nil)
        #expect(Set(server.offers) == [["http/1.1"]])
    }

    @Test("Prewarmed connections offer the same protocols", arguments: offers)
    func prewarmed(version: Version, protocols: [String]) async throws {
        let server = try await HelloServer()
        await #expect(throws: TransportError.self) {
            try await NIOTransport().prewarm(for: Self.request(server, version))
        }
        #expect(Set(server.offers) == [protocols])
    }
}

/// A server that records the offered protocols and hangs up.
private final class HelloServer: Sendable {
    private let heard: Heard
    private let channel: any Channel

    /// The state of the handlers, separate so that they do not retain the server.
    private final class Heard: Sendable {
        let offers = Mutex<[[String]]>([])
    }

    init() async throws {
        let heard = Heard()
        self.heard = heard
        channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(Handler(heard)) }
            }
            .bind(host: "127.0.0.1", port: 0).get()
    }

    deinit { channel.close(promise: nil) }

    /// The server's address as in a URL.
    var authority: String { "127.0.0.1:\(channel.localAddress?.port ?? 0)" }

    /// The protocols that each connection offered, in order of preference.
    var offers: [[String]] { heard.offers.withLock { $0 } }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let heard: Heard
        private var bytes = ByteBuffer()

        init(_ heard: Heard) { self.heard = heard }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            bytes.writeImmutableBuffer(unwrapInboundIn(data))
            // One record; its header has the type, version and length (RFC 8446, section 5.1).
            guard let length = bytes.getInteger(at: bytes.readerIndex + 3, as: UInt16.self),
                bytes.readableBytes >= 5 + Int(length)
            else { return }
            let offered = Self.protocols(of: bytes)
            heard.offers.withLock { $0.append(offered ?? ["no ClientHello"]) }
            bytes.clear()
            context.close(promise: nil)
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

        /// Returns the ALPN list of a ClientHello (RFC 8446, section 4.1.2; RFC 7301); empty without that extension.
        private static func protocols(of record: ByteBuffer) -> [String]? {
            var record = record
            record.moveReaderIndex(forwardBy: 5)
            // The message's type and length, the version and 32 random bytes; then the session, suites and compressions.
            guard record.readInteger(as: UInt8.self) == 1, record.readSlice(length: 3 + 2 + 32) != nil,
                record.readLengthPrefixedSlice(as: UInt8.self) != nil,
                record.readLengthPrefixedSlice(as: UInt16.self) != nil,
                record.readLengthPrefixedSlice(as: UInt8.self) != nil,
                var extensions = record.readLengthPrefixedSlice(as: UInt16.self)
            else { return nil }
            while let type = extensions.readInteger(as: UInt16.self),
                var content = extensions.readLengthPrefixedSlice(as: UInt16.self)
            {
                guard type == 16 else { continue }
                var names: [String] = []
                guard var list = content.readLengthPrefixedSlice(as: UInt16.self) else { return nil }
                while let name = list.readLengthPrefixedSlice(as: UInt8.self) { names.append(String(buffer: name)) }
                return names
            }
            return []
        }
    }
}
