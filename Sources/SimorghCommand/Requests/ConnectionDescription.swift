// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
package import Simorgh
import SimorghSupport

/// The connection settings of a request.
package struct ConnectionDescription: Sendable, Equatable {
    /// The files of the client's certificate.
    package struct Identity: Sendable, Equatable {
        package var certificate: String
        package var key: String?
        package var passphrase: String?
        /// True if the file is a PKCS #12 archive, with the certificate and its key.
        package var isArchive = false
    }

    package var identity: Identity?
    /// The pins, as given.
    package var pins: [String] = []
    package var minimumTLS = TLSOptions.Version.tls12
    package var maximumTLS = TLSOptions.Version.tls13

    /// The addresses by `host:port`.
    package var addresses: [String: [String]] = [:]
    /// The URL of the DNS server over HTTPS; `nil` for the system's resolver.
    package var dnsOverHTTPS: String?
    package var unixSocket: String?
    package var interface: String?
    /// The proxy's URL; empty for no proxy, `nil` for the environment's.
    package var proxy: String?
    /// `name:password`.
    package var proxyUser: String?
    package var noProxy: String?

    package init() {}

    /// Returns the route options.
    package func route(_ environment: [String: String]) -> RouteOptions {
        var route = RouteOptions()
        route.addresses = addresses
        route.unixSocket = unixSocket
        route.localAddress = interface
        if let proxy {
            // As in curl, an empty variable counts as unset; an empty --noproxy overrides both variables.
            let variable = ["no_proxy", "NO_PROXY"].compactMap { environment[$0] }.first { !$0.isEmpty }
            route.proxy = proxy.isEmpty ? .none : .url(proxyURL(proxy), bypass: noProxy ?? variable ?? "")
        } else {
            var environment = environment
            if let noProxy { (environment["no_proxy"], environment["NO_PROXY"]) = (noProxy, nil) }
            route.proxy = .environment(environment)
        }
        return route
    }

    /// Returns the proxy's URL with the user name and password in it.
    private func proxyURL(_ proxy: String) -> String {
        guard let proxyUser else { return proxy }
        let parts = proxyUser.cut(at: ":", atMost: 1).map(String.init)
        let user = parts.map { PercentEncoding.encoded($0, keeping: .unreserved) }.joined(separator: ":")
        let bare = proxy.firstRange(of: "://").map { ($0.lowerBound, $0.upperBound) }
        guard let (end, start) = bare else { return "http://\(user)@\(proxy)" }
        let host = proxy[start...]
        return "\(proxy[..<end])://\(user)@\(host.lastIndex(of: "@").map { host[host.index(after: $0)...] } ?? host)"
    }

    /// The pins for any host, of the server's own key as in curl; `nil` without pins.
    package var pinning: TLSPins? {
        guard !pins.isEmpty else { return nil }
        var pinning = TLSPins(host: "*", keys: pins, needsBackup: false)
        pinning.appliesToServerKeyOnly = true
        return pinning
    }

    /// Applies the settings to TLS options.
    package func apply(to tls: inout TLSOptions) {
        if let identity, identity.isArchive {
            tls.identity = TLSIdentity(pkcs12: .file(identity.certificate), passphrase: identity.passphrase ?? "")
        } else if let identity {
            tls.identity = TLSIdentity(
                certificates: .file(identity.certificate), key: identity.key.map { .file($0) },
                passphrase: identity.passphrase)
        }
        if let pinning { tls.pins = [pinning] }
        tls.minimumVersion = minimumTLS
        tls.maximumVersion = maximumTLS
    }

    /// The settings as arguments for curl.
    package var curlArguments: [String] {
        var arguments: [String] = []
        if let identity {
            let file = identity.certificate.replacing("\\", with: "\\\\").replacing(":", with: "\\:")
            arguments += ["--cert", file + (identity.passphrase.map { ":\($0)" } ?? "")]
            if identity.isArchive { arguments += ["--cert-type", "P12"] }
            if let key = identity.key { arguments += ["--key", key] }
        }
        if !pins.isEmpty {
            let hashes = pins.map { pin in
                // The hash has 44 characters, and may begin with a slash.
                "sha256//" + pin.suffix(44)
            }
            arguments += ["--pinnedpubkey", hashes.joined(separator: ";")]
        }
        if minimumTLS == .tls13 { arguments.append("--tlsv1.3") }
        if maximumTLS == .tls12 { arguments += ["--tls-max", "1.2"] }
        for (hostAndPort, addresses) in addresses.sorted(by: { $0.key < $1.key }) {
            let list = addresses.map { $0.contains(":") ? "[\($0)]" : $0 }.joined(separator: ",")
            arguments += ["--resolve", "\(hostAndPort):\(list)"]
        }
        if let dnsOverHTTPS { arguments += ["--doh-url", dnsOverHTTPS] }
        if let unixSocket { arguments += ["--unix-socket", unixSocket] }
        if let interface { arguments += ["--interface", interface] }
        if let proxy { arguments += ["--proxy", proxy] }
        if let proxyUser { arguments += ["--proxy-user", proxyUser] }
        if let noProxy { arguments += ["--noproxy", noProxy] }
        return arguments
    }
}
#endif
