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
    /// The time for which a difference is used; after it the clock of this machine counts until the next rejection.
    private static let lifetime: TimeInterval = 3600
    /// The largest number of origins with a difference.
    private static let maximumOrigins = 64

    /// The texts in responses that mean a rejected date.
    private static let codes = [
        "RequestTimeTooSkewed", "RequestExpired", "RequestInTheFuture", "Signature expired",
        "Signature not yet current",
        "InvalidSignatureException", "SignatureDoesNotMatch", "AuthFailure",
    ]

    /// A learned difference; zero if nothing was learned.
    private struct Skew: Sendable {
        var seconds: TimeInterval = 0
        var learned = Date.distantPast
    }

    private let skews = Mutex(OriginLRU<Skew>(capacity: maximumOrigins))

    /// Returns the date of a server.
    ///
    /// - Parameters:
    ///   - head: The head of a request to the server.
    ///   - date: The date of this machine.
    /// - Returns: The date to sign with.
    func date(for head: HTTPRequest, at date: Date) -> Date {
        let skew = skews.withLock { $0.update(head.origin, default: { Skew() }) { $0 } }
        // A clock that was set back in the meantime makes the difference obsolete, too.
        guard abs(date.timeIntervalSince(skew.learned)) < Self.lifetime else { return date }
        return date.addingTimeInterval(skew.seconds)
    }

    /// Learns the difference to the clock of a server from its rejection, if the date may be the reason.
    ///
    /// - Parameters:
    ///   - head: The head of the request.
    ///   - rejection: The response, and the head that was signed.
    ///   - date: The date of this machine.
    /// - Returns: True if a difference was learned, so that a signature with it may be accepted.
    func learn(for head: HTTPRequest, after rejection: SignatureRejection, at date: Date) -> Bool {
        // A response of a cache has the date at which the cache received it.
        guard rejection.isTrustworthy, !rejection.headerFields.contains(.known("Age")),
            isAboutDate(rejection, method: head.method),
            let text = rejection.headerFields[.date], let server = HTTPDate.parse(text, now: date),
            // Another request may have learned the difference after this one had been signed.
            let signed = rejection.signedHead.headerFields[SigV4Fields.date].flatMap(SigV4Date.date),
            abs(server.timeIntervalSince(signed)) >= Self.minimum
        else { return false }
        let seconds = server.timeIntervalSince(date)
        guard abs(seconds) <= Self.maximum else { return false }
        skews.withLock { $0.update(head.origin, default: { Skew() }) { $0 = Skew(seconds: seconds, learned: date) } }
        return true
    }

    private func isAboutDate(_ rejection: SignatureRejection, method: HTTPRequest.Method) -> Bool {
        // A response to HEAD has no body that could name the reason.
        if method == .head { return true }
        let type = HTTPField.Name("x-amzn-errortype").flatMap { rejection.headerFields[$0] } ?? ""
        let text = type + String(decoding: rejection.body.prefix(16 * 1024), as: UTF8.self)
        return Self.codes.contains { text.contains($0) }
    }
}
