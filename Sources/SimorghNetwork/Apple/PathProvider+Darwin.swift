// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

// On watchOS a path monitor stays unsatisfied (TN3135), so that platform has no source.
#if canImport(Network) && !os(watchOS)
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
    /// In a mutex, since it is undocumented whether the monitors may be used by several threads.
    private let monitors = Mutex<[PathWatchStateMachine.Monitor: NWPathMonitor]>([
        .general: NWPathMonitor(), .tunnel: NWPathMonitor(requiredInterfaceType: .other),
    ])
    private let queue = DispatchQueue(label: "simorgh.network", qos: .userInitiated)

    func start(_ update: @escaping @Sendable (PathWatchStateMachine.Monitor, ApplePath) -> Void) {
        monitors.withLock { monitors in
            for (name, monitor) in monitors {
                monitor.pathUpdateHandler = { path in update(name, ApplePath(path)) }
                monitor.start(queue: queue)
            }
        }
    }

    func stop() { monitors.withLock { monitors in for monitor in monitors.values { monitor.cancel() } } }

    func currentPath(of monitor: PathWatchStateMachine.Monitor) -> ApplePath {
        monitors.withLock { $0[monitor]?.currentPath }.map { ApplePath($0) } ?? ApplePath()
    }

    func run(after delay: Duration, _ work: @escaping @Sendable () -> Void) {
        queue.asyncAfter(deadline: .now() + .nanoseconds(Int(clamping: Int64(delay / .nanoseconds(1)))), execute: work)
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
        devices = path.availableInterfaces.map { interface in
            ApplePathSnapshot.Device(
                interface.name, type: ApplePathSnapshot.DeviceType(interface.type), index: interface.index)
        }
        let used = [NWInterface.InterfaceType.wiredEthernet, .wifi, .cellular, .other].filter(path.usesInterfaceType)
        types = used.map { ApplePathSnapshot.DeviceType($0) }
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

extension ApplePathSnapshot.DeviceType {
    fileprivate init(_ type: NWInterface.InterfaceType) {
        switch type {
        case .wifi: self = .wifi
        case .cellular: self = .cellular
        case .wiredEthernet: self = .ethernet
        case .loopback: self = .loopback
        case .other: self = .other
        @unknown default: self = .other
        }
    }
}
#endif
