// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghSupport
import Synchronization

/// A recorded exchange, with redacted secrets.
package final class RecordedExchange: BodyObserver {
    private struct State {
        var request: HARDocument.Request
        var head: TransportResponse?
        /// The details of an exchange that failed before its response was delivered.
        var facts: AttemptDetails?
        /// Records the request as it is sent; `nil` after it was read.
        var wire: WireRecord?
        var redactor: Redactor
        var body = Data()
        var size: Int64 = 0
        var receive: Duration?
        var bodyWatch: Stopwatch?
        var comment: String?
        /// Called when more bytes are kept; `nil` when no more bytes must be kept.
        var onGrowth: Growth?
    }

    /// A callback with the exchange that keeps more bytes, and their number.
    package typealias Growth = @Sendable (ObjectIdentifier, Int) -> Void

    private let started: Date
    private let limit: Int
    private let time: TimeSource
    private let watch: Stopwatch
    private let state: Mutex<State>
    private let elapsed = Mutex<Duration?>(nil)

    /// The number of bytes of the request's body that are kept.
    package let requestBytes: Int

    package init(
        _ request: TransportRequest, wire: WireRecord, rules: RedactionRules, upTo limit: Int, time: TimeSource,
        onGrowth: @escaping Growth
    ) {
        let redactor = Redactor(rules, request: request, finder: NestedSecretFinder())
        let shown = HARDocument.Request(request, redactor: redactor, upTo: limit)
        requestBytes = shown.postData?.text.utf8.count ?? 0
        self.limit = limit
        self.time = time
        started = time.now
        watch = time.stopwatch()
        state = Mutex(State(request: shown, wire: wire, redactor: redactor, onGrowth: onGrowth))
    }

    /// Stops keeping bytes, because the recorder has dropped the exchange.
    package func forget() {
        state.withLock { state in
            state.wire = nil
            state.onGrowth = nil
            state.body = Data()
        }
    }

    /// Appends bytes to the body, up to the limit.
    private func append(_ bytes: Data) {
        let growth: (observer: Growth, count: Int)? = state.withLock { state in
            state.size += Int64(bytes.count)
            guard let onGrowth = state.onGrowth else { return nil }
            let part = bytes.prefix(max(0, limit + Redactor.margin - state.body.count))
            guard !part.isEmpty else { return nil }
            // Appended as a copy: a slice would retain the whole chunk.
            state.body.append(part)
            return (onGrowth, part.count)
        }
        if let growth { growth.observer(ObjectIdentifier(self), growth.count) }
    }

    package func received(_ response: TransportResponse) {
        let bytes = response.body.collectedBytes
        state.withLock { state in
            Self.noteSentHead(&state)
            state.redactor = state.redactor.adding(response.head)
            var head = response
            // Do not retain the connection of a streamed body.
            head.body = .empty
            state.head = head
            if let failure = response.bodyFailure { state.comment = state.redactor.text("\(failure)") }
            state.bodyWatch = time.stopwatch()
        }
        guard let bytes else { return }
        append(bytes)
        end()
    }

    package func failed(_ error: any Error) {
        let facts = (error as? TransportError)?.facts
        state.withLock { state in
            Self.noteSentHead(&state)
            if let facts {
                // Without a response head the connection and the timings are still known.
                state.facts = facts
                if let response = facts.response { state.redactor = state.redactor.adding(response) }
            }
            state.comment = state.redactor.text("\(error)")
        }
        if let body = facts?.body { append(body) }
        end()
    }

    /// Takes the request head that the transport recorded.
    ///
    /// Called when this attempt has ended or has its response head, because an inner interceptor may then send another
    /// one.
    private static func noteSentHead(_ state: inout State) {
        guard let sent = state.wire.take()?.sentHead else { return }
        state.redactor = state.redactor.adding(sent)
        state.request = state.request.sent(sent, redactor: state.redactor)
    }

    package func didRead(_ chunk: Data) { append(chunk) }

    package func didEnd(_ end: Result<Void, any Error>?) {
        state.withLock { state in
            state.receive = state.bodyWatch?.elapsed
            switch end {
            case .success: break
            case .failure(let error): state.comment = state.redactor.text("\(error)")
            case nil: state.comment = "the reader stopped before the end of the body"
            }
        }
        self.end()
    }

    private func end() { elapsed.withLock { $0 = watch.elapsed } }

    /// The redactor, which knows the secrets of the request as it was sent and of the response.
    package var redactor: Redactor { state.withLock { $0.redactor } }

    /// The entry with everything that is known so far.
    package var entry: HARDocument.Entry {
        let elapsed = elapsed.withLock { $0 } ?? watch.elapsed
        return state.withLock { state in
            let timings = HARDocument.Timings(
                state.head?.timings ?? state.facts?.timings, elapsed: elapsed, receive: state.receive)
            let connection = state.head?.connection ?? state.facts?.connection
            let version = Self.version(of: connection?.applicationProtocol)
            var request = state.request
            request.httpVersion = version
            var entry = HARDocument.Entry(
                startedDateTime: started.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)),
                time: timings.total, request: request, response: Self.response(state, version: version, limit: limit),
                timings: timings)
            if let connection {
                entry.connection = "\(connection.id)"
                entry.serverIPAddress = connection.remoteAddress.flatMap(Self.host)
            }
            entry.comment = state.comment
            return entry
        }
    }

    private static func response(_ state: State, version: String, limit: Int) -> HARDocument.Response {
        guard let head = state.head?.head ?? state.facts?.response else {
            return HARDocument.Response(
                status: 0, statusText: "", httpVersion: version, cookies: [], headers: [],
                content: HARDocument.Content(size: 0, mimeType: "x-unknown"), redirectURL: "", bodySize: -1)
        }
        let type = head.headerFields[.contentType]
        var content = HARDocument.Content(size: state.size, mimeType: type ?? "x-unknown")
        if state.size > 0 {
            switch state.redactor.body(state.body, type: type, size: state.size, upTo: limit) {
            case .text(let text, _, let more):
                content.text = text
                if more > 0 { content.comment = "\(more) bytes omitted" }
            case .opaque where state.redactor.rules.isOn: content.comment = "not shown because it is not text"
            case .opaque:
                content.text = state.body.prefix(limit).base64EncodedString()
                content.encoding = "base64"
                if state.size > limit { content.comment = "\(state.size - Int64(limit)) bytes omitted" }
            }
        }
        return HARDocument.Response(
            status: head.status.code, statusText: head.status.reasonPhrase, httpVersion: version,
            cookies: HARDocument.Record.cookies(setBy: head.headerFields, redactor: state.redactor),
            headers: HARDocument.Record.of(head.headerFields, redactor: state.redactor), content: content,
            redirectURL: head.headerFields[.location].map(state.redactor.url) ?? "", bodySize: -1)
    }

    /// Returns the HTTP version of an application protocol (ALPN).
    package static func version(of applicationProtocol: String?) -> String {
        ["h2": "HTTP/2", "h3": "HTTP/3"][applicationProtocol?.prefix(2) ?? ""] ?? "HTTP/1.1"
    }

    /// Returns the host of `address:port`, without the brackets of IPv6.
    private static func host(_ address: String) -> String? {
        guard let colon = address.lastIndex(of: ":") else { return nil }
        let host = address[..<colon]
        return host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : String(host)
    }
}
