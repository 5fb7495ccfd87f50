// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghCore
import SimorghSupport
import Synchronization

/// Records a body as it is read, and the server-sent events in it.
package final class StreamObserver: BodyObserver {
    /// The largest event to parse, in bytes; after a larger one the events of the stream are no longer recorded.
    private static let maximumEventBytes = 1024 * 1024

    private let exchange: RecordedExchange
    private let call: CallContext.ID
    private let store: InspectorStore
    /// The redactor of the exchange: a server can repeat a secret of the request in an event.
    private let redactor: Redactor
    /// The parser; `nil` for another type of body, and after invalid input.
    private let parser: Mutex<ServerSentEventParser?>

    /// Creates the observer of an exchange that has received its response head.
    package init(_ exchange: RecordedExchange, call: CallContext.ID, store: InspectorStore, parsesEvents: Bool) {
        self.exchange = exchange
        self.call = call
        self.store = store
        redactor = exchange.redactor
        parser = Mutex(parsesEvents ? ServerSentEventParser(limit: Self.maximumEventBytes) : nil)
    }

    package func didRead(_ chunk: Data) {
        exchange.didRead(chunk)
        store.change { state, _ in state.update(call) { $0.didStream(Int64(chunk.count)) } }
        parse(chunk)
    }

    package func didEnd(_ end: Result<Void, any Error>?) { exchange.didEnd(end) }

    /// Records the events that a part of the body completes.
    package func parse(_ chunk: Data) {
        let events = parser.withLock { parser -> [ServerSentEvent] in
            guard parser != nil else { return [] }
            var events: [ServerSentEvent] = []
            chunk.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) in
                var position = 0
                do {
                    while let event = try parser?.next(in: bytes, at: &position) { events.append(event) }
                } catch {
                    parser = nil
                }
            }
            return events
        }
        guard !events.isEmpty else { return }
        let messages = events.map { event in
            let limit = InspectedMessage.maximumBytes
            let text = redactor.body(Data(event.data.utf8), type: "text/plain", upTo: limit).text
            let name = String(redactor.text(event.event).prefix(100))
            return (name: name, size: event.data.utf8.count, text: text)
        }
        store.change { state, now in
            let limit = state.limits.messages
            state.update(call) { call in
                for message in messages {
                    call.append(
                        InspectedMessage(
                            .event, isSent: false, at: now, size: message.size, text: message.text,
                            event: message.name), keeping: limit)
                }
            }
        }
    }
}
