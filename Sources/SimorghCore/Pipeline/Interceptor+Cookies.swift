// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes

extension Interceptor {
    /// Sends the cookies that belong to a URL, and keeps those that it sets.
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
                // One field: assigned as a value, it would be cut apart.
                let value = own.isEmpty ? sent : own + Array("; ".utf8) + sent
                request.head.headerFields[fields: .cookie] = [HTTPField(name: .cookie, value: value)]
            }
            let response = try await next(request)
            await store.keep(cookiesOf: response, from: origin, at: time)
            return response
        }
    }
}

extension CookieStore {
    /// Keeps the cookies that a server has just set.
    package func keep(cookiesOf response: TransportResponse, from origin: CookieOrigin, at time: TimeSource) async {
        // What is stored set its cookies when it came; since then they may have been changed, or removed.
        let fields = response.receivedCookies ?? response.head.headerFields.filter { $0.name == .setCookie }
        guard !fields.isEmpty else { return }
        // HTTP/2 gives fields as text, in which U+FFFD stands for bytes that are lost: it would go back changed.
        let isText = response.connection?.applicationProtocol.hasPrefix("h2") ?? false
        await withJar { jar in
            for field in fields where !isText || !field.value.unicodeScalars.contains("\u{FFFD}") {
                _ = jar.receive(field.withUnsafeBytesOfValue { Array($0) }, from: origin, at: time.now)
            }
        }
    }
}

/// What a request's own `Cookie` field says.
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
