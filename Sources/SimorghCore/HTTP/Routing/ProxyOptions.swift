// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// The choice of a proxy for a request.
public struct ProxyOptions: Sendable, Hashable {
    /// The URL of the proxy for `http`.
    private var plain: String?
    /// The URL of the proxy for `https`.
    private var secure: String?
    /// The hosts that are reached without a proxy.
    private var bypass: ProxyBypass
    /// True if the system chooses the proxy, for transports that can ask it.
    package let isSystem: Bool

    private init(plain: String?, secure: String?, bypass: String, isSystem: Bool = false) {
        self.plain = plain
        self.secure = secure
        self.bypass = ProxyBypass(bypass)
        self.isSystem = isSystem
    }

    /// The proxy of the system's settings, including automatic configuration (PAC): the default.
    ///
    /// A `URLSession` applies the settings on Apple platforms, and the environment variables on Linux. The engine of
    /// `import SimorghNIO` does not read the system's settings: there it is the same as ``none``.
    public static let system = ProxyOptions(plain: nil, secure: nil, bypass: "", isSystem: true)

    /// No proxy.
    public static let none = ProxyOptions(plain: nil, secure: nil, bypass: "")

    /// Creates options with one proxy for all requests, except to some hosts.
    ///
    /// - Parameters:
    ///   - url: `http://`, `https://`, `socks5://` or `socks5h://` with a host and a port (default: 1080, or 443 for
    ///     `https`), and user name and password before the host if the proxy requires them. With `socks5h` the proxy
    ///     resolves the host name.
    ///   - bypass: The hosts that are reached without the proxy, in the form of `NO_PROXY`.
    /// - Returns: The options.
    public static func url(_ url: String, bypass: String = "") -> ProxyOptions {
        ProxyOptions(plain: url, secure: url, bypass: bypass)
    }

    /// The options in the current environment of this process; see ``environment(_:)``.
    public static var environment: ProxyOptions { environment(ProcessInfo.processInfo.environment) }

    /// Creates options from environment variables, by curl's rules.
    ///
    /// The variables are `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy`. All but `http_proxy` are also read
    /// in uppercase if the lowercase one is empty or not set; `HTTP_PROXY` is ignored because a web server may set it
    /// from a request's header field. `no_proxy` is a list separated by commas: `*` for all hosts, domain names,
    /// which include their subdomains, addresses, and networks such as `10.0.0.0/8`.
    ///
    /// - Parameter variables: The variables.
    /// - Returns: The options.
    public static func environment(_ variables: [String: String]) -> ProxyOptions {
        // An empty variable counts as not set, so that the other spelling is read.
        func exact(_ name: String) -> String? { variables[name].flatMap { $0.isEmpty ? nil : $0 } }
        func either(_ name: String) -> String? { exact(name) ?? exact(name.uppercased()) }
        let all = either("all_proxy")
        return ProxyOptions(
            plain: exact("http_proxy") ?? all, secure: either("https_proxy") ?? all, bypass: either("no_proxy") ?? "")
    }

    /// Returns the proxy for a host; `nil` to connect directly, or as the system chooses.
    package func proxy(for host: String, isSecure: Bool) throws(InvalidRouteError) -> Proxy? {
        guard let url = isSecure ? secure : plain, !bypass.contains(host) else { return nil }
        return try Proxy(url)
    }
}

extension ProxyOptions: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The proxies, without credentials; `system` for ``system``.
    public var description: String {
        isSystem
            ? "system" : [plain, secure].compactMap { $0.map(RedactedURL.withoutCredentials) }.joined(separator: ", ")
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// The same as ``description``.
    public var customMirror: Mirror { Mirror(self, children: ["proxies": description]) }
}
