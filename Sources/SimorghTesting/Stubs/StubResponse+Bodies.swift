// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import HTTPTypes
public import SimorghCore
import SimorghSupport

extension StubResponse {
    /// The bytes of a file, their media type that of their content, else of the file's name.
    ///
    /// A file that cannot be read gives a failure that names it.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - contentType: The media type; `nil`, the default, finds it.
    ///   - status: The status.
    /// - Returns: The answer.
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

    /// A stream of server-sent events, which ends behind the last.
    ///
    /// - Parameters:
    ///   - events: The events, each sent as one piece.
    ///   - retry: How long a client is to wait before it connects again; `nil`, the default, says nothing of it.
    ///   - gate: Held shut, it keeps the stream open behind the last event; `nil`, the default, ends it.
    /// - Returns: The answer.
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

    /// Values as JSON, one on each line.
    ///
    /// - Parameter values: The values, each sent as one piece.
    /// - Returns: The answer; a value that cannot be encoded gives a failure.
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

    /// An event as it stands in a stream; line ends in what it says begin a line of its own.
    package static func text(of event: ServerSentEvent) -> String {
        var text = ""
        if event.event != "message" { text += "event: \(event.event)\n" }
        if !event.id.isEmpty { text += "id: \(event.id)\n" }
        for line in event.data.split(omittingEmptySubsequences: false, whereSeparator: Self.endsLine) {
            text += "data: \(line)\n"
        }
        return text + "\n"
    }

    /// The ends of lines that a stream of events knows; others are part of what it says.
    private static func endsLine(_ character: Character) -> Bool { ["\n", "\r", "\r\n"].contains(character) }
}
