// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// Which proxy a request goes through.
public struct ProxyOptions: Sendable, Hashable {
    /// The URL of the proxy for `http`, and for `https`.
    private var plain: String?
    private var secure: String?
    /// The hosts that are reached without one.
    private var bypass: ProxyBypass

    private init(plain: String?, secure: String?, bypass: String) {
        self.plain = plain
        self.secure = secure
        self.bypass = ProxyBypass(bypass)
    }

    /// No proxy.
    public static let none = ProxyOptions(plain: nil, secure: nil, bypass: "")

    /// One proxy for all requests but those to some hosts.
    ///
    /// - Parameters:
    ///   - url: `http://`, `https://`, `socks5://` or `socks5h://` with a host, a port (1080 where there is none, 443 with
    ///     `https`), and a user's name and password before the host where the proxy wants them. With `socks5h` the proxy
    ///     looks the host's name up.
    ///   - bypass: The hosts that are reached without it, as `NO_PROXY` has them.
    /// - Returns: The options.
    public static func url(_ url: String, bypass: String = "") -> ProxyOptions {
        ProxyOptions(plain: url, secure: url, bypass: bypass)
    }

    /// What this process's environment says now; see ``environment(_:)``.
    public static var environment: ProxyOptions { environment(ProcessInfo.processInfo.environment) }

    /// What an environment says, by curl's rules.
    ///
    /// `http_proxy` (in lower case only, as a web server may set `HTTP_PROXY` from a request's field), `https_proxy`,
    /// `all_proxy` and `no_proxy`, these also in upper case, where the one in lower case is empty or
    /// not there. `no_proxy` is a list with commas: `*` for all hosts, names that stand for what is below them, too, addresses,
    /// and networks such as `10.0.0.0/8`.
    ///
    /// - Parameter variables: The variables.
    /// - Returns: The options.
    public static func environment(_ variables: [String: String]) -> ProxyOptions {
        // One that is empty is as one that is not there, so that the other spelling is looked at.
        func exact(_ name: String) -> String? { variables[name].flatMap { $0.isEmpty ? nil : $0 } }
        func either(_ name: String) -> String? { exact(name) ?? exact(name.uppercased()) }
        let all = either("all_proxy")
        return ProxyOptions(
            plain: exact("http_proxy") ?? all, secure: either("https_proxy") ?? all, bypass: either("no_proxy") ?? "")
    }

    /// The proxy for a host.
    package func proxy(for host: String, isSecure: Bool) throws(InvalidRoute) -> Proxy? {
        guard let url = isSecure ? secure : plain, !bypass.contains(host) else { return nil }
        return try Proxy(url)
    }
}

extension ProxyOptions: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The proxies, without credentials.
    public var description: String {
        [plain, secure].compactMap { $0.map(ShownURL.withoutCredentials) }.joined(separator: ", ")
    }

    /// As ``description``.
    public var debugDescription: String { description }

    /// As ``description``.
    public var customMirror: Mirror { Mirror(self, children: ["proxies": description]) }
}
