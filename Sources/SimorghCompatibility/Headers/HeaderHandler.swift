// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import Synchronization

/// Builds the headers of a request, one call after the other.
///
/// ```swift
/// let headers = HeaderHandler.shared
///     .addAuthorizationHeader(type: .bearer(token: "your-token"))
///     .addAcceptHeaders(type: .applicationJson)
///     .build()
/// ```
/// Names are written in small letters. What no header may hold is refused when the request is made.
public final class HeaderHandler: Sendable {
    private let headers = Mutex<[String: String]>([:])

    /// Creates a builder without headers.
    public init() {}

    /// A new builder at each call, so that two threads never mix their headers.
    public static var shared: HeaderHandler { HeaderHandler() }

    /// Says what the body is.
    ///
    /// - Parameter type: The media type.
    /// - Returns: The builder.
    @discardableResult
    public func addContentTypeHeader(type: ContentTypeHeaders) -> HeaderHandler {
        addCustomHeader(name: ContentTypeHeaders.name, value: type.value)
    }

    /// Says what becomes of the connection.
    ///
    /// - Parameter type: The option.
    /// - Returns: The builder.
    @discardableResult
    public func addConnectionHeader(type: ConnectionHeaders) -> HeaderHandler {
        addCustomHeader(name: ConnectionHeaders.name, value: type.value)
    }

    /// Says which media types are wanted.
    ///
    /// - Parameter type: The media types.
    /// - Returns: The builder.
    @discardableResult
    public func addAcceptHeaders(type: AcceptHeaders) -> HeaderHandler {
        addCustomHeader(name: AcceptHeaders.name, value: type.value)
    }

    /// Says which languages are wanted.
    ///
    /// - Parameter type: The languages.
    /// - Returns: The builder.
    @discardableResult
    public func addAcceptLanguageHeaders(type: AcceptLanguageHeaders) -> HeaderHandler {
        addCustomHeader(name: AcceptLanguageHeaders.name, value: type.value)
    }

    /// Says which content codings are understood.
    ///
    /// - Parameter type: The content codings.
    /// - Returns: The builder.
    @discardableResult
    public func addAcceptEncodingHeaders(type: AcceptEncodingHeaders) -> HeaderHandler {
        addCustomHeader(name: AcceptEncodingHeaders.name, value: type.value)
    }

    /// Adds a credential.
    ///
    /// - Parameter type: The scheme and the credential.
    /// - Returns: The builder.
    @discardableResult
    public func addAuthorizationHeader(type: AuthorizationType) -> HeaderHandler {
        addCustomHeader(name: AuthorizationType.name, value: type.value)
    }

    /// Adds any header; one of the same name is replaced.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - value: The value.
    /// - Returns: The builder.
    @discardableResult
    public func addCustomHeader(name: String, value: String) -> HeaderHandler {
        headers.withLock { $0[name.lowercased()] = value }
        return self
    }

    /// Hands over the headers, and leaves the builder empty.
    ///
    /// - Returns: The headers by their names in small letters.
    public func build() -> [String: String] {
        headers.withLock { headers in
            defer { headers = [:] }
            return headers
        }
    }
}
