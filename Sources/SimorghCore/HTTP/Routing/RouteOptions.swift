// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// Which way a connection takes to its host.
///
/// What cannot be used fails the request before anything is dialled. Options that compare equal share connections.
public struct RouteOptions: Sendable, Hashable {
    /// `nil` for the defaults, so that to compare them, as each request does, costs nothing.
    private var storage: Storage?

    /// Creates the default options: straight to the host.
    public init() {}

    /// The proxy; none by default.
    public var proxy: ProxyOptions {
        get { storage?.values.proxy ?? .none }
        set { change { $0.proxy = newValue } }
    }

    /// Addresses to use for some hosts in place of what the resolver says, by `host:port`; none by default.
    ///
    /// `*:port` stands for every host that has no entry of its own.
    /// The URL's host stays what is asked for and verified.
    public var addresses: [String: [String]] {
        get { storage?.values.addresses ?? [:] }
        set { change { $0.addresses = Self.inASCII(newValue) } }
    }

    /// The path of a Unix socket to connect to, whatever the host; `nil` by default.
    ///
    /// A proxy is not used then.
    public var unixSocket: String? {
        get { storage?.values.unixSocket }
        set { change { $0.unixSocket = newValue } }
    }

    /// The address of this machine to connect from; `nil`, the default, leaves it to the system.
    public var localAddress: String? {
        get { storage?.values.localAddress }
        set { change { $0.localAddress = newValue } }
    }

    /// The way to one host; `nil` for straight to it.
    ///
    /// - Parameters:
    ///   - host: The name or address, in lower case, without the brackets of an IPv6 literal.
    ///   - port: The port.
    ///   - isSecure: Whether TLS is spoken with it.
    /// - Returns: The way.
    /// - Throws: ``InvalidRoute``.
    package func route(to host: String, port: Int, isSecure: Bool) throws(InvalidRoute) -> Route? {
        guard let values = storage?.values else { return nil }
        var route = Route()
        route.localAddress = values.localAddress
        if let path = values.unixSocket {
            // The room that the system has for it, with its closing zero.
            guard (1...103).contains(path.utf8.count), !path.utf8.contains(0) else {
                throw InvalidRoute("\(path) is no path of a Unix socket")
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

    /// The addresses with the names outside ASCII in punycode, as the hosts of URLs are.
    private static func inASCII(_ addresses: [String: [String]]) -> [String: [String]] {
        guard addresses.keys.contains(where: { !$0.utf8.allSatisfy { $0 < 0x80 } }) else { return addresses }
        var result: [String: [String]] = [:]
        for (place, list) in addresses {
            let host = place.prefix { $0 != ":" }
            result[(HostRules.name(String(host)) ?? String(host)) + place[host.endIndex...]] = list
        }
        return result
    }

    private mutating func change(_ change: (inout Values) -> Void) {
        var values = storage?.values ?? Values()
        change(&values)
        storage = values == Values() ? nil : Storage(values)
    }

    /// Whether both lead the same ways.
    public static func == (left: RouteOptions, right: RouteOptions) -> Bool {
        if left.storage === right.storage { return true }
        // What is stored is never the default.
        guard let left = left.storage, let right = right.storage else { return false }
        return left.values == right.values
    }

    /// Feeds what `==` compares into a hasher.
    public func hash(into hasher: inout Hasher) { hasher.combine(storage?.values) }

    private struct Values: Sendable, Hashable {
        var proxy = ProxyOptions.none
        var addresses: [String: [String]] = [:]
        var unixSocket: String?
        var localAddress: String?
    }

    private final class Storage: Sendable {
        let values: Values
        init(_ values: Values) { self.values = values }
    }
}

/// The way to one host.
package struct Route: Sendable, Hashable {
    package var proxy: Proxy?
    /// Where the host is, without asking a resolver.
    package var addresses: [String] = []
    package var unixSocket: String?
    package var localAddress: String?
    /// How TLS is spoken with the proxy itself.
    package var proxyTLS = TLSOptions()

    package init() {}
}

/// A way that cannot be taken: the cause of an error before anything is dialled.
public struct InvalidRoute: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong, in a sentence for a person; no credential.
    public let message: String

    package init(_ message: String) { self.message = message }

    /// The message.
    public var description: String { message }
}
