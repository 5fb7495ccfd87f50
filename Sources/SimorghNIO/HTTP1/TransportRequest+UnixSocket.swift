// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import SimorghSupport

extension TransportRequest {
    /// The request as it is sent: one whose host is the path of a Unix socket goes there, to `localhost`.
    ///
    /// The path itself is nobody's name: servers refuse a `Host` with a percent sign in it, and no certificate has one.
    ///
    /// - Returns: The request, changed only where its scheme is `http+unix` or `https+unix`.
    /// - Throws: `TransportError` where the host is no path.
    func onUnixSocket() throws(TransportError) -> TransportRequest {
        guard let scheme = head.scheme, UnixSocketURL.isUnixSocket(scheme) else { return self }
        guard let path = UnixSocketURL.path(of: head.authority ?? "") else {
            throw .invalid(.invalidURL, "the URL's host is no path of a Unix socket, percent-encoded")
        }
        var request = self
        request.head.scheme = String(scheme.dropLast("+unix".count))
        request.head.authority = "localhost"
        request.options.route.unixSocket = path
        return request
    }
}
