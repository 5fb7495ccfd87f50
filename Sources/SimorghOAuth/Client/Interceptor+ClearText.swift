// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghCore

extension Interceptor {
    /// Returns a step that refuses requests that are not encrypted and leave this machine.
    ///
    /// It considers the route: `http` to this machine can go through a proxy, or to another address.
    ///
    /// - Parameter name: The name of the URL, for the error.
    /// - Returns: The step.
    static func refusingClearText(_ name: String) -> Interceptor {
        Interceptor { request, next in
            guard try CookieOrigin(request).isTrustworthy else {
                throw OAuthError.insecureURL(name, "the route would send secrets in clear text")
            }
            return try await next(request)
        }
    }
}

extension Authentication {
    /// Returns the same credentials for all origins, which are never sent in clear text to another machine.
    ///
    /// - Returns: The authentication.
    package func refusingClearText() -> Authentication {
        let inner = everywhere()
        return Authentication("\(self)") {
            let (check, step) = (Interceptor.refusingClearText("URL of the request"), inner.step())
            return Interceptor { request, next in
                try await check.handle(request) { request in try await step.handle(request, next) }
            }
        }
    }
}
