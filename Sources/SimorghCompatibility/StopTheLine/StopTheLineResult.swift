// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore

/// What becomes of the requests that were refused when the line's action has ended; see ``StopTheLine``.
public enum StopTheLineResult: Sendable {
    /// The request that started the action gets this response instead; the others that were refused keep their own, as
    /// this one answers another question.
    case passOver(TransportResponse)
    /// Each keeps the response it has.
    case useOriginal
    /// Each is sent again.
    case retry
    /// Each is sent again after so many seconds.
    case retryWithDelay(Double)
}
