// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Dispatch
import HTTPTypes
import NIOPosix
import SimorghCore
import SimorghNIO
import Synchronization
import Testing

/// Asking for the network may block, and a loop has others to see to.
@Suite("Where the network is asked about", .timeLimit(.minutes(10)))
struct DialReachTests {
    /// There is none; and it is remembered which questions came from an event loop.
    private final class Gone: NetworkSource {
        private let asked = Mutex<[Bool]>([])

        private let watched = Mutex<[Bool]>([])

        var fromLoops: [Bool] { asked.withLock { $0 } }

        /// Which watches were begun on an event loop.
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

    /// Does not answer when it is asked, until it is let go on.
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

    /// Knows a host, and no proxy.
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
        // A machine that is busy with other tests may take its time.
        options.timeouts.connect = .seconds(60)
        if let proxy { options.route.proxy = .url(proxy) }
        return TransportRequest(
            head: HTTPRequest(method: .get, scheme: "http", authority: "known.example", path: "/"), options: options)
    }

    @Test("Why a proxy was not found is asked elsewhere than on a loop", arguments: ["http", "socks5", "socks5h"])
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

    @Test("Whether there is a network at all, and so a use in dialling, is asked elsewhere than on a loop")
    func beforehand() async {
        let network = Gone()
        let monitor = NetworkMonitor(network)
        monitor.startMonitoring()
        let error = await failure { try await NIOTransport().send(Self.get(monitor)) }
        #expect(error?.code == .notConnectedToInternet)
        #expect(network.fromLoops == [false])
        monitor.stopMonitoring()
    }

    @Test("Who waits for the network on a loop has it asked and watched elsewhere")
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
                let mark = monitor.pathMark()
                defer { withExtendedLifetime(mark) {} }
                _ = await monitor.awaitedFreshStatus()
                _ = await monitor.awaitedStatus()
                try await client.call(.get, "http://known.example/").void()
            }
        }
        #expect(!network.fromLoops.isEmpty && !network.fromLoops.contains(true))
        #expect(!network.watchedFromLoops.isEmpty && !network.watchedFromLoops.contains(true))
    }

    @Test("A network that does not answer holds up no dial beyond its limit, before it connects and when it has failed")
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
            // All of it is waited for, and a machine with much else to do needs some before.
            $0.options.timeouts.connect = .seconds(10)
        }
        let error = await failure { try await transport.send(after) }
        // Where it is not known whether there is a network, the error is what it is without.
        #expect(error?.code == .cannotFindHost)
        #expect(error?.phase == .connect)
        network.goOn()
        monitor.stopMonitoring()
    }
}
