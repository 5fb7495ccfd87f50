// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghCore

/// An error for a request that no rule of a ``StubServer`` or a ``MockServer`` matches.
public struct UnmatchedRequestError: Error, Sendable, CustomStringConvertible {
    /// The request.
    public let request: RecordedRequest
    /// The existing rules, one line each.
    public let rules: [String]
    /// The nearest rule, and why it does not match; `nil` if no rule comes near.
    public let nearest: String?

    /// The request, the nearest rule, and the list of rules.
    ///
    /// Of the URL's query only the names are shown, because a value may be a key.
    public var description: String {
        let summary = "no scripted answer for \(request.shown)"
        guard !rules.isEmpty else { return "\(summary); the transport has no rules" }
        let hint = nearest.map { "; the nearest is \($0)" } ?? ""
        let list = rules.enumerated().map { "\($0.offset + 1). \($0.element)" }.joined(separator: ", ")
        return "\(summary)\(hint); the rules are \(list)"
    }
}

extension TransportError {
    /// Creates the error for a request without a rule.
    package init(_ unmatched: UnmatchedRequestError) {
        self.init(
            .unsupportedURL, phase: .head, message: unmatched.description, requestMayHaveBeenSent: false,
            underlying: unmatched)
    }
}
