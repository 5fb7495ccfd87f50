// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
package import ArgumentParser
import Simorgh

package struct StreamCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "stream",
        abstract: "Prints the records of a stream as they come: lines, NDJSON, or server-sent events.",
        discussion: """
            Without --lines, --ndjson or --sse the media type of the answer says which. Of an event its data is printed; \
            --verbose tells its type and id, too. With --resume a stream of events that ends or breaks off is connected \
            to again, after the last id that came, until the server ends it with 204.

              simorgh stream https://api.example.com/log
              simorgh stream https://api.example.com/feed --sse --resume
              simorgh stream https://api.example.com/chat --json '{"question": "why?"}'

            \(ProgramStatus.pointer)
            """
    )

    @OptionGroup package var arguments: RequestArguments

    @Option(
        help: ArgumentHelp("The method; GET, or POST where there is a body.", valueName: "method"),
        completion: .list(["GET", "POST", "PUT", "PATCH", "DELETE"]))
    package var method: String?

    @Flag(exclusivity: .exclusive, help: "How the records are framed.")
    package var framing: StreamFraming?

    @Flag(help: "Connect again when a stream of events ends, also to send a body again.")
    package var resume = false

    @Option(help: ArgumentHelp("With --resume: go on after this event.", valueName: "id"))
    package var lastEventID: String?

    package init() {}

    package func run() async throws {
        let method = try method.map(Self.parse)
        var request = try arguments.description(method: method ?? .get)
        if method == nil, request.body != .none { request = try arguments.description(method: .post) }
        guard request.output == nil else {
            throw CommandFailure.usage("records are printed: leave out --output, and redirect what is printed")
        }
        if resume, let framing, framing != .sse {
            throw CommandFailure.usage("--resume is for --sse: other streams have no ids to go on after")
        }
        guard resume || lastEventID == nil else {
            throw CommandFailure.usage("--last-event-id is for --resume")
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
            throw CommandFailure.usage("--method is GET, POST, PUT, PATCH or DELETE")
        }
        return method
    }
}

/// How the records of a stream are framed.
package enum StreamFraming: String, EnumerableFlag, Sendable {
    case lines
    case ndjson
    case sse

    /// What a media type says; lines where it says nothing of the kind.
    package init(contentType: String?) {
        self =
            switch contentType.map(MediaTypePattern.essence) {
            case "text/event-stream": .sse
            case "application/x-ndjson", "application/ndjson", "application/jsonl", "application/x-jsonlines": .ndjson
            default: .lines
            }
    }

    /// What to ask the server for.
    package var accepted: String? { self == .sse ? "text/event-stream" : nil }

    package static func help(for value: StreamFraming) -> ArgumentHelp? {
        switch value {
        case .lines: "Lines of text."
        case .ndjson: "A value of JSON on each line; what is none ends the command."
        case .sse: "Server-sent events."
        }
    }
}

extension RequestDescription {
    /// Takes the field out that says after which event to go on: each connection has a newer one.
    fileprivate mutating func takeLastEventID() -> String? {
        let isID: (HTTPField) -> Bool = { $0.name == StreamCommand.idField }
        defer { fields.removeAll(where: isID) }
        return fields.last(where: isID)?.value
    }
}
#endif
