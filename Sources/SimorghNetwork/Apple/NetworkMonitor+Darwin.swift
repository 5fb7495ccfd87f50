// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if canImport(Network)
import Darwin
import Dispatch
import Network
import SimorghSupport
import Synchronization

/// The network source of this system.
package enum SystemNetwork {
    package static let source: any NetworkSource = PathNetworkSource()
}

/// A source that uses two path monitors: one for the default path, and one for tunnels, which may exist beside it.
struct PathNetworkSource: NetworkSource {
    private let cache = NetworkStatusCache()

    /// Returns a cached status while it is fresh, so that the caller does not wait for the path monitors.
    func quickStatus() -> NetworkStatus { cache.status { current() } }

    var recentQuickStatus: NetworkStatus? { cache.recent }

    func current() -> NetworkStatus {
        let pair = PathMonitorPair()
        defer { pair.stop() }
        return pair.start { _ in } ?? UnavailableNetworkSource().current()
    }

    func watch(_ report: @escaping @Sendable (NetworkStatus) -> Void) -> @Sendable () -> Void {
        let pair = PathMonitorPair()
        _ = pair.start(report)
        return { pair.stop() }
    }
}

/// Two path monitors and their latest paths.
///
/// A path monitor that is not started reports no path, as if there were no network.
private final class PathMonitorPair: Sendable {
    /// The longest wait for the first paths: 250 ms.
    private static let timeout = DispatchTimeInterval.milliseconds(250)

    private let general = NWPathMonitor()
    private let tunnel = NWPathMonitor(requiredInterfaceType: .other)
    private let queue = DispatchQueue(label: "simorgh.network")
    private let first = DispatchSemaphore(value: 0)
    private let clock = TimeSource.system.stopwatch()
    private let state = Mutex(State())

    private struct State: Sendable {
        var general: NWPath?
        var tunnel: NWPath?
        var settling = PathDebouncer()

        /// The latest snapshot; `nil` before the system has reported a path.
        var snapshot: ApplePathSnapshot? { general.map { ApplePathSnapshot(general: $0, tunnel: tunnel) } }
    }

    /// Starts both monitors, and waits until both have reported a path, or until the timeout.
    ///
    /// - Parameter report: Receives each new status.
    /// - Returns: The current status; `nil` if the system did not report one.
    func start(_ report: @escaping @Sendable (NetworkStatus) -> Void) -> NetworkStatus? {
        general.pathUpdateHandler = { [weak self] path in self?.store(general: path, report: report) }
        tunnel.pathUpdateHandler = { [weak self] path in self?.store(tunnel: path, report: report) }
        general.start(queue: queue)
        tunnel.start(queue: queue)
        _ = first.wait(timeout: .now() + Self.timeout)
        return state.withLock { $0 }.snapshot?.status
    }

    func stop() {
        general.cancel()
        tunnel.cancel()
    }

    /// Stores a path; both handlers run on one serial queue, so calls do not overlap.
    private func store(
        general: NWPath? = nil, tunnel: NWPath? = nil, report: @escaping @Sendable (NetworkStatus) -> Void
    ) {
        let now = clock.elapsed
        let (step, isWhole): (PathDebouncer.Step, Bool) = state.withLock { state in
            let isFirst = general != nil && state.general == nil || tunnel != nil && state.tunnel == nil
            state.general = general ?? state.general
            state.tunnel = tunnel ?? state.tunnel
            let isConnected = state.general?.status == .satisfied
            let step = state.settling.pathUpdated(isConnected: isConnected, isFirst: isFirst, at: now)
            return (step, state.general != nil && state.tunnel != nil)
        }
        perform(step, report: report)
        if isWhole { first.signal() }
    }

    private func perform(_ step: PathDebouncer.Step, report: @escaping @Sendable (NetworkStatus) -> Void) {
        switch step {
        case .nothing: return
        case .report:
            let now = state.withLock { $0 }
            if let snapshot = now.snapshot { report(snapshot.status) }
        case .wait(let delay):
            let nanoseconds = Int(delay / .nanoseconds(1))
            queue.asyncAfter(deadline: .now() + .nanoseconds(nanoseconds)) { [weak self] in
                guard let self else { return }
                let now = self.clock.elapsed
                self.perform(self.state.withLock { $0.settling.timerFired(at: now) }, report: report)
            }
        }
    }
}

/// Creates a snapshot from two paths; its interpretation is the same on every platform, so that it can be tested.
extension ApplePathSnapshot {
    fileprivate init(general: NWPath, tunnel: NWPath?) {
        self.init()
        devices = general.availableInterfaces.map { Device($0) }
        tunnels = (tunnel?.availableInterfaces ?? []).map { Device($0) }
        links = Self.links()
        let types: [(NWInterface.InterfaceType, DeviceType)] = [
            (.wiredEthernet, .ethernet), (.wifi, .wifi), (.cellular, .cellular),
        ]
        self.types = Set(types.filter { general.usesInterfaceType($0.0) }.map { $0.1 })
        isSatisfied = general.status == .satisfied
        isExpensive = general.isExpensive
        isConstrained = general.isConstrained
        supportsIPv4 = general.supportsIPv4
        supportsIPv6 = general.supportsIPv6
        gateways = general.gateways.compactMap { gateway in
            if case .hostPort(let host, _) = gateway { "\(host)" } else { nil }
        }
    }

    private static func links() -> [String: Link] {
        var first: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&first) == 0 else { return [:] }
        defer { freeifaddrs(first) }
        var links: [String: Link] = [:]
        var next = first
        while let entry = next {
            next = entry.pointee.ifa_next
            let name = String(cString: entry.pointee.ifa_name)
            var link = links[name] ?? Link()
            defer { links[name] = link }
            if link.index == 0 { link.index = Int(if_nametoindex(name)) }
            // IFF_UP and IFF_RUNNING.
            link.isRunning = entry.pointee.ifa_flags & 0x41 == 0x41
            guard let address = entry.pointee.ifa_addr else { continue }
            let bytes: [UInt8]? =
                switch CInt(address.pointee.sa_family) {
                case AF_INET: bytes(of: address, at: 4, count: 4)
                case AF_INET6: bytes(of: address, at: 8, count: 16)
                default: nil
                }
            guard let bytes, let text = NumericAddress(bytes)?.description else { continue }
            link.addresses.append(text)
        }
        return links
    }

    private static func bytes(of address: UnsafeMutablePointer<sockaddr>, at offset: Int, count: Int) -> [UInt8] {
        let start = UnsafeRawPointer(address) + offset
        return Array(UnsafeRawBufferPointer(start: start, count: count))
    }
}

extension ApplePathSnapshot.Device {
    fileprivate init(_ interface: NWInterface) {
        let type: ApplePathSnapshot.DeviceType =
            switch interface.type {
            case .wifi: .wifi
            case .cellular: .cellular
            case .wiredEthernet: .ethernet
            case .loopback: .loopback
            case .other: .other
            @unknown default: .other
            }
        self.init(interface.name, type: type, index: interface.index)
    }
}
#endif
