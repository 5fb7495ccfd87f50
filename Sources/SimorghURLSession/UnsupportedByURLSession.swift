// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// A request asks for what `URLSession` cannot do here; nothing of it was sent.
///
/// The cause of a `TransportError`. The engine of `import Simorgh` can do all of it.
public struct UnsupportedByURLSession: Error, Sendable, Hashable, CustomStringConvertible {
    /// The option that was set, by its name in `TransportOptions` or `RequestBody`; `configuration` for the session's own.
    public let option: String
    /// Why it cannot be done.
    public let reason: String

    /// Both in a sentence.
    public var description: String { "\(option) is not possible with URLSession: \(reason)" }
}
