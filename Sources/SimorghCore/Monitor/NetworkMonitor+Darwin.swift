// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if canImport(Network)
import Darwin
import Dispatch
import Network
import Synchronization

/// What this system tells of its network.
package enum SystemNetwork {
    package static let source: any NetworkSource = PathNetworkSource()
}

/// Two path monitors: of the way that packets take, and of tunnels, which come and go beside it.
struct PathNetworkSource: NetworkSource {
    private let glances = NetworkGlances()

    /// As long as an answer holds nobody waits for the monitors to tell.
    func glance() -> NetworkStatus { glances.status { current() } }

    var recentGlance: NetworkStatus? { glances.recent }

    func current() -> NetworkStatus {
        let pair = PathPair()
        defer { pair.stop() }
        return pair.start { _ in } ?? NoNetworkSource().current()
    }

    func watch(_ tell: @escaping @Sendable (NetworkStatus) -> Void) -> @Sendable () -> Void {
        let pair = PathPair()
        _ = pair.start(tell)
        return { pair.stop() }
    }
}

/// Two path monitors, and what they have told last.
///
/// One that was not started knows of no path at all, and says so as if there were none.
private final class PathPair: Sendable {
    /// How long to wait for the first that they tell; 250 ms.
    private static let patience = DispatchTimeInterval.milliseconds(250)

    private let general = NWPathMonitor()
    private let tunnel = NWPathMonitor(requiredInterfaceType: .other)
    private let queue = DispatchQueue(label: "simorgh.network")
    private let first = DispatchSemaphore(value: 0)
    private let paths = Mutex<(general: NWPath?, tunnel: NWPath?)>((nil, nil))

    /// Starts both, and waits until both have told, or long enough.
    ///
    /// - Parameter tell: Told what is new.
    /// - Returns: What is so; `nil` where the system did not say.
    func start(_ tell: @escaping @Sendable (NetworkStatus) -> Void) -> NetworkStatus? {
        general.pathUpdateHandler = { [weak self] path in self?.take(general: path, tell) }
        tunnel.pathUpdateHandler = { [weak self] path in self?.take(tunnel: path, tell) }
        general.start(queue: queue)
        tunnel.start(queue: queue)
        _ = first.wait(timeout: .now() + Self.patience)
        let now = paths.withLock { $0 }
        return now.general.map { PathReading(general: $0, tunnel: now.tunnel).status }
    }

    func stop() {
        general.cancel()
        tunnel.cancel()
    }

    /// Both handlers run on one serial queue, and so one after the other.
    private func take(general: NWPath? = nil, tunnel: NWPath? = nil, _ tell: (NetworkStatus) -> Void) {
        let now = paths.withLock { paths in
            paths.general = general ?? paths.general
            paths.tunnel = tunnel ?? paths.tunnel
            return paths
        }
        if let general = now.general { tell(PathReading(general: general, tunnel: now.tunnel).status) }
        if now.general != nil, now.tunnel != nil { first.signal() }
    }
}

/// Reads a status out of two paths.
private struct PathReading {
    let general: NWPath
    let tunnel: NWPath?

    var status: NetworkStatus {
        let devices = Self.devices()
        var interfaces: [NetworkInterface] = []
        for interface in general.availableInterfaces + (tunnel?.availableInterfaces ?? [])
        where !interfaces.contains(where: { $0.name == interface.name }) {
            interfaces.append(
                NetworkInterface(
                    name: interface.name, kind: kind(of: interface), index: interface.index,
                    addresses: devices[interface.name]?.addresses ?? []))
        }
        // A path that leads nowhere has no devices, though this machine may have a network without the internet.
        for (name, device) in devices.sorted(by: { $0.key < $1.key })
        where !interfaces.contains(where: { $0.name == name }) {
            interfaces.append(
                NetworkInterface(
                    name: name, kind: NetworkInterface.Kind(ofAppleDevice: name, isOnPath: false), index: Int(if_nametoindex(name)),
                    isRunning: device.isRunning, addresses: device.addresses))
        }
        var status = NetworkStatus(.disconnected)
        status.interfaces = interfaces
        // The system keeps tunnels of its own, which have no address but a link's: they are no VPN.
        status.isVPNPresent = interfaces.contains { interface in
            interface.kind == .vpn && interface.addresses.contains { NumericAddress($0)?.isLinkLocal == false }
        }
        status.isExpensive = general.isExpensive
        status.isConstrained = general.isConstrained
        guard general.status == .satisfied else { return status }
        status.primaryInterface = general.availableInterfaces.first.flatMap { first in
            interfaces.first { $0.name == first.name }
        }
        status.underlyingType = underlyingType
        // The first is the one that packets take.
        status.isVPNActive = status.primaryInterface?.kind == .vpn
        status.isVPNPresent = status.isVPNPresent || status.isVPNActive
        status.connectivity = .connected(status.isVPNActive ? .vpn : underlyingType)
        status.supportsIPv4 = general.supportsIPv4
        status.supportsIPv6 = general.supportsIPv6
        status.gateways = general.gateways.compactMap { gateway in
            if case .hostPort(let host, _) = gateway { "\(host)" } else { nil }
        }
        return status
    }

    private var underlyingType: NetworkType {
        if general.usesInterfaceType(.wiredEthernet) { return .ethernet }
        if general.usesInterfaceType(.wifi) { return .wifi }
        return general.usesInterfaceType(.cellular) ? .cellular : .other
    }

    private func kind(of interface: NWInterface) -> NetworkInterface.Kind {
        switch interface.type {
        case .wifi: .wifi
        case .cellular: .cellular
        case .wiredEthernet: .ethernet
        case .loopback: .loopback
        case .other: NetworkInterface.Kind(ofAppleDevice: interface.name, isOnPath: true)
        @unknown default: .other
        }
    }

    /// Each device by its name: whether packets can pass, and its addresses.
    private static func devices() -> [String: (isRunning: Bool, addresses: [String])] {
        var first: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&first) == 0 else { return [:] }
        defer { freeifaddrs(first) }
        var devices: [String: (isRunning: Bool, addresses: [String])] = [:]
        var next = first
        while let entry = next {
            next = entry.pointee.ifa_next
            let name = String(cString: entry.pointee.ifa_name)
            // IFF_UP and IFF_RUNNING.
            devices[name, default: (false, [])].isRunning = entry.pointee.ifa_flags & 0x41 == 0x41
            guard let address = entry.pointee.ifa_addr else { continue }
            let bytes: [UInt8]? =
                switch CInt(address.pointee.sa_family) {
                case AF_INET: bytes(of: address, at: 4, count: 4)
                case AF_INET6: bytes(of: address, at: 8, count: 16)
                default: nil
                }
            guard let bytes, let text = NumericAddress(bytes)?.description else { continue }
            devices[name, default: (false, [])].addresses.append(text)
        }
        return devices
    }

    private static func bytes(of address: UnsafeMutablePointer<sockaddr>, at offset: Int, count: Int) -> [UInt8] {
        let start = UnsafeRawPointer(address) + offset
        return Array(UnsafeRawBufferPointer(start: start, count: count))
    }
}
#endif
