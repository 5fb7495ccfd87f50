// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import Simorgh

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension RequestExchange {
    /// Prints the records of a stream as they come.
    ///
    /// - Parameter framing: How they are framed; as the answer's media type says by default.
    /// - Throws: ``CommandFailure``.
    package func runStream(_ framing: StreamFraming?) async throws {
        try await run { client in
            do {
                let response = try await streamingCall(client).stream()
                switch framing ?? StreamFraming(contentType: response.headers[.contentType]) {
                case .lines:
                    for try await line in response.lines() { try console.say(shown(line)) }
                case .sse:
                    let events = response.chunks.serverSentEvents()
                    for try await event in framing == nil ? response.serverSentEvents() : events { try show(event) }
                case .ndjson: try await printRecords(response)
                }
            } catch let error as NetworkError {
                throw CommandFailure(error)
            } catch let error as StreamingError {
                throw CommandFailure(.brokenResponse, "\(error)")
            }
        }
    }

    /// Prints the events of a stream, and connects again when it ends.
    ///
    /// - Parameter id: The event to go on after; empty for none.
    /// - Throws: ``CommandFailure``.
    package func runEventSource(after id: String) async throws {
        var options = EventSourceOptions()
        options.lastEventID = id
        options.repeatsUnsafeRequests = true
        options.onState = { [console] state in
            guard case .waiting(let delay, let error) = state else { return }
            let reason = error.map { "\($0)" } ?? "the stream ended"
            console.note(
                "simorgh: \(DisplayText.oneLine(reason)); connecting again in \(DisplayText.milliseconds(delay))")
        }
        try await run { [options] client in
            do {
                for try await event in try streamingCall(client).eventSource(options) { try show(event) }
            } catch let error as NetworkError {
                throw CommandFailure(error)
            }
        }
    }

    /// The call, whose refusals are errors, and which takes the time that it takes.
    private func streamingCall(_ client: APIClient) throws -> Call<Data> {
        try call(client).with { $0.acceptableStatusCodes = .success }
    }

    private func printRecords(_ response: StreamingResponse) async throws {
        var records = RecordIterator(response.chunks, JSONLinesParser(limit: 1024 * 1024))
        while let record = try await records.next() {
            let text = String(decoding: record.bytes, as: UTF8.self)
            guard PrettyJSON.isJSON(text) else {
                throw CommandFailure(
                    .brokenResponse,
                    "line \(record.number) is no JSON: \(DisplayText.oneLine(String(text.prefix(200))))")
            }
            try console.say(shown(text.trimmingSuffix("\r")))
        }
    }

    private func show(_ event: ServerSentEvent) throws {
        if request.isVerbose {
            let id = event.id.isEmpty ? "" : " \(DisplayText.oneLine(event.id))"
            console.note("* event \(DisplayText.oneLine(event.event))\(id)")
        }
        try console.say(shown(event.data))
    }

    /// A text as it may be shown: raw in a pipe, without control characters on a terminal.
    private func shown(_ text: String) -> String {
        guard console.isOutputTerminal else { return text }
        return String(
            String.UnicodeScalarView(text.unicodeScalars.filter { $0.value >= 0x20 || $0 == "\t" || $0 == "\n" }))
    }
}

extension String {
    fileprivate func trimmingSuffix(_ suffix: Character) -> String { last == suffix ? String(dropLast()) : self }
}
