// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import HTTPTypes
public import SimorghCore
import SimorghSupport

extension StubResponse {
    /// Creates a response with the bytes of a file.
    ///
    /// The media type is detected from the content, or from the file name.
    ///
    /// A file that cannot be read makes the response a failure that names it.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - contentType: The media type; `nil`, the default, detects it.
    ///   - status: The status.
    /// - Returns: The response.
    public static func file(
        _ path: String, contentType: String? = nil, status: HTTPResponse.Status = .ok
    ) -> StubResponse {
        do {
            let bytes = try Data(contentsOf: URL(filePath: path))
            let type =
                contentType ?? MimeTypeDetector.detectMimeType(from: bytes, fileName: path)?.mime
                ?? "application/octet-stream"
            return .bytes(bytes, contentType: type, status: status)
        } catch {
            return .failure(
                TransportError(
                    .unknown, phase: .head, message: "the file of a stub could not be read: \(path): \(error)",
                    requestMayHaveBeenSent: false, underlying: error))
        }
    }

    /// Creates a stream of server-sent events, which ends after the last one.
    ///
    /// - Parameters:
    ///   - events: The events, each sent as one chunk.
    ///   - retry: The reconnection delay for the client; `nil`, the default, sends none.
    ///   - gate: Keeps the stream open after the last event until the gate is open; `nil`, the default, ends it at
    ///     once.
    /// - Returns: The response.
    public static func serverSentEvents(
        _ events: [ServerSentEvent], retry: Duration? = nil, until gate: Gate? = nil
    ) -> StubResponse {
        var steps: [BodyStep] = []
        if let retry {
            let milliseconds = Int64(retry / .milliseconds(1))
            steps.append(.bytes(Data("retry: \(milliseconds)\n\n".utf8)))
        }
        steps += events.map { .bytes(Data(Self.text(of: $0).utf8)) }
        if let gate { steps.append(.wait(gate)) }
        return .chunks(steps, contentType: "text/event-stream")
    }

    /// Creates a response with values as JSON lines (`application/x-ndjson`).
    ///
    /// - Parameter values: The values, each sent as one chunk.
    /// - Returns: The response. A value that cannot be encoded makes it a failure.
    public static func jsonLines(_ values: [some Encodable]) -> StubResponse {
        do {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            let steps = try values.map { BodyStep.bytes(try encoder.encode($0) + Data("\n".utf8)) }
            return .chunks(steps, contentType: "application/x-ndjson")
        } catch {
            return .failure(
                TransportError(
                    .unknown, phase: .head, message: "the scripted value could not be encoded: \(error)",
                    underlying: error))
        }
    }

    /// Returns the wire format of an event.
    ///
    /// Each line of its data becomes a `data` line of its own.
    package static func text(of event: ServerSentEvent) -> String {
        var text = ""
        if event.event != "message" { text += "event: \(event.event)\n" }
        if !event.id.isEmpty { text += "id: \(event.id)\n" }
        for line in event.data.split(omittingEmptySubsequences: false, whereSeparator: Self.endsLine) {
            text += "data: \(line)\n"
        }
        return text + "\n"
    }

    /// Returns true for the line endings of an event stream; other Unicode line endings are part of the data.
    private static func endsLine(_ character: Character) -> Bool { ["\n", "\r", "\r\n"].contains(character) }
}
