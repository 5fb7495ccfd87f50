// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

// A stub of Apple's Network with the declarations that this project uses, for type-checking; it is never run.
import Dispatch
import Foundation

// https://developer.apple.com/documentation/network/nwinterface
public struct NWInterface: Hashable, Sendable {
    // https://developer.apple.com/documentation/network/nwinterface/interfacetype
    public enum InterfaceType: Hashable, Sendable { case other, wifi, cellular, wiredEthernet, loopback }
    // https://developer.apple.com/documentation/network/nwinterface/type
    public var type: InterfaceType { fatalError("a stub") }
    // https://developer.apple.com/documentation/network/nwinterface/name
    public var name: String { fatalError("a stub") }
    // https://developer.apple.com/documentation/network/nwinterface/index
    public var index: Int { fatalError("a stub") }
}

// https://developer.apple.com/documentation/network/nwendpoint
public enum NWEndpoint: Hashable, Sendable {
    // https://developer.apple.com/documentation/network/nwendpoint/host
    public enum Host: Hashable, Sendable, CustomDebugStringConvertible {
        // https://developer.apple.com/documentation/network/nwendpoint/host/name(_:_:)
        case name(String, NWInterface?)
        // https://developer.apple.com/documentation/network/nwendpoint/host/init(_:)
        public init(_ string: String) { fatalError("a stub") }
        // https://developer.apple.com/documentation/network/nwendpoint/host/debugdescription
        public var debugDescription: String { fatalError("a stub") }
    }
    // https://developer.apple.com/documentation/network/nwendpoint/port
    public struct Port: Hashable, Sendable, ExpressibleByIntegerLiteral {
        // https://developer.apple.com/documentation/network/nwendpoint/port/init(integerliteral:)
        public init(integerLiteral value: UInt16) {}
    }
    // https://developer.apple.com/documentation/network/nwendpoint/hostport(host:port:)
    case hostPort(host: Host, port: Port)
    // https://developer.apple.com/documentation/network/nwendpoint/unix(path:)
    case unix(path: String)
}

// https://developer.apple.com/documentation/network/nwpath
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
    // https://developer.apple.com/documentation/network/nwpath/availableinterfaces
    public var availableInterfaces: [NWInterface] { fatalError("a stub") }
    // https://developer.apple.com/documentation/network/nwpath/gateways
    public var gateways: [NWEndpoint] { fatalError("a stub") }
    // https://developer.apple.com/documentation/network/nwpath/isexpensive
    public var isExpensive: Bool { fatalError("a stub") }
    // https://developer.apple.com/documentation/network/nwpath/isconstrained
    @available(macOS 10.15, iOS 13.0, watchOS 6.0, tvOS 13.0, *)
    public var isConstrained: Bool { fatalError("a stub") }
    // https://developer.apple.com/documentation/network/nwpath/supportsipv4
    public var supportsIPv4: Bool { fatalError("a stub") }
    // https://developer.apple.com/documentation/network/nwpath/supportsipv6
    public var supportsIPv6: Bool { fatalError("a stub") }
    // https://developer.apple.com/documentation/network/nwpath/usesinterfacetype(_:)
    public func usesInterfaceType(_ type: NWInterface.InterfaceType) -> Bool { fatalError("a stub") }
}

// https://developer.apple.com/documentation/network/nwpathmonitor
// Not Sendable here: whether Apple declares it so is not relied upon.
public final class NWPathMonitor {
    // https://developer.apple.com/documentation/network/nwpathmonitor/pathupdatehandler
    @preconcurrency public final var pathUpdateHandler: (@Sendable (_ newPath: NWPath) -> Void)? {
        get { fatalError("a stub") }
        set {}
    }
    // https://developer.apple.com/documentation/network/nwpathmonitor/currentpath
    public final var currentPath: NWPath { fatalError("a stub") }
    // https://developer.apple.com/documentation/network/nwpathmonitor/init()
    public init() {}
    // https://developer.apple.com/documentation/network/nwpathmonitor/init(requiredinterfacetype:)
    public init(requiredInterfaceType: NWInterface.InterfaceType) {}
    // https://developer.apple.com/documentation/network/nwpathmonitor/start(queue:)
    public final func start(queue: DispatchQueue) {}
    // https://developer.apple.com/documentation/network/nwpathmonitor/cancel()
    public final func cancel() {}
}

// https://developer.apple.com/documentation/network/nwprotocoltls
public class NWProtocolTLS {
    // https://developer.apple.com/documentation/network/nwprotocoltls/options
    public class Options: @unchecked Sendable {
        // https://developer.apple.com/documentation/network/nwprotocoltls/options/init()
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
    // https://developer.apple.com/documentation/foundation/urlsessionconfiguration/proxyconfigurations
    @available(macOS 14.0, iOS 17.0, watchOS 10.0, tvOS 17.0, visionOS 1.0, *)
    public var proxyConfigurations: [ProxyConfiguration] { get { [] } set {} }
}
