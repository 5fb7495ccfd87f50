// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import SimorghRealtime
import SimorghSupport

extension TransportRequest {
    /// Returns the request with its Unix socket as the route, if its host is the path of one; the host becomes
    /// `localhost`.
    ///
    /// The path cannot be the host name: servers reject a `Host` with a percent sign, and no certificate is for it.
    ///
    /// - Returns: The request; changed only if its scheme is `http+unix` or `https+unix`.
    /// - Throws: `TransportError` if the host is not a percent-encoded path.
    func onUnixSocket() throws(TransportError) -> TransportRequest {
        guard let scheme = head.scheme, UnixSocketURL.isUnixSocket(scheme) else { return self }
        guard let path = UnixSocketURL.path(of: head.authority ?? "") else {
            throw .invalid(.invalidURL, message: "the URL's host is not a percent-encoded path of a Unix socket")
        }
        var request = self
        request.head.scheme = String(scheme.dropLast("+unix".count))
        request.head.authority = "localhost"
        request.options.route.unixSocket = path
        return request
    }
}
