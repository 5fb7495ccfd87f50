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
        // A collected body can have millions of events, so only those to keep are stored and redacted.
        let limit = store.read { $0.limits.messages }
        let (events, omitted) = parser.withLock { parser -> (Deque<ServerSentEvent>, Int) in
            var events = Deque<ServerSentEvent>()
            var omitted = 0
            guard parser != nil else { return (events, omitted) }
            chunk.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) in
                var position = 0
                do {
                    while let event = try parser?.next(in: bytes, at: &position) {
                        events.append(event)
                        if events.count > limit, events.popFirst() != nil { omitted += 1 }
                    }
                } catch {
                    parser = nil
                }
            }
            return (events, omitted)
        }
        guard !events.isEmpty else { return }
        let messages = events.map { event in
            let bytes = Data(event.data.utf8)
            let text = redactor.body(bytes, type: "text/plain", upTo: InspectedMessage.maximumBytes).text
            let name = String(redactor.text(event.event).prefix(100))
            return (name: name, size: bytes.count, text: text)
        }
        store.change { state, now in
            state.update(call) { call in
                call.omitMessages(omitted)
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
