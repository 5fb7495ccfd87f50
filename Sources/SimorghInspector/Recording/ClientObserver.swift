// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
package import SimorghCore
package import SimorghRealtime
import SimorghSupport
import Synchronization

/// Records the calls of one client and its views.
package final class ClientObserver: WebSocketCallObserver {
    /// An attempt of a call, as a key.
    private struct Key: Hashable {
        let call: CallContext.ID
        let attempt: Int
    }

    /// The largest body to keep for a repetition, in bytes.
    private static let maximumReplayBytes = 1024 * 1024

    package let rules: RedactionRules
    private let store: InspectorStore
    private let name: String
    /// The exchanges that have no response yet.
    private let running = Mutex<[Key: RecordedExchange]>([:])

    package init(_ store: InspectorStore, name: String) {
        self.store = store
        self.name = name
        rules = store.configuration.redaction
    }

    package func didStart(_ request: TransportRequest, call: CallContext.ID) {
        let url = Redactor(rules, request: request).url(request.urlString)
        let date = store.time.now
        let replay = Self.replay(request)
        let repeats = request.options.userInfo[InspectorReplay.Number.self]
        store.change { state, now in
            state.begin(
                call, client: name, method: request.head.method.rawValue, url: url, at: now, date: date,
                repeating: repeats, replay: replay, observer: ObjectIdentifier(self))
        }
    }

    /// Returns the request for a repetition, or the reason why it cannot be repeated.
    private static func replay(_ request: TransportRequest) -> InspectedCall.Replay {
        guard let bytes = request.body.bytes else { return .impossible("its body was streamed") }
        guard bytes.count <= maximumReplayBytes else { return .impossible("its body is larger than 1 MiB") }
        return .request(request)
    }

    package func willSend(_ request: inout TransportRequest, attempt: Int, call: CallContext.ID) {
        guard store.read({ $0.number(of: call) != nil }) else { return }
        let wire = request.options.recordWire(isDetailed: true)
        let exchange = RecordedExchange(
            request, wire: wire, rules: rules, upTo: store.configuration.maximumBodyBytes, time: store.time
        ) { [weak store = self.store] _, bytes in
            store?.change { state, _ in state.update(call) { $0.grow(by: bytes, attempt: attempt) } }
        }
        let cost = exchange.requestBytes + request.head.headerFields.inspectedCost + request.urlString.utf8.count
        let isKept = store.change { state, now in
            state.append(InspectedAttempt(number: attempt, start: now, exchange: exchange), to: call, cost: cost)
        }
        if isKept { running.withLock { $0[Key(call: call, attempt: attempt)] = exchange } }
    }

    package func didReceive(
        _ response: TransportResponse, attempt: Int, call: CallContext.ID
    ) -> TransportResponse {
        let key = Key(call: call, attempt: attempt)
        guard let exchange = running.withLock({ $0.removeValue(forKey: key) }) else { return response }
        exchange.received(response)
        store.change { state, _ in
            state.update(call) { $0.grow(by: response.head.headerFields.inspectedCost, attempt: attempt) }
        }
        var response = response
        let isEvents = response.head.headerFields[.contentType]?.lowercased().hasPrefix("text/event-stream") == true
        let observer = StreamObserver(exchange, call: call, store: store, parsesEvents: isEvents)
        if let bytes = response.body.collectedBytes { observer.parse(bytes) }
        response.body = response.body.watched(by: observer)
        return response
    }

    package func didFail(_ error: any Error, attempt: Int, call: CallContext.ID) {
        let key = Key(call: call, attempt: attempt)
        running.withLock { $0.removeValue(forKey: key) }?.failed(error)
    }

    package func didReport(_ event: NetworkEvent) {
        let date = store.time.now
        store.change { state, now in state.apply(event, client: name, at: now, date: date) }
        // An attempt that another one replaced may never report its end.
        if case .completed(let end) = event {
            running.withLock { running in
                for key in running.keys where key.call == end.callID { running[key] = nil }
            }
        }
    }

    package func trafficObserver(
        call: CallContext.ID, request: TransportRequest, response: TransportResponse
    ) -> (any WebSocketTrafficObserver)? {
        guard store.read({ $0.number(of: call) != nil }) else { return nil }
        return SocketObserver(call, store: store, redactor: Redactor(rules, request: request).adding(response.head))
    }
}
