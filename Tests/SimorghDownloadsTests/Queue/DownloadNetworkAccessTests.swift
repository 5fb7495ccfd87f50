// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghDownloads
import SimorghTesting
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct DownloadNetworkAccessTests {
    private let place = DownloadTestFolder()
    private let origin = FakeOrigin(DownloadTestFolder.bytes(100_000))

    private func wait(_ manager: DownloadManager, _ id: UUID, for wanted: DownloadState) async {
        for await state in manager.states(for: id) where state == wanted { return }
    }

    @Test("Without a network a download waits, and sends no request; it resumes with the network")
    func waits() async throws {
        let network = ScriptedNetwork(.disconnected)
        let manager = try place.manager(origin, network: network.monitor())
        let id = try manager.enqueue(url: DownloadTestFolder.url)
        await wait(manager, id, for: .waitingForNetwork)
        #expect(origin.requests.isEmpty)
        network.become(.connected(.wifi))
        #expect(await manager.progress(for: id).last()?.state == .completed)
        await place.end(manager)
    }

    @Test("Each request carries the rules of the manager, since the monitor of a watch knows no network")
    func rulesOfRequests() async throws {
        let manager = try place.manager(origin, network: NetworkMonitor(UnavailableNetworkSource())) {
            $0.allowsCellularAccess = false
            $0.allowsConstrainedNetworkAccess = false
        }
        let id = try manager.enqueue(url: DownloadTestFolder.url)
        #expect(await manager.progress(for: id).last()?.state == .completed)
        let access = origin.state.withLock { $0.access }
        #expect(!access.isEmpty)
        for rules in access {
            #expect(!rules.allowsCellular && rules.allowsExpensive && !rules.allowsConstrained)
        }
        await place.end(manager)
    }

    @Test("A network that only the client forbids is waited out, and not tried until the attempts are used up")
    func rulesOfClient() async throws {
        let network = ScriptedNetwork(.connected(.cellular))
        var client = APIClient.Configuration()
        client.access.allowsCellular = false
        let manager = try place.manager(origin, network: network.monitor(), client: client)
        let id = try manager.enqueue(url: DownloadTestFolder.url)
        await wait(manager, id, for: .waitingForNetwork)
        #expect(origin.requests.isEmpty && manager.tasks.first?.retryAttempt == 0)
        network.become(.connected(.wifi))
        #expect(await manager.progress(for: id).last()?.state == .completed)
        await place.end(manager)
    }

    /// A server that cannot be reached.
    private static var unreachable: StubServer {
        StubServer { _ in
            .failure(TransportError(.notConnectedToInternet, phase: .connect, message: "no route to host"))
        }
    }

    @Test("An unreachable host fails while there is a network, instead of waiting")
    func unreachable() async throws {
        let manager = try place.manager(Self.unreachable, network: ScriptedNetwork(.connected(.wifi)).monitor())
        let last = try #require(await manager.download(url: DownloadTestFolder.url).last())
        guard case .transport(.notConnectedToInternet, _) = last.error else {
            Issue.record("unexpected end: \(last)")
            return
        }
        #expect(manager.tasks.first?.retryAttempt == 2)
        await place.end(manager)
    }

    /// A network without internet access.
    private static var lan: NetworkStatus {
        KernelNetworkSnapshot([.ethernet("eth0", addresses: "192.168.1.8")]).status
    }

    @Test("With a network but no internet access a host is tried, since it may be local")
    func near() async throws {
        let manager = try place.manager(origin, network: ScriptedNetwork(Self.lan).monitor())
        let id = try manager.enqueue(url: DownloadTestFolder.url)
        #expect(await manager.progress(for: id).last()?.state == .completed)
        await place.end(manager)
    }

    @Test("An unreachable host waits without internet; with restrictions it is not tried", arguments: [false, true])
    func notNear(hasRules: Bool) async throws {
        let network = ScriptedNetwork(Self.lan)
        let manager =
            hasRules
            ? try place.manager(origin, network: network.monitor()) { $0.allowsCellularAccess = false }
            : try place.manager(Self.unreachable, network: network.monitor())
        let id = try manager.enqueue(url: DownloadTestFolder.url)
        await wait(manager, id, for: .waitingForNetwork)
        #expect(origin.requests.isEmpty)
        await place.end(manager)
    }

    @Test("A download that waits for the network occupies no slot")
    func places() async throws {
        let network = ScriptedNetwork(.disconnected)
        let manager = try place.manager(origin, network: network.monitor()) { $0.maxConcurrentDownloads = 1 }
        let id = try manager.enqueue(url: DownloadTestFolder.url)
        await wait(manager, id, for: .waitingForNetwork)
        let near = try #require(URL(string: "http://127.0.0.1/file.bin"))
        #expect(await manager.progress(for: try manager.enqueue(url: near)).last()?.state == .completed)
        #expect(manager.tasks.first?.state == .waitingForNetwork)
        await place.end(manager)
    }

    @Test(
        "Cellular and expensive networks are used only if they are allowed", arguments: [true, false])
    func rules(isCellular: Bool) async throws {
        var status = NetworkStatus(.connected(isCellular ? .cellular : .wifi))
        status.isExpensive = true
        let network = ScriptedNetwork(status)
        let manager = try place.manager(origin, network: network.monitor()) { config in
            config.allowsCellularAccess = !isCellular
            config.allowsExpensiveNetworkAccess = isCellular
        }
        let id = try manager.enqueue(url: DownloadTestFolder.url)
        await wait(manager, id, for: .waitingForNetwork)
        #expect(origin.requests.isEmpty)
        manager.updateConfiguration { config in
            config.allowsCellularAccess = true
            config.allowsExpensiveNetworkAccess = true
        }
        #expect(await manager.progress(for: id).last()?.state == .completed)
        await place.end(manager)
    }

    @Test(
        "With network restrictions, a nearby host, or any host without a network monitor, is downloaded without a wait",
        arguments: [true, false])
    func unrestricted(isNear: Bool) async throws {
        let monitor = isNear ? ScriptedNetwork(.connected(.cellular)).monitor() : nil
        let manager = try place.manager(origin, network: monitor) { config in
            config.allowsCellularAccess = false
            config.allowsExpensiveNetworkAccess = false
        }
        let url = try #require(URL(string: "http://\(isNear ? "127.0.0.1" : "a.test")/file.bin"))
        origin.change { $0.isHeld = true }
        let id = try manager.enqueue(url: url)
        async let states = manager.states(for: id).reduce(into: [DownloadState]()) { $0.append($1) }
        for await progress in manager.progress(for: id) where progress.downloadedBytes > 0 { break }
        origin.change { $0.isHeld = false }
        #expect(await manager.progress(for: id).last()?.state == .completed)
        let seen = await states
        #expect(!seen.contains(.waitingForNetwork) && origin.requests.count == 1)
        await place.end(manager)
    }

    @Test("Where no network is ever reported, as on watchOS, downloads do not wait, whatever the restrictions")
    func neverReported() async throws {
        let manager = try place.manager(origin, network: NetworkMonitor(UnavailableNetworkSource())) { config in
            config.allowsCellularAccess = false
            config.allowsExpensiveNetworkAccess = false
        }
        let id = try manager.enqueue(url: DownloadTestFolder.url)
        #expect(await manager.progress(for: id).last()?.state == .completed)
        await place.end(manager)
    }

    @Test("Where no network is ever reported, an unreachable host fails")
    func neverReportedUnreachable() async throws {
        let manager = try place.manager(Self.unreachable, network: NetworkMonitor(UnavailableNetworkSource()))
        let last = try #require(await manager.download(url: DownloadTestFolder.url).last())
        #expect(last.error != nil)
        await place.end(manager)
    }

    @Test("A connection on demand is tried, if the restrictions allow it", arguments: [true, false])
    func onDemand(isAllowed: Bool) async throws {
        var status = NetworkStatus(.disconnected)
        status.connectsOnDemand = true
        status.underlyingType = .cellular
        let network = ScriptedNetwork(status)
        let manager = try place.manager(origin, network: network.monitor()) { $0.allowsCellularAccess = isAllowed }
        let id = try manager.enqueue(url: DownloadTestFolder.url)
        if isAllowed {
            #expect(await manager.progress(for: id).last()?.state == .completed)
        } else {
            await wait(manager, id, for: .waitingForNetwork)
            #expect(origin.requests.isEmpty)
        }
        await place.end(manager)
    }

    @Test("Below a VPN an expensive network of unknown kind counts as cellular")
    func expensiveBelowVPN() async throws {
        var status = NetworkStatus(.connected(.vpn))
        status.isExpensive = true
        let network = ScriptedNetwork(status)
        let manager = try place.manager(origin, network: network.monitor()) { $0.allowsCellularAccess = false }
        let id = try manager.enqueue(url: DownloadTestFolder.url)
        await wait(manager, id, for: .waitingForNetwork)
        #expect(origin.requests.isEmpty)
        await place.end(manager)
    }

    @Test("A change to a network that is not allowed stops a download, which resumes at its offset in another")
    func changes() async throws {
        let network = ScriptedNetwork(.connected(.wifi))
        origin.change { $0.isHeld = true }
        let manager = try place.manager(origin, network: network.monitor()) { $0.allowsCellularAccess = false }
        let id = try manager.enqueue(url: DownloadTestFolder.url)
        for await progress in manager.progress(for: id) where progress.downloadedBytes > 0 { break }
        try await network.watched()
        network.become(.connected(.cellular))
        await wait(manager, id, for: .waitingForNetwork)
        origin.change { $0.isHeld = false }
        network.become(.connected(.ethernet))
        #expect(await manager.progress(for: id).last()?.state == .completed)
        #expect(origin.requests.last?[.range]?.hasPrefix("bytes=16384-") == true)
        await place.end(manager)
    }
}
