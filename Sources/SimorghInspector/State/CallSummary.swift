// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghSupport

/// A row of the page's list of calls.
package struct CallSummary: Encodable, Sendable {
    package let number: Int
    let version: Int
    let client: String
    /// The beginning, in milliseconds since the start of the inspector.
    let start: Double
    /// The beginning, in milliseconds since 1970.
    let date: Double
    let method: String
    let url: String
    let kind: InspectedCall.Kind
    let stage: InspectedCall.Stage
    let status: Int?
    let failure: String?
    let milliseconds: Double?
    let mediaType: String?
    let protocolName: String?
    let sent: Int64
    let received: Int64
    let attempts: Int
    let redirects: Int
    let cache: String?
    let messages: Int
    let repeats: Int?
    let canReplay: Bool
    /// The time before the last attempt, in milliseconds.
    let before: Double
    /// The phases of the last attempt.
    let phases: [PhaseView]

    package init(_ call: InspectedCall) {
        number = call.number
        version = call.version
        client = call.client
        start = call.start.rounded
        date = (call.date.timeIntervalSince1970 * 1000).rounded()
        method = call.method
        url = call.url
        kind = call.kind
        stage = call.stage
        status = call.status
        failure = call.failure
        milliseconds = call.duration?.rounded
        mediaType = call.mediaType
        protocolName = call.attempts.last?.protocolName
        sent = call.sentBytes
        received = call.receivedBytes
        attempts = call.attemptCount
        redirects = call.redirects
        cache = call.cache
        messages = call.messageCount
        repeats = call.repeats
        canReplay = call.replayRefusal == nil
        before = call.attempts.last.map { max(.zero, $0.start - call.start).rounded } ?? 0
        phases = call.attempts.last?.phases ?? []
    }
}

/// A phase of an attempt, in the order of time.
package struct PhaseView: Encodable, Sendable, Hashable {
    /// `queue`, `dns`, `connect`, `tls`, `request`, `wait` or `body`.
    package let name: String
    package let milliseconds: Double
}

extension InspectedAttempt {
    /// The phases, as far as they are known.
    package var phases: [PhaseView] {
        if let timings {
            let connect = timings.connect.map { max(.zero, $0 - (timings.dns ?? .zero)) }
            return Self.phases([
                ("queue", timings.queue?.rounded), ("dns", timings.dns?.rounded), ("connect", connect?.rounded),
                ("tls", timings.tls?.rounded), ("request", timings.request?.rounded),
                ("wait", timings.firstByte?.rounded), ("body", timings.body?.rounded),
            ])
        }
        guard let file = exchange as? FileExchange else { return [] }
        // The `connect` of HAR includes TLS.
        let timings = file.entry.timings
        let connect = timings.connect.map { $0 - max(0, timings.ssl ?? 0) }
        return Self.phases([
            ("queue", timings.blocked), ("dns", timings.dns), ("connect", connect), ("tls", timings.ssl),
            ("request", timings.send), ("wait", timings.wait), ("body", timings.receive),
        ])
    }

    private static func phases(_ phases: [(name: String, milliseconds: Double?)]) -> [PhaseView] {
        phases.compactMap { name, milliseconds in
            milliseconds.flatMap { $0 > 0 ? PhaseView(name: name, milliseconds: $0) : nil }
        }
    }

    /// The ALPN name of the protocol; for a file the version that it names.
    package var protocolName: String? {
        if let connection { return connection.applicationProtocol }
        let version = (exchange as? FileExchange)?.entry.request.httpVersion.lowercased()
        return version.flatMap { $0.isEmpty || $0 == "unknown" ? nil : $0 == "http/2" ? "h2" : $0 }
    }
}

extension Duration {
    /// The duration in milliseconds, rounded to a microsecond.
    package var rounded: Double { (self / .microseconds(1)).rounded() / 1000 }
}
