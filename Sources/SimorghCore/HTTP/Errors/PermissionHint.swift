// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghSupport

/// Sentences for the messages of errors that Apple's systems cause by a missing permission.
///
/// The error of the system names neither the permission nor the key of `Info.plist` that it needs.
package enum PermissionHint {
    /// Returns a hint for a connection that the system reports as unreachable, which is also how it denies access to the
    /// local network.
    ///
    /// - Parameters:
    ///   - host: The host, an IPv6 address without brackets or with them.
    ///   - system: The system of the program. Default: the current one.
    /// - Returns: The hint; `nil` if the system has no such permission, or the host is not on the local network.
    package static func localNetwork(host: String, on system: Platform.System = Platform.system) -> String? {
        guard system != .other, system != .watchOS, isOnLocalNetwork(host) else { return nil }
        return """
            if other programs reach it, this app lacks access to the local network: declare \
            NSLocalNetworkUsageDescription in Info.plist, and allow the access in the system's privacy settings
            """
    }

    /// Returns a hint for sockets on watchOS, where the system denies them to nearly all apps.
    ///
    /// - Parameter system: The system of the program. Default: the current one.
    /// - Returns: The hint; `nil` on another system.
    package static func sockets(on system: Platform.System = Platform.system) -> String? {
        guard system == .watchOS else { return nil }
        return "watchOS denies sockets to apps (Apple TN3135): use URLSessionTransport"
    }

    /// Returns a hint for an error of `URLSession`.
    ///
    /// - Parameters:
    ///   - code: The code of the error.
    ///   - host: The host of the request; `nil` if unknown.
    ///   - system: The system of the program. Default: the current one.
    /// - Returns: The hint; `nil` for an error that no permission explains.
    package static func session(
        _ code: TransportError.Code, host: String?, on system: Platform.System = Platform.system
    ) -> String? {
        switch code {
        case .appTransportSecurityRequiresSecureConnection:
            let key = host.map(isNearby) == true ? "NSAllowsLocalNetworking" : "NSExceptionDomains"
            return "use https, or allow the host by \(key) in NSAppTransportSecurity of Info.plist"
        case .notConnectedToInternet, .cannotConnectToHost: return host.flatMap { localNetwork(host: $0, on: system) }
        default: return nil
        }
    }

    private static func isNearby(_ host: String) -> Bool {
        HostReachability.isNearby(host: host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host)
    }

    /// Returns true if a host is on a private network and is not this machine.
    private static func isOnLocalNetwork(_ host: String) -> Bool {
        let name = host.lowercased().filter { $0 != "[" && $0 != "]" }
        guard name != "localhost", !name.hasSuffix(".localhost"), isNearby(host) else { return false }
        return NumericAddress(name).map { !$0.unmapped.isLoopback && !$0.unmapped.isUnspecified } ?? true
    }
}
