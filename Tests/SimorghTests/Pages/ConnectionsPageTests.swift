// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import NIOCore
import Simorgh
import Testing

/// Compares the table of defaults in the documentation with the defaults in the code.
@Suite(.timeLimit(.minutes(10)))
struct ConnectionsPageTests {
    private static let page = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../Sources/Simorgh/Simorgh.docc/Connections.md")

    static func seconds(_ duration: Duration?) -> String {
        duration.map { "\($0.components.seconds) s" } ?? "off"
    }

    static func bytes(_ count: Int) -> String {
        count >= 1024 * 1024 ? "\(count / 1024 / 1024) MiB" : "\(count / 1024) KiB"
    }

    private static func number(_ number: Int) -> String {
        number < 1000 ? "\(number)" : "\(number / 1000),\(String(number % 1000 + 1000).suffix(3))"
    }

    private static var defaults: [String: String] {
        let client = APIClient.Configuration()
        let (timeouts, limits) = (client.timeouts, client.limits)
        let pool = NIOTransport.Configuration()
        return [
            "Timeouts.queue": seconds(timeouts.queue), "Timeouts.connect": seconds(timeouts.connect),
            "Timeouts.tls": seconds(timeouts.tls), "Timeouts.head": seconds(timeouts.head),
            "Timeouts.idle": seconds(timeouts.idle), "Timeouts.total": seconds(timeouts.total),
            "TransportOptions.continueTimeout": seconds(TransportOptions().continueTimeout),
            "ResponseLimits.headBytes": bytes(limits.headBytes),
            "ResponseLimits.headerFields": number(limits.headerFields),
            "ResponseLimits.decompressionRatio": number(limits.decompressionRatio),
            "ResponseLimits.decompressionFloor": bytes(limits.decompressionFloor),
            "APIClient.Configuration.maximumCollectedBytes": bytes(client.maximumCollectedBytes),
            "APIClient.Configuration.maximumErrorBodyBytes": bytes(client.maximumErrorBodyBytes),
            "APIClient.Configuration.decompresses": client.decompresses ? "on" : "off",
            "APIClient.Configuration.httpVersion": "\(client.httpVersion)",
            "TLSOptions.minimumVersion": client.tls.minimumVersion == .tls12 ? "TLS 1.2" : "TLS 1.3",
            "TLSOptions.maximumVersion": client.tls.maximumVersion == .tls12 ? "TLS 1.2" : "TLS 1.3",
            "TLSOptions.trust": "\(client.tls.trust)",
            "TLSOptions.pins": client.tls.pins.isEmpty ? "none" : "some",
            "RouteOptions.proxy": client.route.proxy == .none ? "none" : "some",
            "NIOTransport.Configuration.maximumConnections": number(pool.maximumConnections),
            "NIOTransport.Configuration.maximumConnectionsPerHost": number(
                pool.maximumConnectionsPerHost),
            "NIOTransport.Configuration.maximumHTTP2ConnectionsPerHost": number(
                pool.maximumHTTP2ConnectionsPerHost),
            "NIOTransport.Configuration.maximumConcurrentStreams": number(pool.maximumConcurrentStreams),
            "NIOTransport.Configuration.maximumStreamWindow": bytes(pool.maximumStreamWindow),
            "NIOTransport.Configuration.maximumConnectionWindow": bytes(pool.maximumConnectionWindow),
            "NIOTransport.Configuration.maximumWaitingPerHost": number(pool.maximumWaitingPerHost),
            "NIOTransport.Configuration.maximumWaitingForTLS": number(pool.maximumWaitingForTLS),
            "NIOTransport.Configuration.idleTimeout": seconds(pool.idleTimeout),
            "NIOTransport.Configuration.pingInterval": seconds(pool.pingInterval),
            "NIOTransport.Configuration.pingTimeout": seconds(pool.pingTimeout),
        ]
    }

    @Test("The documented table lists every default with the value in the code")
    func table() throws {
        let text = try String(contentsOf: Self.page, encoding: .utf8)
        var rows: [String: String] = [:]
        for line in text.split(separator: "\n") where line.hasPrefix("| `") {
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            rows[cells[0].trimmingCharacters(in: ["`"])] = cells[1]
        }
        #expect(rows == Self.defaults)
    }

