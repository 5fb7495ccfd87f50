// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

// The connections of Network.
import Darwin
import Dispatch
import Foundation
import Security

extension NWProtocolTLS.Options {
    // https://developer.apple.com/documentation/network/nwprotocoltls/options/securityprotocoloptions
    public var securityProtocolOptions: sec_protocol_options_t { fatalError("a stub") }
}

// https://developer.apple.com/documentation/network/nwprotocoltcp
public class NWProtocolTCP {
    // https://developer.apple.com/documentation/network/nwprotocoltcp/options
    public class Options {
        // https://developer.apple.com/documentation/network/nwprotocoltcp/options/init()
        public init() {}
        // https://developer.apple.com/documentation/network/nwprotocoltcp/options/nodelay
        public var noDelay: Bool { get { false } set {} }
    }
}

// https://developer.apple.com/documentation/network/nwparameters
public class NWParameters {
    // https://developer.apple.com/documentation/network/nwparameters/init(tls:tcp:)
    public init(tls: NWProtocolTLS.Options?, tcp: NWProtocolTCP.Options = .init()) {}
    // https://developer.apple.com/documentation/network/nwparameters/prohibitedinterfacetypes
    public var prohibitedInterfaceTypes: [NWInterface.InterfaceType]? { get { nil } set {} }
    // https://developer.apple.com/documentation/network/nwparameters/prohibitexpensivepaths
    public var prohibitExpensivePaths: Bool { get { false } set {} }
    // https://developer.apple.com/documentation/network/nwparameters/prohibitconstrainedpaths
    public var prohibitConstrainedPaths: Bool { get { false } set {} }
    // https://developer.apple.com/documentation/network/nwparameters/prefernoproxies
    public var preferNoProxies: Bool { get { false } set {} }
    // https://developer.apple.com/documentation/network/nwparameters/setprivacycontext(_:)
    @available(macOS 11.0, iOS 14.0, watchOS 7.0, tvOS 14.0, *)
    public final func setPrivacyContext(_ privacyContext: PrivacyContext) {}

    // https://developer.apple.com/documentation/network/nwparameters/privacycontext
    @available(macOS 11.0, iOS 14.0, watchOS 7.0, tvOS 14.0, *)
    public final class PrivacyContext {
        // https://developer.apple.com/documentation/network/nwparameters/privacycontext/init(description:)
        public init(description: String) {}
        // https://developer.apple.com/documentation/network/nwparameters/privacycontext/proxyconfigurations
        @available(macOS 14.0, iOS 17.0, watchOS 10.0, tvOS 17.0, visionOS 1.0, *)
        public final var proxyConfigurations: [ProxyConfiguration] { get { [] } set {} }
    }
}

// https://developer.apple.com/documentation/network/nwerror
public enum NWError: Error, Equatable, Sendable {
    // https://developer.apple.com/documentation/network/nwerror/posix(_:)
    case posix(POSIXErrorCode)
    // https://developer.apple.com/documentation/network/nwerror/dns(_:)
    case dns(Int32)
    // https://developer.apple.com/documentation/network/nwerror/tls(_:)
    case tls(OSStatus)
}

// https://developer.apple.com/documentation/foundation/posixerrorcode
public struct POSIXErrorCode: Hashable, Sendable {
    // https://developer.apple.com/documentation/foundation/posixerrorcode/rawvalue
    public let rawValue: Int32
}

// https://developer.apple.com/documentation/network/nwconnection
public final class NWConnection: @unchecked Sendable {
    // https://developer.apple.com/documentation/network/nwconnection/state-swift.enum
    public enum State: Equatable, Sendable {
        // https://developer.apple.com/documentation/network/nwconnection/state-swift.enum/setup
        case setup
        // https://developer.apple.com/documentation/network/nwconnection/state-swift.enum/waiting(_:)
        case waiting(NWError)
        // https://developer.apple.com/documentation/network/nwconnection/state-swift.enum/preparing
        case preparing
        // https://developer.apple.com/documentation/network/nwconnection/state-swift.enum/ready
        case ready
        // https://developer.apple.com/documentation/network/nwconnection/state-swift.enum/failed(_:)
        case failed(NWError)
        // https://developer.apple.com/documentation/network/nwconnection/state-swift.enum/cancelled
        case cancelled
    }

    // https://developer.apple.com/documentation/network/nwconnection/contentcontext
    public class ContentContext: @unchecked Sendable {
        // https://developer.apple.com/documentation/network/nwconnection/contentcontext/defaultmessage
        public static let defaultMessage = ContentContext()
        // https://developer.apple.com/documentation/network/nwconnection/contentcontext/finalmessage
        public static let finalMessage = ContentContext()
    }

    // https://developer.apple.com/documentation/network/nwconnection/sendcompletion
    public enum SendCompletion {
        // https://developer.apple.com/documentation/network/nwconnection/sendcompletion/contentprocessed(_:)
        case contentProcessed(@Sendable (_ error: NWError?) -> Void)
        // https://developer.apple.com/documentation/network/nwconnection/sendcompletion/idempotent
        case idempotent
    }

    // https://developer.apple.com/documentation/network/nwconnection/init(host:port:using:)
    public init(host: NWEndpoint.Host, port: NWEndpoint.Port, using: NWParameters) {}
    // https://developer.apple.com/documentation/network/nwconnection/stateupdatehandler
    @preconcurrency public final var stateUpdateHandler: (@Sendable (_ state: State) -> Void)? {
        get { fatalError("a stub") }
        set {}
    }
    // https://developer.apple.com/documentation/network/nwconnection/currentpath
    public final var currentPath: NWPath? { nil }
    // https://developer.apple.com/documentation/network/nwconnection/start(queue:)
    public final func start(queue: DispatchQueue) {}
    // https://developer.apple.com/documentation/network/nwconnection/cancel()
    public final func cancel() {}
    // https://developer.apple.com/documentation/network/nwconnection/receive(minimumincompletelength:maximumlength:completion:)
    @preconcurrency public final func receive(
        minimumIncompleteLength: Int, maximumLength: Int,
        completion: @escaping @Sendable (
            _ content: Data?, _ contentContext: ContentContext?, _ isComplete: Bool, _ error: NWError?
        ) -> Void
    ) {}
    // https://developer.apple.com/documentation/network/nwconnection/send(content:contentcontext:iscomplete:completion:)
    public final func send(
        content: Data?, contentContext: ContentContext = .defaultMessage, isComplete: Bool = true,
        completion: SendCompletion
    ) {}
}
