// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghSupport

/// A request needs a feature that `URLSession` does not support here; nothing of it was sent.
///
/// It is the cause of a `TransportError`. The engine supports all of these features but HTTP/3 and `CONNECT`:
/// `import SimorghNIO`, and create the client with `APIClient(transport: NIOTransport.shared)`. On watchOS, which allows
/// no engine, a WebSocket has no other way.
public struct UnsupportedByURLSessionError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The unsupported option, by its name in `TransportOptions` or `RequestBody`; `configuration` for a background
    /// session, and `webSocket` for a WebSocket.
    public let option: String
    /// The reason it is not supported.
    public let reason: String

    /// A sentence with the option and the reason.
    public var description: String { "\(option) is not possible with URLSession: \(reason)" }
}

// Makes `localizedDescription` return the same text as `description`.
extension UnsupportedByURLSessionError: LocalizedError {
    /// The description.
    public var errorDescription: String? { description }
}
