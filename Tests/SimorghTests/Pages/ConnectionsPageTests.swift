// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import NIOCore
import Simorgh
import SimorghNIO
import SimorghSupport
import Testing

/// Compares the defaults and bounds on the pages with the code.
@Suite(.timeLimit(.minutes(10)))
struct ConnectionsPageTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../Sources/Simorgh/Simorgh.docc")

    private static func page(_ path: String) throws -> String {
        try String(contentsOf: folder.appending(path: path), encoding: .utf8)
    }

    static func seconds(_ duration: Duration?) -> String {
        duration.map { "\(number(Int($0.components.seconds))) s" } ?? "off"
    }

    static func seconds(_ interval: Double?) -> String {
        interval.map { "\(number(Int($0))) s" } ?? "off"
    }

    static func days(_ duration: Duration) -> String { "\(duration.components.seconds / 86_400) days" }

    static func isOn(_ value: Bool) -> String { value ? "on" : "off" }

    static func bytes(_ count: Int) -> String {
        count >= 1024 * 1024 ? "\(count / 1024 / 1024) MiB" : "\(count / 1024) KiB"
    }

    static func number(_ number: Int) -> String {
        number < 1000 ? "\(number)" : "\(Self.number(number / 1000)),\(String(number % 1000 + 1000).suffix(3))"
    }

    private static var calls: [String: String] {
        let client = APIClient.Configuration()
        let (timeouts, limits) = (client.timeouts, client.limits)
        let queue = client.callbackQueue.queue?.label == DispatchQueue.main.label ? "main queue" : "another"
        let monitor = client.networkMonitor === NetworkMonitor.shared ? "shared" : "another"
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
            "APIClient.Configuration.decompresses": isOn(client.decompresses),
            "APIClient.Configuration.httpVersion": "\(client.httpVersion)",
            "NetworkAccess.allowsCellular": isOn(client.access.allowsCellular),
            "NetworkAccess.allowsExpensive": isOn(client.access.allowsExpensive),
            "NetworkAccess.allowsConstrained": isOn(client.access.allowsConstrained),
            "APIClient.Configuration.callbackQueue": queue,
            "APIClient.Configuration.cookies": isOn(client.cookies != nil),
            "APIClient.Configuration.networkMonitor": monitor,
            "Validation.statusCodes": client.validation.statusCodes == .success ? "200 to 299" : "others",
            "RedirectPolicy.limit": number(client.redirects.limit),
            "RedirectPolicy.allowsDowngrade": isOn(client.redirects.allowsDowngrade),
            "Logging.level": "\(client.logging.level)",
            "TLSOptions.minimumVersion": client.tls.minimumVersion == .tls12 ? "TLS 1.2" : "TLS 1.3",
            "TLSOptions.maximumVersion": client.tls.maximumVersion == .tls12 ? "TLS 1.2" : "TLS 1.3",
            "TLSOptions.trust": "\(client.tls.trust)",
            "TLSOptions.pins": client.tls.pins.isEmpty ? "none" : "some",
            "RouteOptions.proxy": client.route.proxy == .system ? "system" : "some",
        ]
    }

    private static var resilience: [String: String] {
        let client = APIClient.Configuration()
        let (retry, breaker, offline) = (RetryPolicy(), CircuitBreaker(), OfflineQueue())
        return [
            "APIClient.Configuration.retry": isOn(client.retry != nil),
            "RetryPolicy.maximumRetries": number(retry.maximumRetries),
            "RetryPolicy.baseDelay": retry.baseDelay == .milliseconds(500) ? "500 ms" : "another",
            "RetryPolicy.maximumDelay": seconds(retry.maximumDelay),
            "RetryPolicy.maximumRetryAfter": seconds(retry.maximumRetryAfter),
            "RetryPolicy.budgetRatio": retry.budgetRatio.map { "\($0)" } ?? "off",
            "RetryPolicy.idempotencyKey": isOn(retry.idempotencyKey != nil),
            "RateLimit.maximumServerWait": seconds(RateLimit.fromServer.maximumServerWait),
            "RateLimit.maximumWaiting": number(RateLimit(requests: 1).maximumWaiting),
            "CircuitBreaker.failureThreshold": number(breaker.failureThreshold),
            "CircuitBreaker.window": seconds(breaker.window),
            "CircuitBreaker.openDuration": seconds(breaker.openDuration),
            "Hedging.maximum": number(Hedging(after: .seconds(1)).maximum),
            "OfflineQueue.maximumWaiting": number(offline.maximumWaiting),
            "OfflineQueue.maximumWait": seconds(offline.maximumWait),
            "APIClient.Configuration.maximumStopTheLineRepeats": number(client.maximumStopTheLineRepeats),
        ]
    }

    private static var pool: [String: String] {
        let pool = NIOTransport.Configuration()
        return [
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

    private static var caches: [String: String] {
        let (http, app) = (CacheConfiguration(), AppCacheConfiguration())
        return [
            "Caching.httpCache": APIClient.Configuration().caching.httpCache == nil ? "none" : "some",
            "CacheConfiguration.memoryCapacity": bytes(http.memoryCapacity),
            "CacheConfiguration.diskCapacity": bytes(http.diskCapacity),
            "CacheConfiguration.staleIfError": seconds(http.staleIfError),
            "CacheConfiguration.storesForAnyAge": isOn(http.storesForAnyAge),
            "CacheConfiguration.synchronizes": isOn(http.synchronizes),
            "AppCacheConfiguration.memoryCapacity": bytes(app.memoryCapacity),
            "AppCacheConfiguration.diskCapacity": bytes(app.diskCapacity),
            "AppCacheConfiguration.timeToLive": days(app.timeToLive),
            "AppCacheConfiguration.maximumAge": days(app.maximumAge),
            "AppCacheConfiguration.staleFallback": seconds(app.staleFallback),
            "AppCacheConfiguration.keepsNoStore": isOn(app.keepsNoStore),
            "AppCacheConfiguration.sweepsAtStart": isOn(app.sweepsAtStart),
        ]
    }

    private static var realtime: [String: String] {
        let events = EventSourceOptions()
        let (socket, buffer, reconnect) = (WebSocketOptions(), WebSocketBuffer(), WebSocketReconnectPolicy.default)
        let subscription = SubscriptionOptions()
        return [
            "EventSourceOptions.reconnectDelay": seconds(events.reconnectDelay),
            "EventSourceOptions.maximumReconnectDelay": seconds(events.maximumReconnectDelay),
            "EventSourceOptions.maximumReconnects": number(events.maximumReconnects),
            "EventSourceOptions.maximumOfflineWait": seconds(events.maximumOfflineWait),
            "EventSourceOptions.repeatsUnsafeRequests": isOn(events.repeatsUnsafeRequests),
            "EventSourceOptions.maximumEventBytes": bytes(events.maximumEventBytes),
            "WebSocketOptions.maximumMessageSize": bytes(socket.maximumMessageSize),
            "WebSocketOptions.pingInterval": seconds(socket.pingInterval),
            "WebSocketOptions.pongTimeout": seconds(socket.pongTimeout),
            "WebSocketOptions.closeTimeout": seconds(socket.closeTimeout),
            "WebSocketOptions.sendBufferSize": bytes(socket.sendBufferSize),
            "WebSocketOptions.compression": socket.compression == nil ? "none" : "some",
            "WebSocketOptions.sendWhileReconnecting": "\(socket.sendWhileReconnecting)",
            "WebSocketBuffer.events": number(buffer.events), "WebSocketBuffer.bytes": bytes(buffer.bytes),
            "WebSocketBuffer.overflow": "\(buffer.overflow)",
            "WebSocketReconnectPolicy.maximumAttempts": number(reconnect.maximumAttempts),
            "WebSocketReconnectPolicy.initialDelay": seconds(reconnect.initialDelay),
            "WebSocketReconnectPolicy.maximumDelay": seconds(reconnect.maximumDelay),
            "WebSocketReconnectPolicy.stableAfter": seconds(reconnect.stableAfter),
            "WebSocketReconnectPolicy.maximumOfflineWait": seconds(reconnect.maximumOfflineWait),
            "SubscriptionOptions.readyTimeout": seconds(subscription.readyTimeout),
            "SubscriptionOptions.subscribeTimeout": seconds(subscription.subscribeTimeout),
            "SubscriptionOptions.answerTimeout": seconds(subscription.answerTimeout),
            "SubscriptionOptions.unsubscribeTimeout": seconds(subscription.unsubscribeTimeout),
            "SubscriptionOptions.linger": seconds(subscription.linger),
            "SubscriptionOptions.bufferSize": number(subscription.bufferSize),
            "SubscriptionOptions.overflow": "\(subscription.overflow)",
            "SubscriptionOptions.maximumSubscriptions": number(subscription.maximumSubscriptions),
        ]
    }

    private static var transfers: [String: String] {
        let upload = ResumableUpload(file: "/f", to: "files")
        let (downloads, retry) = (DownloadManagerConfig(), DownloadRetryPolicy())
        return [
            "ResumableUpload.chunkSize": upload.chunkSize.map { bytes(Int($0)) } ?? "off",
            "ResumableUpload.retries": number(upload.retries),
            "ResumableUpload.retryDelay": seconds(upload.retryDelay),
            "ResumableUpload.maximumRetryDelay": seconds(upload.maximumRetryDelay),
            "DownloadManagerConfig.maxConcurrentDownloads": number(downloads.maxConcurrentDownloads),
            "DownloadManagerConfig.maxConcurrentPerHost": downloads.maxConcurrentPerHost.map { number($0) } ?? "off",
            "DownloadManagerConfig.maxQueueSize": number(downloads.maxQueueSize),
            "DownloadManagerConfig.segments": number(downloads.segments),
            "DownloadManagerConfig.minimumSegmentSize": bytes(Int(downloads.minimumSegmentSize)),
            "DownloadManagerConfig.minFreeDiskSpace": bytes(Int(downloads.minFreeDiskSpace)),
            "DownloadManagerConfig.timeoutInterval": seconds(downloads.timeoutInterval),
            "DownloadManagerConfig.maximumBytesPerSecond": isOn(downloads.maximumBytesPerSecond != nil),
            "DownloadManagerConfig.agingInterval": seconds(downloads.agingInterval),
            "DownloadManagerConfig.allowsCellularAccess": isOn(downloads.allowsCellularAccess),
            "DownloadManagerConfig.allowsExpensiveNetworkAccess": isOn(downloads.allowsExpensiveNetworkAccess),
            "DownloadManagerConfig.allowsConstrainedNetworkAccess": isOn(downloads.allowsConstrainedNetworkAccess),
            "DownloadManagerConfig.restoresAutomatically": isOn(downloads.restoresAutomatically),
            "DownloadRetryPolicy.maximumAttempts": number(retry.maximumAttempts),
            "DownloadRetryPolicy.initialDelay": seconds(retry.initialDelay),
            "DownloadRetryPolicy.maximumDelay": seconds(retry.maximumDelay),
            "DownloadRetryPolicy.maximumRetryAfter": seconds(retry.maximumRetryAfter),
        ]
    }

    private static var security: [String: String] {
        let resolver = DNSOverHTTPSResolver.Options()
        return [
            "APIClient.Configuration.hsts": isOn(APIClient.Configuration().hsts != nil),
            "HSTSStore.defaultMaximumHosts": number(HSTSStore.defaultMaximumHosts),
            "DNSOverHTTPSResolver.Options.method": "\(resolver.method)",
            "DNSOverHTTPSResolver.Options.timeout": seconds(resolver.timeout),
            "DNSOverHTTPSResolver.Options.maximumCachedAnswers": number(resolver.maximumCachedAnswers),
            "DNSOverHTTPSResolver.Options.bootstrap": resolver.bootstrap.isEmpty ? "none" : "some",
            "DNSOverHTTPSResolver.Options.fallback": isOn(resolver.fallback != nil),
            "DNSOverHTTPSResolver.Options.route": resolver.route == APIClient.Configuration().route
                ? "that of a client" : "another",
        ]
    }

    private static var pages: [String: String] {
        let pages = PageOptions()
        return [
            "PageOptions.maximumPages": number(pages.maximumPages),
            "PageOptions.maximumItems": number(pages.maximumItems),
            "PageOptions.endsAtLimit": isOn(pages.endsAtLimit),
            "PageOptions.prefetches": isOn(pages.prefetches),
            "PageOptions.allowedOrigins": pages.allowedOrigins.isEmpty ? "none" : "some",
        ]
    }

    private static var patches: [String: String] {
        let limits = JSONPatch.Limits()
        return [
            "JSONPatch.Limits.operations": number(limits.operations), "JSONPatch.Limits.depth": number(limits.depth),
            "JSONPatch.Limits.size": bytes(limits.size),
        ]
    }

    private static var defaults: [String: String] {
        let parts = [
            calls, pages, graphQL, services, contracts, inspector, patches, resilience, security, signIns, pool, caches,
            realtime, transfers,
        ]
        return parts.reduce(into: [:]) { all, part in
            all.merge(part) { _, last in last }
        }
    }

    @Test("Each row of the tables has the default of the code, and no default is left out")
    func table() throws {
        let text = try Self.page("Reliable/LimitsAndDefaults.md")
        var rows: [String: String] = [:]
        for line in text.split(separator: "\n") where line.hasPrefix("| `") {
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            rows[cells[0].trimmingCharacters(in: ["`"])] = cells[1]
        }
        let defaults = Self.defaults.merging(try Self.signing) { $1 }
        for (name, value) in defaults { #expect(rows[name] == value, "\(name)") }
        for name in rows.keys { #expect(defaults[name] != nil, "\(name)") }
    }

    @Test("The page about names has the bounds of lookups")
    func lookups() throws {
        let text = try Self.page("Operation/ProxiesAndNames.md").replacingOccurrences(of: "\n", with: " ")
        typealias Bounds = ResolverPool.Bounds
        #expect(Bounds.patience == .seconds(2))
        for words in [
            "looks up at most \(Self.number(Bounds.maximumConcurrent)) names of each address family",
            "\(Self.number(Bounds.maximumQueued)) more wait", "takes longer than two seconds",
            "up to \(Self.number(Bounds.maximumSlow)) of them",
            "At most \(Self.number(Bounds.maximumWaiters)) connection attempts wait for a name",
        ] { #expect(text.contains(words), "\(words)") }
    }

    @Test("The page about names has the bounds of connecting")
    func dialing() throws {
        let text = try Self.page("Operation/ProxiesAndNames.md").replacingOccurrences(of: "\n", with: " ")
        #expect(HappyEyeballsStateMachine<String>.staggerDelay == .milliseconds(250))
        #expect(ProxyTargetStateMachine.maximumAddresses == 8)
        #expect(ProxyTargetStateMachine.resolutionDelay == .milliseconds(50))
        for words in [
            "tries them in turn, 250 ms apart", "up to eight addresses in turn", "waits 50 ms for IPv4",
            "If \(Self.number(ReachabilityQueue.maximumAbandoned)) attempts have waited",
        ] { #expect(text.contains(words), "\(words)") }
    }

    @Test("The fixed bounds are those of the code")
    func fixed() throws {
        let text = try Self.page("Reliable/LimitsAndDefaults.md")
        let session = HTTP2ConnectionStateMachine<Int>.Limits()
        let pool = NIOTransport.Configuration()
        #expect(session.streamWindow == BodyStream.capacity)
        #expect(session.maximumStreamWindow == pool.maximumStreamWindow)
        #expect(session.connectionWindow == pool.maximumConnectionWindow)
        let mebibytes =
            (session.streams * (session.streamWindow + BodyStream.capacity) + session.connectionWindow) / 1024 / 1024
        #expect(try Self.page("Operation/Connections.md").contains("up to \(mebibytes) MiB for each"), "\(mebibytes)")
        let patience = Int(HTTP2ConnectionStateMachine<Int>.windowPatience.nanoseconds / 1_000_000_000)
        let rows: [(String, String)] = [
            (
                "Addresses of each family that are tried for a name",
                Self.number(HappyEyeballsStateMachine<String>.maximumAddresses)
            ),
            ("Interim responses before the final one", Self.number(ExchangeStateMachine.maximumInterimResponses)),
            ("Status line; line before a chunk", Self.bytes(ResponseParser.maximumLineLength)),
            (
                "Chunk extensions of a body, beyond 128 bytes plus twice the chunk's size for each chunk",
                Self.bytes(ResponseParser.maximumExtensionBytes)
            ),
            ("Unread bytes of a streamed body before reading pauses", Self.bytes(BodyStream.capacity)),
            (
                "Wait for more bytes of a fast HTTP/1.1 body of known length, except for its last 256 KiB",
                "\(Self.number(Int(ReadCoalescing.microseconds))) µs"
            ),
            ("Bytes of such a body that end that wait", Self.bytes(ReadCoalescing.bytes)),
            ("Initial receive window of an HTTP/2 stream", Self.bytes(session.streamWindow)),
            (
                "Assumed bandwidth of a path, for the initial window",
                "\(Self.number(Int(HTTP2ConnectionStateMachine<Int>.presumedRate / 125_000))) Mbit/s"
            ),
            ("HTTP/2 field block", Self.bytes(HTTP2FrameReader.maximumBlockSize)),
            ("CONTINUATION frames of a field block", Self.number(HTTP2FrameReader.maximumContinuations)),
            ("HTTP/2 control frames without effect in ten seconds", Self.number(session.uselessFrames)),
            (
                "Wait of a body for the connection's HTTP/2 window before new requests use another connection",
                "\(patience) s"
            ),
            ("Attempts for a request that servers do not process", Self.number(ResendPolicy.maximumAttempts)),
            (
                "Connections that fail in a row before any byte of the request is sent",
                Self.number(ResendPolicy.maximumUnsentAttempts)
            ),
            ("Bytes of the `Link` fields of a response", Self.bytes(LinkHeader.maximumBytes)),
            ("Links of a response", Self.number(LinkHeader.maximumLinks)),
            ("Parameters of a link", Self.number(LinkHeader.maximumParameters)),
            ("Levels of a property list", Self.number(PropertyListBounds.maximumDepth)),
            (
                "Size of a binary property list without references divided by its size, above 1 MiB",
                Self.number(PropertyListBounds.maximumRatio)
            ),
            (
                "Bytes of a structured field that is parsed, such as `Content-Digest`, `RateLimit` and `Upload-Limit`",
                Self.bytes(StructuredField.maximumLength)
            ),
            ("Body of a response that rejects a WebSocket", Self.bytes(NIOTransport.maximumRefusalSize)),
            ("File with certificates or a key", Self.bytes(PEMText.maximumSize)),
            (
                "Methods and paths of a call whose idempotency key is remembered",
                Self.number(IdempotencyKey.maximumTargets)
            ),
            ("Limits of a server that are kept for each part of its quota", Self.number(ServerQuota.capacity)),
            ("Parts of a server's quota with limits of their own", Self.number(ServerGates.maximumPartitions)),
            ("Paths of an origin whose part of the quota is remembered", Self.number(ServerGates.maximumPrefixes)),
            ("Paths of an origin that `Retry-After` of a 503 delays", Self.number(ServerGates.maximumPaths)),
            ("Hosts in the file of an `HSTSStore`", Self.number(HSTSFile.maximumHosts)),
            ("Addresses of an answer of a DNS server over HTTPS", Self.number(DNSAnswer.maximumAddresses)),
            ("Compression pointers of a name in such an answer", Self.number(DNSName.maximumPointers)),
            (
                "Wait for a server's response before another request asks for its limits",
                Self.seconds(ServerQuota.probeInterval)
            ),
            (
                "TLS contexts (combinations of `TLSOptions` and HTTP versions) that are cached",
                Self.number(TLSContexts.maximumCached)
            ),
            ("TLS contexts without files that load at the same time", Self.number(TLSContexts.maximumConcurrent)),
            ("TLS contexts with files that load at the same time", Self.number(TLSContexts.maximumReadingFiles)),
            ("TLS contexts of each of these two kinds that wait to load", Self.number(TLSContexts.maximumQueued)),
        ]
        for (bound, value) in rows {
            #expect(text.contains("| \(bound) | \(value) |"), "\(bound): \(value)")
        }
    }

    @Test("Each limit of the pool, each timeout and each response limit has a row")
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
