// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// A network or protocol fault of a response; see ``StubResponse/fault(_:at:)``.
public enum WireFault: Sendable, Hashable {
    /// The connection is closed.
    case close
    /// The connection is reset, as by a host that has lost its state.
    case reset
    /// Nothing more is sent, and the connection stays open until the client closes it.
    case stall
    /// The body ends early as if it were complete.
    ///
    /// In chunks and over HTTP/2 only the missing content shows it; with a `Content-Length` over HTTP/1.1 the
    /// connection is closed. Instead of a head, the connection is closed, or the HTTP/2 stream is reset.
    case truncate
    /// Bytes that are not HTTP are sent, and the connection is closed.
    case garbage
    /// The HTTP/2 stream is reset with an error code, such as 7 for `REFUSED_STREAM`; over HTTP/1.1 the same as
    /// ``reset``.
    case resetStream(UInt32)
    /// The HTTP/2 server sends GOAWAY with an error code, 0 for none.
    ///
    /// Before the response's head it excludes this request; afterwards the response is completed, and the server
    /// accepts no more requests. Over HTTP/1.1 the connection is closed.
    case goAway(UInt32)
    /// The remaining bytes are sent slowly, at a rate in bytes per second, but completely.
    ///
    /// Before the response's head, a ``MockServer`` reads the request's body slowly and responds when all of it should
    /// have arrived; other transports ignore that. At the response's head, the head is delayed as long as its bytes
    /// would take, and the body is sent slowly. Trailers are delayed as long as their bytes would take. At the end of a
    /// response without trailers there is no effect.
    case slow(bytesPerSecond: Int)

    /// A point of an exchange at which a fault occurs.
    public enum Point: Int, Sendable, Hashable, CaseIterable, Comparable {
        /// After the head of the request has arrived, before its body is read.
        case requestHead
        /// After the first bytes of the request's body have arrived; the same as ``responseHead`` for a request without
        /// a body.
        case requestBody
        /// After the whole request has arrived, instead of the response's head.
        case responseHead
        /// After the first half of the response's body.
        case responseBody
        /// After the whole response.
        case responseEnd

        /// Returns true if one point comes before the other.
        public static func < (left: Point, right: Point) -> Bool { left.rawValue < right.rawValue }
    }

    /// The throttle of a slow fault, ten times a second or byte by byte; `nil` for the others.
    var pace: ResponseDelivery.Throttle? {
        guard case .slow(let rate) = self else { return nil }
        let bytes = max(1, rate / 10)
        return ResponseDelivery.Throttle(bytes: bytes, period: Duration.seconds(1) * bytes / max(1, rate))
    }
}
