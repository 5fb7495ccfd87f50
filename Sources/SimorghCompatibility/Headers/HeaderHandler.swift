// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import Synchronization

/// A builder for the headers of a request.
///
/// ```swift
/// let headers = HeaderHandler.shared
///     .addAuthorizationHeader(type: .bearer(token: "your-token"))
///     .addAcceptHeaders(type: .applicationJson)
///     .build()
/// ```
/// Names are lowercased. An invalid name or value is rejected when the request is made.
public final class HeaderHandler: Sendable {
    private let headers = Mutex<[String: String]>([:])

    /// Creates a builder without headers.
    public init() {}

    /// A new builder for each access, so that concurrent callers never mix their headers.
    public static var shared: HeaderHandler { HeaderHandler() }

    /// Sets the media type of the body.
    ///
    /// - Parameter type: The media type.
    /// - Returns: The builder.
    @discardableResult
    public func addContentTypeHeader(type: ContentTypeHeaders) -> HeaderHandler {
        addCustomHeader(name: ContentTypeHeaders.name, value: type.value)
    }

    /// Sets the connection option.
    ///
    /// - Parameter type: The option.
    /// - Returns: The builder.
    @discardableResult
    public func addConnectionHeader(type: ConnectionHeaders) -> HeaderHandler {
        addCustomHeader(name: ConnectionHeaders.name, value: type.value)
    }

    /// Sets the media types that the client accepts.
    ///
    /// - Parameter type: The media types.
    /// - Returns: The builder.
    @discardableResult
    public func addAcceptHeaders(type: AcceptHeaders) -> HeaderHandler {
        addCustomHeader(name: AcceptHeaders.name, value: type.value)
    }

    /// Sets the languages that the client prefers.
    ///
    /// - Parameter type: The languages.
    /// - Returns: The builder.
    @discardableResult
    public func addAcceptLanguageHeaders(type: AcceptLanguageHeaders) -> HeaderHandler {
        addCustomHeader(name: AcceptLanguageHeaders.name, value: type.value)
    }

    /// Sets the content codings that the client can decode.
    ///
    /// - Parameter type: The content codings.
    /// - Returns: The builder.
    @discardableResult
    public func addAcceptEncodingHeaders(type: AcceptEncodingHeaders) -> HeaderHandler {
        addCustomHeader(name: AcceptEncodingHeaders.name, value: type.value)
    }

    /// Sets the credential.
    ///
    /// - Parameter type: The scheme and the credential.
    /// - Returns: The builder.
    @discardableResult
    public func addAuthorizationHeader(type: AuthorizationType) -> HeaderHandler {
        addCustomHeader(name: AuthorizationType.name, value: type.value)
    }

    /// Sets a header; it replaces one of the same name.
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

    /// Returns the headers, and empties the builder.
    ///
    /// - Returns: The headers by their lowercase names.
    public func build() -> [String: String] {
        headers.withLock { headers in
            defer { headers = [:] }
            return headers
        }
    }
}
