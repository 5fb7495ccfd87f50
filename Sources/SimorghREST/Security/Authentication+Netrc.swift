// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
public import SimorghCore
import SimorghSupport

extension Authentication {
    /// Authenticates each request with the user name and the password that a `.netrc` file has for exactly its host
    /// (RFC 7617, Basic).
    ///
    /// A host without an entry gets no credentials, and neither does any host from the `default` entry. A redirect to
    /// another origin loses them, even if the file has an entry for it: a server would decide which password is sent.
    ///
    /// - Parameters:
    ///   - netrc: The file.
    ///   - overPlainHTTP: True to send passwords over `http`, too, as curl does. Default: `false`, over `http` only to
    ///     this machine.
    /// - Returns: The authentication.
    public static func netrc(_ netrc: Netrc, overPlainHTTP: Bool = false) -> Authentication {
        Authentication("netrc") { .netrc(netrc, overPlainHTTP: overPlainHTTP) }.everywhere()
    }
}

extension Interceptor {
    fileprivate static func netrc(_ netrc: Netrc, overPlainHTTP: Bool) -> Interceptor {
        Interceptor { request, next in
            guard let machine = netrc.machine(for: request, overPlainHTTP: overPlainHTTP) else {
                return try await next(request)
            }
            let basic = Interceptor.basic(username: machine.login ?? "", password: machine.password ?? "")
            return try await basic.handle(request, next)
        }
    }
}

extension Netrc {
    /// Returns the entry whose password a request may carry; `nil` if the request gets no password.
    package func machine(for request: TransportRequest, overPlainHTTP: Bool) -> Machine? {
        guard let origin = try? CookieOrigin(request), origin.isTrustworthy || overPlainHTTP else { return nil }
        let machine = machine(for: origin.host)
        return machine?.login == nil && machine?.password == nil ? nil : machine
    }
}
