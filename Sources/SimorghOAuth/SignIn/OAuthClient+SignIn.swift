// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore
import SimorghSupport

/// The options of a sign-in with a browser on this machine.
public struct LoopbackOptions: Sendable, Hashable {
    /// The port of the redirect on 127.0.0.1.
    ///
    /// Default: 0, any free port, which servers must allow (RFC 8252, section 7.3).
    public var port: UInt16 = 0
    /// The path of the redirect.
    ///
    /// Default: `/callback`.
    public var path = "/callback"
    /// The time in which the user must sign in, which includes opening the browser.
    ///
    /// Default: 5 minutes.
    public var timeout = Duration.seconds(300)

    /// Creates the default options.
    public init() {}
}

extension OAuthClient {
    /// Signs a user in with a browser on this machine (RFC 8252), for a command-line program or a desktop app.
    ///
    /// ```swift
    /// let token = try await oauth.signIn(scopes: ["birds"]) { url in
    ///     print("Open \(url)")
    /// }
    /// ```
    /// A listener on 127.0.0.1 receives the redirect. It accepts GET requests with this path and this host, ends with the
    /// first redirect that has the `state` of the sign-in, and shows the browser nothing of it. Other requests get an error
    /// page; if there was one, a sign-in that is not completed in time ends with
    /// ``OAuthError/Reason-swift.enum/stateMismatch``. A server that leaves the `state` out of an error, against the
    /// standard, therefore ends the sign-in only at its time limit.
    ///
    /// The redirect goes to `http://127.0.0.1:PORT/callback`. A server that accepts only `http://localhost`, or an address
    /// of IPv6, cannot be used with this method.
    ///
    /// - Parameters:
    ///   - scopes: The requested scopes.
    ///   - parameters: Further items of the query, such as `login_hint`.
    ///   - options: The port, the path and the time limit.
    ///   - open: Opens a URL in the browser; the listener is open already. Pass it to a program as one argument, never to a
    ///     shell. If it is still running when the sign-in ends, its task is cancelled. It runs beside the listener, so a
    ///     program that is started at the moment of a connection can inherit the connection.
    /// - Returns: The tokens.
    /// - Throws: ``OAuthError``, or the error of `open`; a cancelled task throws `CancellationError`.
    public func signIn(
        scopes: [String] = [], parameters: [QueryItem] = [], options: LoopbackOptions = LoopbackOptions(),
        open: @escaping @Sendable (_ url: String) async throws -> Void
    ) async throws -> OAuthToken {
        guard options.path.hasPrefix("/") else {
            throw OAuthError.insecureURL("path of the redirect", "it must begin with a slash")
        }
        guard PercentEncoding.firstIllegal(in: options.path.utf8[...], keeping: .path) == nil else {
            throw OAuthError.insecureURL("path of the redirect", "it has a character that a path must percent-encode")
        }
        let listener = try LoopbackListener(port: options.port)
        let request = try authorizationRequest(
            redirectURI: "http://127.0.0.1:\(listener.port)\(options.path)", scopes: scopes, parameters: parameters)
        let opening = Task {
            do {
                try await open(request.url)
            } catch {
                listener.fail(with: error)
            }
        }
        defer { opening.cancel() }
        let server = server
        let target = try await listener.redirect(to: options.path, within: options.timeout, time: time) { target in
            guard let response = try? AuthorizationResponse(target) else { return .foreign(error: nil) }
            guard response.belongs(to: request) else { return .foreign(error: response.claimedError) }
            do throws(OAuthError) {
                _ = try response.code(for: request, of: server)
                return .valid
            } catch {
                // An error of the server, such as a denial, belongs to the sign-in, too.
                return error.code != nil ? .valid : .invalid
            }
        }
        return try await token(for: request, redirectedTo: target)
    }
}
