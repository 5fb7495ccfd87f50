// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes

extension Interceptor {
    /// Adds the stored cookies to each request, and stores the cookies that the response sets; `nil` without a cookie
    /// store.
    static func cookies(_ configuration: APIClient.Configuration) -> Interceptor? {
        guard let store = configuration.cookies else { return nil }
        let time = configuration.time
        return Interceptor { request, next in
            guard let origin = try? CookieOrigin(request) else { return try await next(request) }
            var request = request
            let own = Array(
                request.head.headerFields[fields: .cookie].map { $0.withUnsafeBytesOfValue { Array($0) } }
                    .joined(separator: "; ".utf8))
            let names = CookieText.names(of: own)
            let isSafe = RequestMethod(rawValue: request.head.method.rawValue).isSafe
            let isCrossSite = request.options.userInfo[RedirectTrail.self].contains { url in
                (try? CookieOrigin(url).site) != origin.site
            }
            let sent = await store.withJar { jar in
                jar.header(for: origin, isSafe: isSafe, isCrossSite: isCrossSite, without: names, at: time.now)
            }
            if let sent {
                // Kept as one field: assigning a plain value would split it into several fields.
                let value = own.isEmpty ? sent : own + Array("; ".utf8) + sent
                request.head.headerFields[fields: .cookie] = [HTTPField(name: .cookie, value: value)]
            }
            let response = try await next(request)
            await store.store(cookiesOf: response, from: origin, at: time)
            return response
        }
    }
}

extension CookieStore {
    /// Stores the cookies that a response sets.
    package func store(cookiesOf response: TransportResponse, from origin: CookieOrigin, at time: TimeSource) async {
        // A cached response set its cookies when it was received; they may have been changed or removed since.
        let fields = response.receivedCookies ?? response.head.headerFields.filter { $0.name == .setCookie }
        guard !fields.isEmpty else { return }
        // HTTP/2 passes fields as text, in which U+FFFD replaces invalid bytes: the cookie would be sent back changed.
        let isText = response.connection?.applicationProtocol.hasPrefix("h2") ?? false
        await withJar { jar in
            for field in fields where !isText || !field.value.unicodeScalars.contains("\u{FFFD}") {
                _ = jar.receive(field.withUnsafeBytesOfValue { Array($0) }, from: origin, at: time.now)
            }
        }
    }
}

/// Parses the request's own `Cookie` field.
private enum CookieText {
    static func names(of field: [UInt8]) -> Set<[UInt8]> {
        var names: Set<[UInt8]> = []
        for pair in field.split(separator: UInt8(ascii: ";")) {
            if let end = pair.firstIndex(of: UInt8(ascii: "=")) {
                names.insert(pair[..<end].filter { $0 != 0x20 && $0 != 0x09 })
            }
        }
        return names
    }
}
