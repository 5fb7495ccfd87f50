// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// What goes wrong with an answer, and where; see ``StubResponse/fault(_:at:)``.
public enum WireFault: Sendable, Hashable {
    /// The connection is closed.
    case close
    /// The connection is reset, as by a machine that has forgotten it.
    case reset
    /// Nothing more comes, and the connection stays open until the client closes it.
    case stall
    /// The body ends here as though it were whole: in chunks and in HTTP/2 only what it lacks tells; with a length
    /// promised in HTTP/1.1 the connection is closed. In the place of the head the connection is closed, in HTTP/2 the
    /// stream is reset.
    case truncate
    /// Bytes that are no HTTP come, and the connection is closed.
    case garbage
    /// The stream of HTTP/2 is reset with a code, such as 7 for `REFUSED_STREAM`; in HTTP/1.1 as ``reset``.
    case resetStream(UInt32)
    /// The server of HTTP/2 says goodbye with a code, 0 for none: before the answer's head it disowns this request, after it
    /// goes on to the end of this one and takes no more. In HTTP/1.1 the connection is closed.
    case goAway(UInt32)
    /// From here on bytes come slowly, so many in a second, and all of them.
    ///
    /// Before the answer's head the body of the request is read slowly, by a ``MockServer`` alone, and answered when all
    /// of it should have come. In the place of the head it comes as late as its bytes would take, and the body slowly
    /// behind it. Trailers come as late as their bytes would take; behind an answer without any there is nothing to be
    /// slow with.
    case slow(bytesPerSecond: Int)

    /// Where in an exchange a fault happens.
    public enum Point: Int, Sendable, Hashable, CaseIterable, Comparable {
        /// When the head of the request has come, before its body is read.
        case requestHead
        /// When the first bytes of the request's body have come; as ``responseHead`` for a request without one.
        case requestBody
        /// When the request has come whole, in the place of the answer's head.
        case responseHead
        /// Behind the first half of the answer's body.
        case responseBody
        /// Behind the whole answer.
        case responseEnd

        /// Whether one comes before the other.
        public static func < (left: Point, right: Point) -> Bool { left.rawValue < right.rawValue }
    }

    /// How the bytes of a slow one come, ten times a second or one by one; `nil` for the others.
    var pace: WireScript.Throttle? {
        guard case .slow(let rate) = self else { return nil }
        let bytes = max(1, rate / 10)
        return WireScript.Throttle(bytes: bytes, period: Duration.seconds(1) * bytes / max(1, rate))
    }
}
