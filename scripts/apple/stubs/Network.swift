// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

// A stub of Apple's Network with the declarations that this project uses, for type-checking; it is never run.
import Dispatch
import Foundation

public struct NWInterface: Hashable, Sendable {
    public enum InterfaceType: Hashable, Sendable { case other, wifi, cellular, wiredEthernet, loopback }
    public var type: InterfaceType { fatalError("a stub") }
    public var name: String { fatalError("a stub") }
    public var index: Int { fatalError("a stub") }
}

public enum NWEndpoint: Hashable, Sendable {
    public enum Host: Hashable, Sendable, CustomDebugStringConvertible {
        case name(String, NWInterface?)
        // https://developer.apple.com/documentation/network/nwendpoint/host/init(_:)
        public init(_ string: String) { fatalError("a stub") }
        public var debugDescription: String { fatalError("a stub") }
    }
    public struct Port: Hashable, Sendable, ExpressibleByIntegerLiteral {
        // https://developer.apple.com/documentation/network/nwendpoint/port/init(integerliteral:)
        public init(integerLiteral value: UInt16) {}
    }
    case hostPort(host: Host, port: Port)
    case unix(path: String)
}

public struct NWPath: Equatable, Sendable, CustomDebugStringConvertible {
    // https://developer.apple.com/documentation/network/nwpath/status-swift.enum
    public enum Status: Hashable, Sendable { case satisfied, unsatisfied, requiresConnection }
    // https://developer.apple.com/documentation/network/nwpath/status-swift.property
    public var status: Status { fatalError("a stub") }
    // https://developer.apple.com/documentation/network/nwpath/unsatisfiedreason-swift.enum
    @available(macOS 11.0, iOS 14.2, watchOS 7.1, tvOS 14.2, *)
    public enum UnsatisfiedReason: Hashable, Sendable {
        case notAvailable, cellularDenied, wifiDenied, localNetworkDenied
        // https://developer.apple.com/documentation/network/nwpath/unsatisfiedreason-swift.enum/vpninactive
        @available(macOS 14.0, iOS 17.0, watchOS 10.0, tvOS 17.0, *)
        case vpnInactive
    }
    // https://developer.apple.com/documentation/network/nwpath/unsatisfiedreason-swift.property
    @available(macOS 11.0, iOS 14.2, watchOS 7.1, tvOS 14.2, *)
    public var unsatisfiedReason: UnsatisfiedReason { fatalError("a stub") }
    // https://developer.apple.com/documentation/network/nwpath/isultraconstrained
    @available(macOS 26.0, iOS 26.0, watchOS 26.0, tvOS 26.0, visionOS 26.0, *)
    public var isUltraConstrained: Bool { fatalError("a stub") }
    // https://developer.apple.com/documentation/network/nwpath/debugdescription
    public var debugDescription: String { fatalError("a stub") }
    public var availableInterfaces: [NWInterface] { fatalError("a stub") }
    public var gateways: [NWEndpoint] { fatalError("a stub") }
    public var isExpensive: Bool { fatalError("a stub") }
    @available(macOS 10.15, iOS 13.0, watchOS 6.0, tvOS 13.0, *)
    public var isConstrained: Bool { fatalError("a stub") }
    public var supportsIPv4: Bool { fatalError("a stub") }
    public var supportsIPv6: Bool { fatalError("a stub") }
    public func usesInterfaceType(_ type: NWInterface.InterfaceType) -> Bool { fatalError("a stub") }
}

// https://developer.apple.com/documentation/network/nwpathmonitor
// Not Sendable here: whether Apple declares it so is not relied upon.
public final class NWPathMonitor {
    @preconcurrency public final var pathUpdateHandler: (@Sendable (_ newPath: NWPath) -> Void)? {
        get { fatalError("a stub") }
        set {}
    }
    public final var currentPath: NWPath { fatalError("a stub") }
    public init() {}
    public init(requiredInterfaceType: NWInterface.InterfaceType) {}
    public final func start(queue: DispatchQueue) {}
    public final func cancel() {}
}

// https://developer.apple.com/documentation/network/nwprotocoltls
public class NWProtocolTLS {
    // https://developer.apple.com/documentation/network/nwprotocoltls/options
    public class Options: @unchecked Sendable {
        public init() {}
    }
}

// https://developer.apple.com/documentation/network/proxyconfiguration
@available(macOS 14.0, iOS 17.0, watchOS 10.0, tvOS 17.0, visionOS 1.0, *)
public struct ProxyConfiguration: Hashable, Sendable {
    // https://developer.apple.com/documentation/network/proxyconfiguration/init(httpconnectproxy:tlsoptions:)
    public init(httpCONNECTProxy proxyEndpoint: NWEndpoint, tlsOptions: NWProtocolTLS.Options? = nil) {}
    // https://developer.apple.com/documentation/network/proxyconfiguration/init(socksv5proxy:)
    public init(socksv5Proxy proxyEndpoint: NWEndpoint) {}
    // https://developer.apple.com/documentation/network/proxyconfiguration/allowfailover
    public var allowFailover: Bool { get { true } set {} }
    // https://developer.apple.com/documentation/network/proxyconfiguration/applycredential(username:password:)
    public mutating func applyCredential(username: String, password: String) {}
}

extension URLSessionConfiguration {
    // https://developer.apple.com/documentation/foundation/urlsessionconfiguration/proxyconfigurations-7sqfz
    @available(macOS 14.0, iOS 17.0, watchOS 10.0, tvOS 17.0, visionOS 1.0, *)
    public var proxyConfigurations: [ProxyConfiguration] { get { [] } set {} }
}
