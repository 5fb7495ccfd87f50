// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Dispatch
import HTTPTypes
import NIOPosix
import SimorghCore
import SimorghNIO
import Synchronization
import Testing

/// A network status query may block, and an event loop must not.
@Suite("Dialing: network status queries stay off the event loops", .timeLimit(.minutes(10)))
struct DialNetworkStatusTests {
    /// A network source without a network that records which queries came from an event loop.
    private final class Gone: NetworkSource {
        private let asked = Mutex<[Bool]>([])

        private let watched = Mutex<[Bool]>([])

        var fromLoops: [Bool] { asked.withLock { $0 } }

        /// The watches, as Booleans: true if begun on an event loop.
        var watchedFromLoops: [Bool] { watched.withLock { $0 } }

        func current() -> NetworkStatus {
            asked.withLock { $0.append(MultiThreadedEventLoopGroup.currentEventLoop != nil) }
            return NetworkStatus(.disconnected)
        }

        func watch(_ tell: @escaping @Sendable (NetworkStatus) -> Void) -> @Sendable () -> Void {
            watched.withLock { $0.append(MultiThreadedEventLoopGroup.currentEventLoop != nil) }
            tell(NetworkStatus(.disconnected))
            return {}
        }
    }

    /// A network source whose query blocks until ``goOn()``.
    private final class Silent: NetworkSource {
        private let answer = DispatchSemaphore(value: 0)

        func goOn() { answer.signal() }

        func current() -> NetworkStatus {
            answer.wait()
            answer.signal()
            return NetworkStatus(.disconnected)
        }

        func watch(_ tell: @escaping @Sendable (NetworkStatus) -> Void) -> @Sendable () -> Void {
            tell(NetworkStatus(.disconnected))
            return {}
        }
    }

    /// A resolver that knows one host, and not the proxy.
    private struct Names: HostResolver {
        private struct Unknown: Error {}

        func addresses(of host: String, family: AddressFamily) async throws -> [String] {
            guard host == "known.example" else { throw Unknown() }
            return family == .ipv4 ? ["192.0.2.1"] : []
        }
    }

    private static func get(_ monitor: NetworkMonitor, proxy: String? = nil) -> TransportRequest {
        var options = TransportOptions()
        options.monitor = monitor
        // A busy machine may be slow.
        options.timeouts.connect = .seconds(60)
        if let proxy { options.route.proxy = .url(proxy) }
        return TransportRequest(
            head: HTTPRequest(method: .get, scheme: "http", authority: "known.example", path: "/"), options: options)
    }

    @Test(
        "After a failed proxy lookup the network status is queried off the event loop",
        arguments: ["http", "socks5", "socks5h"])
    func proxy(kind: String) async {
        let network = Gone()
        var configuration = NIOTransport.Configuration()
        configuration.resolver = Names()
        let transport = NIOTransport(configuration: configuration)
        let error = await failure {
            try await transport.send(Self.get(NetworkMonitor(network), proxy: "\(kind)://proxy.example:3128"))
        }
        #expect(error?.code == .notConnectedToInternet)
        #expect(error?.message == "the proxy: this machine has no network route to proxy.example:3128")
        #expect(network.fromLoops == [false])
    }

    @Test("The query before a dial, whether there is a network at all, runs off the event loop")
    func beforehand() async {
        let network = Gone()
        let monitor = NetworkMonitor(network)
        monitor.startMonitoring()
        let error = await failure { try await NIOTransport().send(Self.get(monitor)) }
        #expect(error?.code == .notConnectedToInternet)
        #expect(network.fromLoops == [false])
        monitor.stopMonitoring()
    }

    @Test("A call on an event loop that waits for the network queries and watches it off the loop")
    func waiting() async {
        let network = Gone()
        let monitor = NetworkMonitor(network)
        let transport = NIOTransport()
        var configuration = APIClient.Configuration()
        configuration.networkMonitor = monitor
        configuration.resilience.offlineQueue = OfflineQueue()
        configuration.resilience.offlineQueue?.maximumWait = .milliseconds(1)
        let client = APIClient(configuration: configuration, transport: transport)
        await #expect(throws: NetworkError.self) {
            try await transport.withEventLoop {
                let isOnLoop = MultiThreadedEventLoopGroup.currentEventLoop != nil
                #expect(isOnLoop)
                let mark = monitor.routeArrivalMark()
                defer { withExtendedLifetime(mark) {} }
                _ = await monitor.awaitedFreshStatus()
                _ = await monitor.awaitedStatus()
                try await client.call(.get, "http://known.example/").void()
            }
        }
        #expect(!network.fromLoops.isEmpty && !network.fromLoops.contains(true))
        #expect(!network.watchedFromLoops.isEmpty && !network.watchedFromLoops.contains(true))
    }

    @Test("A network query that blocks does not delay a dial past its connect timeout, before and after connecting")
    func silent() async {
        let network = Silent()
        let monitor = NetworkMonitor(network)
        monitor.startMonitoring()
        let before = Self.get(monitor).with { $0.options.timeouts.connect = .milliseconds(300) }
        let late = await failure { try await NIOTransport().send(before) }
        #expect(late?.code == .timedOut)
        #expect(late?.phase == .connect)
        var configuration = NIOTransport.Configuration()
        configuration.resolver = Names()
        let transport = NIOTransport(configuration: configuration)
        let after = Self.get(monitor, proxy: "http://proxy.example:3128").with {
            // The test waits for all of it, and a busy machine needs some time before.
            $0.options.timeouts.connect = .seconds(10)
        }
        let error = await failure { try await transport.send(after) }
        // If the network status is unknown, the error is the original one.
        #expect(error?.code == .cannotFindHost)
        #expect(error?.phase == .connect)
        network.goOn()
        monitor.stopMonitoring()
    }
}
