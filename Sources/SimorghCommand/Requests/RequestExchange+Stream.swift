// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
import HTTPTypes
import Simorgh
import SimorghSupport

extension RequestExchange {
    /// Prints the records of a stream as they arrive.
    ///
    /// - Parameter framing: The framing of the records; `nil` to use the response's media type.
    /// - Throws: ``CommandError``.
    package func runStream(_ framing: StreamFraming?) async throws {
        let output = ConsoleQueue(console)
        try await run { client in
            do {
                let response = try await streamingCall(client, accept: framing?.accepted).stream()
                if let codings = unrequestedCodings(of: response) { throw CommandError.unrequestedCodings(codings) }
                switch framing ?? StreamFraming(contentType: response.headers[.contentType]) {
                case .lines:
                    for try await line in response.lines() { try await output.say(shown(line)) }
                case .sse:
                    let events = response.chunks.serverSentEvents()
                    for try await event in framing == nil ? response.serverSentEvents() : events {
                        try await show(event, on: output)
                    }
                case .ndjson: try await printRecords(of: response, on: output)
                }
            } catch let error as NetworkError {
                throw CommandError(error)
            } catch let error as StreamingError {
                throw CommandError(.brokenResponse, message: "\(error)")
            }
        }
    }

    /// Prints the events of a stream, and reconnects when it ends.
    ///
    /// - Parameter id: The id of the event to resume after; empty for none.
    /// - Throws: ``CommandError``.
    package func runEventSource(after id: String) async throws {
        var options = EventSourceOptions()
        options.lastEventID = id
        options.repeatsUnsafeRequests = true
        options.onState = { [notes] state in
            guard case .waiting(let delay, let error) = state else { return }
            let reason = error.map { "\($0)" } ?? "the stream ended"
            notes.noteLater(
                "simorgh: \(DisplayText.oneLine(reason)); connecting again in \(delay.shown)")
        }
        try await run { [options] client in
            // --timeout covers all connections and the waits between them.
            let call = try streamingCall(client, accept: nil).with { $0.timeouts.total = nil }
            try await within(request.timeout) {
                do {
                    for try await event in call.eventSource(options) { try await show(event, on: notes) }
                } catch let error as NetworkError {
                    throw CommandError(error)
                }
            }
        }
    }

    /// Performs work with a time limit.
    private func within(_ limit: Duration?, work: @escaping @Sendable () async throws -> Void) async throws {
        guard let limit else { return try await work() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await work() }
            group.addTask {
                try await Task.sleep(for: limit)
                throw CommandError(.timeout, message: "the stream took longer than \(limit.shown) (--timeout)")
            }
            try await group.next()
        }
    }

    /// Returns the call, which throws for an unsuccessful status, and accepts only the given media types.
    private func streamingCall(_ client: APIClient, accept: String?) throws -> Call<Data> {
        try call(client, accept: accept).with { $0.validation.statusCodes = .success }
    }

    private func printRecords(of response: StreamingResponse, on output: ConsoleQueue) async throws {
        var records = RecordIterator(response.chunks, parser: JSONLinesParser(limit: 1024 * 1024))
        while let record = try await records.next() {
            let text = String(decoding: record.bytes, as: UTF8.self)
            guard PrettyJSON.isJSON(text) else {
                let start = DisplayText.oneLine(String(text.prefix(200)))
                throw CommandError(
                    .brokenResponse, message: "line \(record.number) is not valid JSON: \(start)")
            }
            try await output.say(shown(text.trimmingSuffix("\r")))
        }
    }

    private func show(_ event: ServerSentEvent, on output: ConsoleQueue) async throws {
        if request.isVerbose {
            let id = event.id.isEmpty ? "" : " \(DisplayText.oneLine(event.id))"
            await output.note("* event \(DisplayText.oneLine(event.event))\(id)")
        }
        try await output.say(shown(event.data))
    }

    /// Returns a text for output: unchanged in a pipe, except that invalid UTF-8 is replaced; on a terminal without
    /// control characters.
    private func shown(_ text: String) -> String { console.isOutputTerminal ? DisplayText.record(text) : text }
}

extension String {
    fileprivate func trimmingSuffix(_ suffix: Character) -> String { last == suffix ? String(dropLast()) : self }
}
#endif
