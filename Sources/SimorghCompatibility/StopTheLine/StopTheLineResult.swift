// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore

/// The decision of an action for the rejected requests; see ``StopTheLine``.
public enum StopTheLineResult: Sendable {
    /// The request that started the action gets this response. The other rejected requests keep their own, because this
    /// response does not answer them.
    case passOver(TransportResponse)
    /// Each request keeps its response.
    case useOriginal
    /// Each request is sent again.
    case retry
    /// Each request is sent again after this number of seconds.
    case retryWithDelay(Double)
}
