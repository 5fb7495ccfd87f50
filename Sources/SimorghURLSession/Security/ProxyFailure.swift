// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghCore

/// The errors of CFNetwork for proxies, which are not errors of `URLError`.
package enum ProxyFailure {
    /// The value of `kCFErrorDomainCFNetwork`, which only Apple platforms have.
    private static let domain = "kCFErrorDomainCFNetwork"

    /// The sentences by code.
    ///
    /// https://developer.apple.com/documentation/cfnetwork/cfnetworkerrors
    private static let messages: [Int: String] = [
        100: "the SOCKS proxy does not know this client's version",
        101: "the SOCKS proxy has an unsupported version",
        120: "the SOCKS proxy's response is malformed",
        121: "the SOCKS proxy rejected the user name or the password",
        122: "the SOCKS proxy requires an unsupported authentication",
        123: "the SOCKS proxy accepts none of the authentication methods",
        306: "the connection to the HTTP proxy failed",
        307: "the HTTP proxy rejected the user name or the password",
        308: "the proxy auto-configuration file (PAC) cannot be used",
        309: "the server of the proxy auto-configuration file (PAC) requires credentials",
        310: "the connection to the HTTPS proxy failed",
        311: "the HTTPS proxy rejected the CONNECT request",
    ]

    /// Returns the error of a proxy that did not connect to the server; `nil` for any other error.
    package static func error(_ error: any Error) -> TransportError? {
        // The code may be in the cause of a `URLError`.
        let causes = [error, (error as? URLError)?.errorUserInfo[NSUnderlyingErrorKey] as? any Error].compactMap(\.self)
        // The domain and the code of an NSError.
        guard let cause = causes.first(where: { $0._domain == domain }), let message = messages[cause._code] else {
            return nil
        }
        let text = "\(message) (CFNetwork \(cause._code))"
        return TransportError(
            .cannotConnectToHost, phase: .connect, message: text, requestMayHaveBeenSent: false,
            underlying: ProxyError(proxy: "the session's proxy", message: text))
    }
}
