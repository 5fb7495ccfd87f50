// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore
import SimorghSupport

/// An error for a name that a ``DNSOverHTTPSResolver`` could not resolve.
public struct DNSOverHTTPSError: Error, Sendable, CustomStringConvertible {
    /// A kind of failure.
    @nonexhaustive
    public enum Reason: Sendable, Hashable {
        /// The name does not exist (NXDOMAIN).
        case nonexistentName
        /// The text is not a name that DNS can resolve.
        case invalidName
        /// The name is that of the DNS server itself, which has no addresses in ``DNSOverHTTPSResolver/Options/bootstrap``.
        case ownName
        /// The server could not resolve the name: SERVFAIL, REFUSED or another response code, in ``responseCode``.
        case serverFailure
        /// The server shortened its answer.
        case truncated
        /// The answer is not a DNS message, or answers another question.
        case invalidAnswer
        /// The server could not be reached, or its HTTP response was not a success; see ``underlying``.
        case unreachable
    }

    /// The kind of failure.
    public let reason: Reason
    /// The name.
    public let host: String
    /// The response code of DNS, such as 2 for SERVFAIL; `nil` if there was no answer.
    public let responseCode: Int?
    /// The error of the HTTP request; `nil` if there was a response.
    public let underlying: NetworkError?
    /// A sentence for a person that describes the failure.
    public let description: String

    init(
        _ reason: Reason, host: String, message: String, responseCode: Int? = nil, underlying: NetworkError? = nil
    ) {
        self.reason = reason
        self.host = host
        self.responseCode = responseCode
        self.underlying = underlying
        description = "\(host): \(message)"
    }

    /// Creates the error of a message that is not an answer.
    init(_ error: DNSMessageError, host: String) {
        switch error {
        case .malformed(let detail):
            self.init(.invalidAnswer, host: host, message: "the DNS server sent an invalid message: \(detail)")
        case .unrelated(let detail):
            self.init(.invalidAnswer, host: host, message: "the DNS server sent \(detail)")
        case .truncated:
            self.init(.truncated, host: host, message: "the DNS server shortened its answer")
        case .failed(let code):
            let name = [1: "FORMERR", 2: "SERVFAIL", 4: "NOTIMP", 5: "REFUSED"][code] ?? "response code \(code)"
            self.init(
                .serverFailure, host: host, message: "the DNS server failed with \(name)", responseCode: code)
        }
    }
}

// With this conformance `localizedDescription` returns the description, both Foundation's property and Simorgh's.
extension DNSOverHTTPSError: LocalizedError {
    /// The description.
    public var errorDescription: String? { description }
}
