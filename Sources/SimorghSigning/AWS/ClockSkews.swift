// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import SimorghSupport
import Synchronization

/// The differences between the clocks of servers and that of this machine, learned from rejected signatures.
final class ClockSkews: Sendable {
    /// The smallest difference that is corrected; servers accept 5 to 15 minutes.
    private static let minimum: TimeInterval = 4 * 60
    /// The largest difference that is corrected.
    private static let maximum: TimeInterval = 24 * 3600
    /// The largest number of origins with a difference.
    private static let maximumOrigins = 64

    /// The texts in responses that mean a rejected date.
    private static let codes = [
        "RequestTimeTooSkewed", "RequestExpired", "RequestInTheFuture", "Signature expired",
        "Signature not yet current",
        "InvalidSignatureException", "SignatureDoesNotMatch", "AuthFailure",
    ]

    private let offsets = Mutex(OriginLRU<TimeInterval>(capacity: maximumOrigins))

    /// Returns the number of seconds to add to the date of this machine for a server.
    func offset(for head: HTTPRequest) -> TimeInterval {
        offsets.withLock { $0.update(head.origin, default: { 0 }) { $0 } }
    }

    /// Learns the difference to the clock of a server from its rejection.
    ///
    /// - Parameters:
    ///   - head: The head of the request.
    ///   - rejection: The response.
    ///   - date: The date of this machine.
    /// - Returns: True if a signature with the new difference may be accepted.
    func correct(for head: HTTPRequest, after rejection: SignatureRejection, at date: Date) -> Bool {
        guard rejection.isTrustworthy, isAboutDate(rejection, method: head.method),
            let text = rejection.headerFields[.date], let server = HTTPDate.parse(text, now: date)
        else { return false }
        let offset = server.timeIntervalSince(date)
        guard abs(offset) <= Self.maximum else { return false }
        return offsets.withLock {
            $0.update(head.origin, default: { 0 }) { current in
                guard abs(offset - current) >= Self.minimum else { return false }
                current = offset
                return true
            }
        }
    }

    private func isAboutDate(_ rejection: SignatureRejection, method: HTTPRequest.Method) -> Bool {
        // A response to HEAD has no body that could name the reason.
        if method == .head { return true }
        let type = HTTPField.Name("x-amzn-errortype").flatMap { rejection.headerFields[$0] } ?? ""
        let text = type + String(decoding: rejection.body.prefix(16 * 1024), as: UTF8.self)
        return Self.codes.contains { text.contains($0) }
    }
}
