// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

// On watchOS a path monitor stays unsatisfied (TN3135), so that platform has no source.
#if canImport(Network) && !os(watchOS)
import Darwin
import Dispatch
import Network
import SimorghSupport
import Synchronization

/// The network source of this system.
package enum SystemNetwork {
    package static let source: any NetworkSource = PathNetworkSource(SystemPathProvider())
}

/// The path monitors, interfaces and routes of this system.
final class SystemPathProvider: PathProvider {
    private struct Monitors {
        let general = NWPathMonitor()
        let tunnel = NWPathMonitor(requiredInterfaceType: .other)
    }

    /// In a mutex, since it is undocumented whether the monitors may be used by several threads.
    private let monitors = Mutex(Monitors())
    private let queue = DispatchQueue(label: "simorgh.network", qos: .userInitiated)

    func start(_ update: @escaping @Sendable (PathWatchStateMachine.Monitor, ApplePath) -> Void) {
        monitors.withLock { monitors in
            monitors.general.pathUpdateHandler = { path in update(.general, ApplePath(path)) }
            monitors.tunnel.pathUpdateHandler = { path in update(.tunnel, ApplePath(path)) }
            monitors.general.start(queue: queue)
            monitors.tunnel.start(queue: queue)
        }
    }

    func stop() {
        monitors.withLock { monitors in
            monitors.general.cancel()
            monitors.tunnel.cancel()
        }
    }

    func currentPath(of monitor: PathWatchStateMachine.Monitor) -> ApplePath {
        let path = monitors.withLock { monitors in
            switch monitor {
            case .general: monitors.general.currentPath
            case .tunnel: monitors.tunnel.currentPath
            }
        }
        return ApplePath(path)
    }

    func run(after delay: Duration, _ work: @escaping @Sendable () -> Void) {
        queue.asyncAfter(deadline: .now() + .nanoseconds(Int(clamping: Int64(delay / .nanoseconds(1)))), execute: work)
    }

    func links() -> [String: ApplePathSnapshot.Link] {
        var first: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&first) == 0 else { return [:] }
        defer { freeifaddrs(first) }
        var links: [String: ApplePathSnapshot.Link] = [:]
        var next = first
        while let entry = next {
            next = entry.pointee.ifa_next
            let name = String(cString: entry.pointee.ifa_name)
            // IFF_UP and IFF_RUNNING.
            links[name, default: .init()].isRunning = entry.pointee.ifa_flags & 0x41 == 0x41
            guard let address = entry.pointee.ifa_addr else { continue }
            links[name, default: .init()].add(
                Array(UnsafeRawBufferPointer(start: address, count: Int(address.pointee.sa_len))))
        }
        return links
    }

    func sources() -> [String] { KernelNetworkSnapshot.destinations.compactMap { Self.source(for: $0)?.description } }

    /// Returns the source address of packets to an address, by connecting a UDP socket, which sends nothing.
    private static func source(for destination: NumericAddress) -> NumericAddress? {
        let descriptor = socket(CInt(DarwinSocketAddress.family(of: destination)), SOCK_DGRAM, 0)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        // Port 9 is that of the discard service.
        var bytes = DarwinSocketAddress.bytes(of: destination, port: 9)
        let isConnected = bytes.withUnsafeMutableBytes { bytes in
            guard let address = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self) else { return false }
            var length = socklen_t(bytes.count)
            return connect(descriptor, address, length) == 0 && getsockname(descriptor, address, &length) == 0
        }
        return isConnected ? DarwinSocketAddress.address(in: bytes) : nil
    }
}

extension ApplePath {
    fileprivate init(_ path: NWPath) {
        self.init()
        status =
            switch path.status {
            case .satisfied: .satisfied
            case .unsatisfied: .unsatisfied
            case .requiresConnection: .requiresConnection
            @unknown default: .unsatisfied
            }
        unsatisfiedReason =
            switch path.unsatisfiedReason {
            case .notAvailable: .notAvailable
            case .cellularDenied: .cellularDenied
            case .wifiDenied: .wifiDenied
            case .localNetworkDenied: .localNetworkDenied
            case .vpnInactive: .vpnInactive
            @unknown default: nil
            }
        devices = path.availableInterfaces.map { ApplePathSnapshot.Device($0) }
        let types: [(NWInterface.InterfaceType, ApplePathSnapshot.DeviceType)] = [
            (.wiredEthernet, .ethernet), (.wifi, .wifi), (.cellular, .cellular), (.other, .other),
        ]
        self.types = types.filter { path.usesInterfaceType($0.0) }.map { $0.1 }
        isExpensive = path.isExpensive
        isConstrained = path.isConstrained
        if #available(iOS 26.0, macOS 26.0, tvOS 26.0, visionOS 26.0, *) {
            isUltraConstrained = path.isUltraConstrained
        }
        supportsIPv4 = path.supportsIPv4
        supportsIPv6 = path.supportsIPv6
        gateways = path.gateways.compactMap { gateway in
            if case .hostPort(let host, _) = gateway { "\(host)" } else { nil }
        }
        text = path.debugDescription
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