    @Test("The documented limits of DNS lookups match the code")
    func lookups() throws {
        let text = try String(contentsOf: Self.page, encoding: .utf8).replacingOccurrences(of: "\n", with: " ")
        typealias Bounds = ResolverPool.Bounds
        #expect(Bounds.patience == .seconds(2))
        for words in [
            "asked for \(Self.number(Bounds.names)) names of a family at once",
            "\(Self.number(Bounds.inLine)) more wait in line", "takes longer than two seconds",
            "up to \(Self.number(Bounds.late)) of them", "At most \(Self.number(Bounds.waiting)) dials wait for a name",
        ] { #expect(text.contains(words), "\(words)") }
    }

    @Test("The documented limits of dialing and of an unresponsive network match the code")
    func dialing() throws {
        let text = try String(contentsOf: Self.page, encoding: .utf8).replacingOccurrences(of: "\n", with: " ")
        #expect(HappyEyeballsStateMachine<String>.staggerDelay == .milliseconds(250))
        #expect(ProxyTargetStateMachine.most == 8)
        #expect(ProxyTargetStateMachine.resolutionDelay == .milliseconds(50))
        for words in [
            "tried in turn, 250 ms apart", "up to eight of its addresses in turn", "IPv6 alone waits 50 ms",
            "When \(Self.number(ReachabilityQueue.maximumAbandoned)) have waited in vain",
        ] { #expect(text.contains(words), "\(words)") }
    }

    @Test("The documented fixed limits match the code")
    func fixed() throws {
        let text = try String(contentsOf: Self.page, encoding: .utf8)
        let session = HTTP2ConnectionStateMachine<Int>.Limits()
        let pool = NIOTransport.Configuration()
        #expect(session.streamWindow == BodyStream.most)
        #expect(session.maximumStreamWindow == pool.maximumStreamWindow)
        #expect(session.connectionWindow == pool.maximumConnectionWindow)
        let mebibytes =
            (session.streams * (session.streamWindow + BodyStream.most) + session.connectionWindow) / 1024 / 1024
        #expect(text.contains("up to \(mebibytes) MiB for a connection"), "\(mebibytes)")
        let rows: [(String, Int)] = [
            ("addresses of one family of a name that are tried", HappyEyeballsStateMachine<String>.maximumAddresses),
            ("interim responses before the final one", ExchangeStateMachine.maximumInterimResponses),
            ("KiB of a status line, and of the line before a chunk", ResponseParser.maximumLineLength / 1024),
            (
                "KiB of extensions in the lines before chunks, beyond twice the bytes of each chunk and 128 more",
                ResponseParser.maximumExtensionBytes / 1024
            ),
            ("KiB of a body that streams, and one read more, before its reader has taken any", BodyStream.most / 1024),
            (
                "microseconds that bytes of a fast HTTP/1.1 body of known length wait for more, save its last 256 KiB",
                ReadCoalescing.microseconds
            ),
            ("KiB of such a body for which its reader is woken before that", ReadCoalescing.bytes / 1024),
            ("KiB of an HTTP/2 stream's initial receive window", session.streamWindow / 1024),
            (
                "Mbit/s that a path is taken to carry, for the window that an HTTP/2 stream begins with",
                HTTP2ConnectionStateMachine<Int>.presumedRate / 125_000
            ),
            ("KiB of one block of HTTP/2 fields", HTTP2FrameReader.largestBlock / 1024),
            ("frames that continue one such block", HTTP2FrameReader.maximumContinuations),
            ("HTTP/2 frames of no use in ten seconds", session.uselessFrames),
            (
                "seconds that a body waits for the window of an HTTP/2 connection before new requests go over another one",
                Int(HTTP2ConnectionStateMachine<Int>.windowPatience.nanoseconds / 1_000_000_000)
            ),
            ("times that a request goes out which servers do not take", ResendPolicy.maximumAttempts),
            ("connections that could not take it any more, so that none of it left", ResendPolicy.maximumUnsentAttempts),
            ("MiB of the body with which a server refuses a WebSocket", NIOTransport.largestRefusal / 1024 / 1024),
            ("MiB of a file of certificates or of a key", PEMText.largest / 1024 / 1024),
            ("ways to do TLS (`TLSOptions` and versions of HTTP) that are kept ready", TLSContexts.most),
            ("ways without files that are made ready at once", TLSContexts.mostAtOnce),
            ("ways with files of yours that are made ready at once", TLSContexts.maximumReadingFiles),
            ("ways of each of these two kinds that wait for their turn", TLSContexts.maximumQueued),
        ]
        for (what, most) in rows {
            #expect(text.contains("| \(what) | \(Self.number(most)) |"), "\(what): \(most)")
        }
    }

    @Test("Every limit of the connection pool has a row in the table")
    func complete() throws {
        let labels = Mirror(reflecting: NIOTransport.Configuration()).children.compactMap(\.label)
        for label in labels where !["resolver", "eventLoopGroup", "lingeringTime"].contains(label) {
            #expect(Self.defaults["NIOTransport.Configuration.\(label)"] != nil, "\(label)")
        }
        for label in Mirror(reflecting: Timeouts()).children.compactMap(\.label)
        where !["isTotalSet", "isIdleSet"].contains(label) {
            #expect(Self.defaults["Timeouts.\(label)"] != nil, "\(label)")
        }
        for label in Mirror(reflecting: ResponseLimits()).children.compactMap(\.label) {
            #expect(Self.defaults["ResponseLimits.\(label)"] != nil, "\(label)")
        }
    }
}
