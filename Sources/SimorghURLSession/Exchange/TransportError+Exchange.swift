// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore

/// The errors of ``SessionStateMachine``.
extension TransportError {
    static var sentOnce: TransportError {
        TransportError(
            .requestBodyStreamExhausted, phase: .request,
            message: "the session has to send the body again, but it can be read only once")
    }

    static func undecodable(_ codings: String) -> TransportError {
        TransportError(
            .cannotDecodeContentData, phase: .head,
            message: "the session cannot decode a body with the content coding \(codings): set decompresses to false, "
                + "or Accept-Encoding, to receive it as it is")
    }

    static func tooLarge(_ message: String, phase: Phase) -> TransportError {
        TransportError(.dataLengthExceedsMaximum, phase: phase, message: message)
    }

    static func bodyTooLarge(_ limit: Int) -> TransportError {
        .tooLarge(
            "the body is larger than the limit of \(limit) bytes: increase maximumCollectedBytes, or stream it",
            phase: .body)
    }

    static func overrun(_ limit: Int) -> TransportError {
        TransportError(
            .resourceUnavailable, phase: .body,
            message: "the body arrived faster than it was read: more than \(limit) bytes are buffered, "
                + "and this session cannot be paused: increase maximumBufferedBytes")
    }

    static var noResponse: TransportError {
        TransportError(
            .networkConnectionLost, phase: .head, message: "the connection closed before a response head arrived")
    }
}
