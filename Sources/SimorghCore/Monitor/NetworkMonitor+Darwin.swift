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
    func current() -> NetworkStatus {
        PathReading(
            general: NWPathMonitor().currentPath,
            tunnel: NWPathMonitor(requiredInterfaceType: .other).currentPath
        ).status
    }

    func watch(_ tell: @escaping @Sendable (NetworkStatus) -> Void) -> @Sendable () -> Void {
        let queue = DispatchQueue(label: "simorgh.network")
        let (general, tunnel) = (NWPathMonitor(), NWPathMonitor(requiredInterfaceType: .other))
        let shared = Shared()
        general.pathUpdateHandler = { path in shared.take(general: path, tell) }
        tunnel.pathUpdateHandler = { path in shared.take(tunnel: path, tell) }
        general.start(queue: queue)
        tunnel.start(queue: queue)
        return {
            general.cancel()
            tunnel.cancel()
        }
    }

    /// What both have told last.
    private final class Shared: Sendable {
        private let paths = Mutex<(general: NWPath?, tunnel: NWPath?)>((nil, nil))

        /// Both handlers run on one serial queue, and so one after the other.
        func take(general: NWPath? = nil, tunnel: NWPath? = nil, _ tell: (NetworkStatus) -> Void) {
            let now = paths.withLock { paths in
                paths.general = general ?? paths.general
                paths.tunnel = tunnel ?? paths.tunnel
                return paths
            }
            guard let general = now.general else { return }
            tell(PathReading(general: general, tunnel: now.tunnel).status)
        }
    }
}

/// Reads a status out of two paths.
private struct PathReading {
    let general: NWPath
    let tunnel: NWPath?

    var status: NetworkStatus {
        let addresses = Self.addresses()
        var interfaces: [NetworkInterface] = []
        for interface in general.availableInterfaces + (tunnel?.availableInterfaces ?? [])
        where !interfaces.contains(where: { $0.name == interface.name }) {
            interfaces.append(
                NetworkInterface(
                    name: interface.name, kind: kind(of: interface), index: interface.index,
                    addresses: addresses[interface.name] ?? []))
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
        case .other:
            ["utun", "tun", "tap", "ppp", "ipsec"].contains(where: interface.name.hasPrefix) ? .vpn : .other
        @unknown default: .other
        }
    }

    /// The addresses of each interface, by its name.
    private static func addresses() -> [String: [String]] {
        var first: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&first) == 0 else { return [:] }
        defer { freeifaddrs(first) }
        var addresses: [String: [String]] = [:]
        var next = first
        while let entry = next {
            next = entry.pointee.ifa_next
            guard let address = entry.pointee.ifa_addr else { continue }
            let bytes: [UInt8]? =
                switch CInt(address.pointee.sa_family) {
                case AF_INET: bytes(of: address, at: 4, count: 4)
                case AF_INET6: bytes(of: address, at: 8, count: 16)
                default: nil
                }
            guard let bytes, let text = NumericAddress(bytes)?.description else { continue }
            addresses[String(cString: entry.pointee.ifa_name), default: []].append(text)
        }
        return addresses
    }

    private static func bytes(of address: UnsafeMutablePointer<sockaddr>, at offset: Int, count: Int) -> [UInt8] {
        let start = UnsafeRawPointer(address) + offset
        return Array(UnsafeRawBufferPointer(start: start, count: count))
    }
}
#endif
