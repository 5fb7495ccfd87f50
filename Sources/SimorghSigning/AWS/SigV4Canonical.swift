// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// The canonical forms of the parts of a request (AWS Signature Version 4).
enum SigV4Canonical {
    private static let pathBytes = ByteSet.unreserved.union(ByteSet("/"))
    private static let digits = Array("0123456789ABCDEF".utf8)

    /// Header fields that proxies and servers on the way may change, or that the transport sets later.
    private static let unsigned: Set<String> = [
        "accept-encoding", "authorization", "baggage", "cdn-loop", "connection", "content-length", "expect",
        "forwarded", "keep-alive", "priority", "proxy-authorization", "proxy-connection", "te", "traceparent",
        "tracestate", "trailer", "transfer-encoding", "upgrade", "user-agent", "via", "x-amzn-trace-id",
        "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto",
    ]

    /// Returns the signed fields, sorted by their names in lowercase; values of the same name are joined.
    static func fields(of message: SigV4.Message) -> [(name: String, value: String)] {
        var values: [String: [String]] = [:]
        for field in message.fields {
            let name = field.name.lowercased()
            guard message.signsAllFields || !unsigned.contains(name) else { continue }
            values[name, default: []].append(collapsed(field.value))
        }
        return values.sorted { $0.key < $1.key }.map {
            // Cookies are sent as one line (RFC 9113, section 8.2.3).
            ($0.key, $0.value.joined(separator: $0.key == "cookie" ? "; " : ","))
        }
    }

    /// Returns a value without white space around it, and with one space in place of each sequence of white space.
    private static func collapsed(_ value: String) -> String {
        let spaces = " \t\r\n".utf8
        return value.utf8.split { spaces.contains($0) }.map { String(Substring($0)) }.joined(separator: " ")
    }

    /// Returns a path as S3 sees it: the name of the object, with each byte other than an unreserved one escaped.
    ///
    /// The server decodes the path first, so `%7e` and `~` are the same; an escaped slash stays one.
    static func keptPath(_ path: Substring) -> String {
        guard !path.isEmpty else { return "/" }
        return path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .map { escaped(PercentEncoding.decoded(Array($0))) }.joined(separator: "/")
    }

    /// Returns a path as other services see it: without empty and dot segments, and escaped once more.
    static func path(_ path: Substring) -> String {
        var segments: [Substring.UTF8View] = []
        for segment in path.utf8.split(separator: UInt8(ascii: "/")) {
            switch Array(segment) {
            case Array(".".utf8): continue
            case Array("..".utf8): segments.removeLast(min(1, segments.count))
            default: segments.append(segment)
            }
        }
        let text = "/" + segments.map { String(Substring($0)) }.joined(separator: "/")
        let isFolder = path.utf8.last == UInt8(ascii: "/") && !segments.isEmpty
        return PercentEncoding.encoded(text + (isFolder ? "/" : ""), keeping: pathBytes)
    }

    /// Returns a query with each name and value decoded and escaped canonically, sorted.
    static func query(_ query: Substring) -> String {
        let items = DecodedQuery.items(query).map { (name: escaped($0.name), value: escaped($0.value)) }
        return items.sorted { ($0.name, $0.value) < ($1.name, $1.value) }
            .map { "\($0.name)=\($0.value)" }.joined(separator: "&")
    }

    private static func escaped(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        for byte in bytes {
            if ByteSet.unreserved.contains(byte) {
                text.append(byte)
            } else {
                text += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
