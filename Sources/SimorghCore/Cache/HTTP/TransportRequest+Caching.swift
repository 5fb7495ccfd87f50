// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Crypto
import HTTPTypes
import SimorghSupport

extension TransportRequest {
    /// True if the cache can identify the resource: not if a GET has a body, if a QUERY has a body that is not in memory,
    /// or if `Host` names another host.
    package var isNamedByURL: Bool { isNamedByURL(with: head.headerFields) }

    /// Returns the same for a request with other fields.
    func isNamedByURL(with fields: HTTPFields) -> Bool {
        if !body.isEmpty, [.get, .head, .query].contains(head.method), queryContent == nil { return false }
        guard fields.contains(HostField.name) else { return true }
        return fields[values: HostField.name] == [head.authority ?? ""]
    }
}

extension TransportRequest {
    /// The content that belongs to the identity of a safe request: none, or that of a QUERY.
    ///
    /// `nil` for a body that is read as it is sent, one with trailers, and the body of another method.
    package var queryContent: Data? {
        if body.isEmpty { return Data() }
        return head.method == .query && body.trailers == nil ? body.bytes : nil
    }

    /// The beginning of ``queryDigest(with:)`` of a QUERY.
    static let queryMark = "\u{0}query "

    /// A digest of the content of a QUERY and its metadata (RFC 10008, section 2.7); empty for other methods.
    func queryDigest(with fields: HTTPFields) -> String {
        guard head.method == .query, let content = queryContent else { return "" }
        var hash = SHA256()
        let metadata = fields.filter { $0.name.canonicalName.hasPrefix("content-") }
        let lines =
            metadata.map { "\($0.name.canonicalName)=\($0.exactText)" }.sorted()
            + [body.contentType ?? "", body.coding?.rawValue ?? ""]
        for part in lines.map({ Data($0.utf8) }) + [content] {
            withUnsafeBytes(of: UInt64(part.count).littleEndian) { hash.update(bufferPointer: $0) }
            hash.update(data: part)
        }
        return Self.queryMark + Hex.encoded(hash.finalize())
    }

    /// A digest of the route and the TLS options that differ from the defaults: with them the same URL may be another
    /// resource.
    package var surroundings: String {
        let hasTLS = head.scheme == "https" && options.tls != TLSOptions()
        // Nearly all requests.
        guard hasTLS || options.route != RouteOptions() else { return "" }
        var parts: [String] = []
        let route = options.route
        if let path = route.unixSocket { parts.append("socket \(path)") }
        for (host, addresses) in route.addresses.sorted(by: { $0.key < $1.key }) {
            parts.append("\(host) at \(addresses.joined(separator: ","))")
        }
        // A proxy may change an unencrypted response; TLS authenticates the server of an encrypted one.
        if head.scheme == "http", let proxy = plainProxy {
            parts.append("through \(proxy.kind) \(proxy.host):\(proxy.port) as \(proxy.user ?? [])")
        }
        if hasTLS { parts.append(options.tls.surroundings) }
        return parts.isEmpty ? "" : "\u{0}" + CacheVary.hashed(parts.joined(separator: "\n"))
    }

    /// The proxy of an unencrypted request.
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

    /// True if the server's identity may not have been verified.
    package var isUnverified: Bool {
        evaluation?.replacesVerification == true || rules.contains { $0.options.isUnverified }
    }

    /// True if a client certificate may identify the user, which no header field shows.
    package var identifies: Bool { identity != nil || rules.contains { $0.options.identity != nil } }
}

extension TLSTrust {
    /// The trusted roots with the text of the certificates, which descriptions leave out.
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
