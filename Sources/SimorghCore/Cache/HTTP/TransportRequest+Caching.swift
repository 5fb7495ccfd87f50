// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes

extension TransportRequest {
    /// Whether the URL says what is asked for: not where a GET has a body, or a `Host` field of its own names another host.
    package var isNamedByURL: Bool { isNamedByURL(with: head.headerFields) }

    /// The same for a request with other fields.
    func isNamedByURL(with fields: HTTPFields) -> Bool {
        if !body.isEmpty, head.method == .get || head.method == .head { return false }
        guard fields.has(HostField.name) else { return true }
        return fields[values: HostField.name] == [head.authority ?? ""]
    }
}

extension TransportRequest {
    /// Where the request goes and whom it trusts, where that is not what everybody's does: the same URL may be another thing.
    package var surroundings: String {
        let hasTLS = head.scheme == "https" && options.tls != TLSOptions()
        // As nearly every request.
        guard hasTLS || options.route != RouteOptions() else { return "" }
        var parts: [String] = []
        let route = options.route
        if let path = route.unixSocket { parts.append("socket \(path)") }
        for (host, addresses) in route.addresses.sorted(by: { $0.key < $1.key }) {
            parts.append("\(host) at \(addresses.joined(separator: ","))")
        }
        // What is in the clear may be another thing behind a proxy; what is not, the server vouches for.
        if head.scheme == "http", let proxy = plainProxy {
            parts.append("through \(proxy.kind) \(proxy.host):\(proxy.port) as \(proxy.user ?? [])")
        }
        if hasTLS { parts.append(options.tls.surroundings) }
        return parts.isEmpty ? "" : "\u{0}" + CacheVary.hashed(parts.joined(separator: "\n"))
    }

    /// The proxy that a request in the clear takes.
    private var plainProxy: Proxy? {
        guard options.route.unixSocket == nil,
            let parts = try? URLParts(urlString, schemes: BaseURL.httpSchemes)
        else { return nil }
        return try? options.route.proxy.proxy(for: parts.host.lowercased(), isSecure: false)
    }
}

extension TLSOptions {
    fileprivate var surroundings: String {
        let shown = rules.map { "\($0.host): \($0.options.surroundings)" }
        return "\(trust.surroundings) \(additionalRoots) \(serverName ?? "") \(pins.map { ($0.host, $0.keys) }) "
            + "\(evaluation.map { String($0.number) } ?? "") \(shown)"
    }

    /// Whether nobody may have looked at whom the server is.
    package var isUnverified: Bool {
        evaluation?.replacesVerification == true || rules.contains { $0.options.isUnverified }
    }

    /// Whether a certificate may tell the server who asks, which no field of the request shows.
    package var identifies: Bool { identity != nil || rules.contains { $0.options.identity != nil } }
}

extension TLSTrust {
    /// Whom it trusts, with the text of certificates, which what is shown of a value leaves out: they would all be one.
    fileprivate var surroundings: String {
        switch self {
        case .system: "system"
        case .systemAnd(let roots): "system and \(roots.map(\.surroundings))"
        case .only(let roots): "only \(roots.map(\.surroundings))"
        }
    }
}

extension PEMSource {
    fileprivate var surroundings: String {
        switch self {
        case .text(let text): "text \(text)"
        case .file(let path): "file \(path)"
        }
    }
}
