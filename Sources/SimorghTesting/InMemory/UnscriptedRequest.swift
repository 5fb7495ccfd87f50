// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghCore

/// A request reached a ``StubServer`` or a ``MockServer`` that no rule of it answers.
public struct UnscriptedRequest: Error, Sendable, CustomStringConvertible {
    /// What was asked.
    public let request: RecordedRequest
    /// The rules there are, one line each.
    public let rules: [String]
    /// The rule that came nearest and why it is not meant; `nil` where none comes near.
    public let nearest: String?

    /// What was asked, what came nearest, and what would have been answered.
    ///
    /// Of the URL's query it tells the names alone, as what they stand for may be a key.
    public var description: String {
        let asked = "no scripted answer for \(request.shown)"
        guard !rules.isEmpty else { return "\(asked); the transport has no rules" }
        let hint = nearest.map { "; the nearest is \($0)" } ?? ""
        let list = rules.enumerated().map { "\($0.offset + 1). \($0.element)" }.joined(separator: ", ")
        return "\(asked)\(hint); the rules are \(list)"
    }
}

extension TransportError {
    /// The failure of a request that nothing is scripted for.
    package init(_ unmatched: UnscriptedRequest) {
        self.init(
            .unsupportedURL, phase: .head, message: unmatched.description, requestMayHaveBeenSent: false,
            underlying: unmatched)
    }
}
