// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// The route of a connection to its host.
///
/// Invalid options fail the request before a connection is opened. Options that compare equal share connections.
public struct RouteOptions: Sendable, Hashable {
    /// `nil` for the defaults, so that comparing them, as each request does, costs nothing.
    private var storage: Storage?

    /// Creates the default options: the proxy of the system, for transports that know it, and no other detour.
    public init() {}

    /// The proxy.
    ///
    /// Default: ``ProxyOptions/system``, which is no proxy with the engine of `import SimorghNIO`.
    public var proxy: ProxyOptions {
        get { storage?.values.proxy ?? .system }
        set { change { $0.proxy = newValue } }
    }

    /// Addresses to use for some hosts instead of the resolver's, by `host:port`.
    ///
    /// Default: empty.
    ///
    /// `*:port` applies to every host without an entry of its own. The URL's host remains the one that is requested
    /// and verified.
    public var addresses: [String: [String]] {
        get { storage?.values.addresses ?? [:] }
        set { change { $0.addresses = Self.inASCII(newValue) } }
    }

    /// The path of a Unix socket to connect to, for any host.
    ///
    /// Default: `nil`.
    ///
    /// With a Unix socket the proxy is not used.
    public var unixSocket: String? {
        get { storage?.values.unixSocket }
        set { change { $0.unixSocket = newValue } }
    }

    /// The address of this machine to connect from; with `nil`, the default, the system chooses.
    public var localAddress: String? {
        get { storage?.values.localAddress }
        set { change { $0.localAddress = newValue } }
    }

    /// Returns the route to a host; `nil` for the direct route.
    ///
    /// - Parameters:
    ///   - host: The name or address, in lowercase, without the brackets of an IPv6 literal.
    ///   - port: The port.
    ///   - isSecure: True if the connection uses TLS.
    /// - Returns: The route.
    /// - Throws: ``InvalidRouteError`` if an option cannot be used.
    package func route(to host: String, port: Int, isSecure: Bool) throws(InvalidRouteError) -> Route? {
        guard let values = storage?.values else { return nil }
        var route = Route()
        route.localAddress = values.localAddress
        if let path = values.unixSocket {
            // The capacity of the system's socket address, including the terminating NUL.
            guard (1...103).contains(path.utf8.count), !path.utf8.contains(0) else {
                throw InvalidRouteError(
                    "\(path) is not a valid path of a Unix socket: it needs 1 to 103 bytes without NUL")
            }
            route.unixSocket = path
        } else {
            route.proxy = try values.proxy.proxy(for: host, isSecure: isSecure)
            let key = host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
            if !values.addresses.isEmpty {
                route.addresses =
                    values.addresses[key] ?? values.addresses["\(host):\(port)"] ?? values.addresses["*:\(port)"] ?? []
            }
        }
        return route == Route() ? nil : route
    }

    /// Returns the addresses with host names outside ASCII in punycode, as in the hosts of URLs.
    private static func inASCII(_ addresses: [String: [String]]) -> [String: [String]] {
        guard addresses.keys.contains(where: { !$0.utf8.allSatisfy { $0 < 0x80 } }) else { return addresses }
        var result: [String: [String]] = [:]
        for (origin, list) in addresses {
            let host = origin.prefix { $0 != ":" }
            result[(HostSyntax.normalized(String(host)) ?? String(host)) + origin[host.endIndex...]] = list
        }
        return result
    }

    private mutating func change(_ change: (inout Values) -> Void) {
        var values = storage?.values ?? Values()
        change(&values)
        storage = values == Values() ? nil : Storage(values)
    }

    /// Returns true if both have the same routes.
    public static func == (left: RouteOptions, right: RouteOptions) -> Bool {
        if left.storage === right.storage { return true }
        // Stored values always differ from the defaults.
        guard let left = left.storage, let right = right.storage else { return false }
        return left.values == right.values
    }

    /// Feeds the values that `==` compares into a hasher.
    public func hash(into hasher: inout Hasher) { hasher.combine(storage?.values) }

    private struct Values: Sendable, Hashable {
        var proxy = ProxyOptions.system
        var addresses: [String: [String]] = [:]
        var unixSocket: String?
        var localAddress: String?
    }

    private final class Storage: Sendable {
        let values: Values
        init(_ values: Values) { self.values = values }
    }
}

/// The route to one host.
package struct Route: Sendable, Hashable {
    package var proxy: Proxy?
    /// The addresses of the host; empty to use the resolver.
    package var addresses: [String] = []
    package var unixSocket: String?
    package var localAddress: String?
    /// The TLS options for the connection to the proxy itself.
    package var proxyTLS = TLSOptions()

    package init() {}
}

/// An error for a route that cannot be used: the cause of an error before a connection is opened.
public struct InvalidRouteError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A sentence for a person that describes the fault; contains no credential.
    public let message: String

    package init(_ message: String) { self.message = message }

    /// The message.
    public var description: String { message }
}
