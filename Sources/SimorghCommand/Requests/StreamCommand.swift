// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
package import ArgumentParser
import Simorgh

package struct StreamCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "stream",
        abstract: "Prints the records of a stream as they arrive: lines, NDJSON, or server-sent events.",
        discussion: """
            Without --lines, --ndjson or --sse, the media type of the response selects the framing. Of an event, the \
            data is printed; --verbose also shows its type and id. With --resume, the command reconnects when an event \
            stream ends or is interrupted, and resumes after the last event id, until the server answers with 204.

              simorgh stream https://api.example.com/log
              simorgh stream https://api.example.com/feed --sse --resume
              simorgh stream https://api.example.com/chat --json '{"question": "why?"}'

            \(ProgramStatus.pointer)
            """
    )

    @OptionGroup package var arguments: RequestArguments

    @Option(
        help: ArgumentHelp("The method. Default: GET, or POST with a body.", valueName: "method"),
        completion: .list(["GET", "POST", "PUT", "PATCH", "DELETE"]))
    package var method: String?

    @Flag(exclusivity: .exclusive, help: "The framing of the records.")
    package var framing: StreamFraming?

    @Flag(help: "Reconnect when an event stream ends, even if that sends the body again.")
    package var resume = false

    @Option(help: ArgumentHelp("With --resume: resume after this event.", valueName: "id"))
    package var lastEventID: String?

    package init() {}

    package func run() async throws {
        let method = try method.map(Self.parse)
        var request = try arguments.description(method: method ?? .get)
        if method == nil, request.body != .none { request = try arguments.description(method: .post) }
        guard request.output == nil else {
            throw CommandError.usage("records are printed: leave out --output, and redirect standard output")
        }
        if resume, let framing, framing != .sse {
            throw CommandError.usage("--resume requires --sse: other streams have no event ids")
        }
        guard resume || lastEventID == nil else {
            throw CommandError.usage("--last-event-id requires --resume")
        }
        guard resume else {
            let exchange = RequestExchange(request: request, console: .standard)
            return try await arguments.curl
                ? exchange.printCurl(accept: framing?.accepted) : exchange.runStream(framing)
        }
        let own = request.takeLastEventID()
        let id = lastEventID ?? own ?? ""
        guard arguments.curl else {
            return try await RequestExchange(request: request, console: .standard).runEventSource(after: id)
        }
        if !id.isEmpty, let name = Self.idField { request.fields.append(HTTPField(name: name, value: id)) }
        try await RequestExchange(request: request, console: .standard).printCurl(accept: StreamFraming.sse.accepted)
    }

    fileprivate static let idField = HTTPField.Name("Last-Event-ID")

    private static func parse(_ method: String) throws -> RequestMethod {
        let method = RequestMethod(rawValue: method.uppercased())
        guard [.get, .post, .put, .patch, .delete].contains(method) else {
            throw CommandError.usage("--method takes GET, POST, PUT, PATCH or DELETE")
        }
        return method
    }
}

/// The framing of the records in a stream.
package enum StreamFraming: String, EnumerableFlag, Sendable {
    case lines
    case ndjson
    case sse

    /// Creates the framing for a media type; lines if it does not specify one.
    package init(contentType: String?) {
        self =
            switch contentType.map(MediaTypePattern.essence) {
            case "text/event-stream": .sse
            case "application/x-ndjson", "application/ndjson", "application/jsonl", "application/x-jsonlines": .ndjson
            default: .lines
            }
    }

    /// The media type to request.
    package var accepted: String? { self == .sse ? "text/event-stream" : nil }

    package static func help(for value: StreamFraming) -> ArgumentHelp? {
        switch value {
        case .lines: "Lines of text."
        case .ndjson: "One JSON value per line; an invalid line ends the command."
        case .sse: "Server-sent events."
        }
    }
}

extension RequestDescription {
    /// Removes and returns the `Last-Event-ID` field, because each new connection has a newer value.
    fileprivate mutating func takeLastEventID() -> String? {
        let isID: (HTTPField) -> Bool = { $0.name == StreamCommand.idField }
        defer { fields.removeAll(where: isID) }
        return fields.last(where: isID)?.value
    }
}
#endif
