// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
package import ArgumentParser
import Simorgh
import SimorghGraphQL
import SimorghSupport

/// `simorgh graphql URL DOCUMENT`: sends an operation to a GraphQL server.
package struct GraphQLCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "graphql",
        abstract: "Sends a GraphQL query, mutation or subscription, over HTTP or a WebSocket.",
        discussion: """
            A query or a mutation prints the response, and fails if it has errors. A document with @defer or @stream \
            prints the data so far after each part of the response, and a subscription prints each response, as one \
            line of JSON each; both fail at the end if there were errors.

              simorgh graphql api.example.com/graphql '{ birds { name } }'
              simorgh graphql api.example.com/graphql @bird.graphql --variables '{"id": 7}' --get
              simorgh graphql api.example.com/graphql 'mutation ($f: Upload!) { add(file: $f) }' --upload f=@owl.png
              simorgh graphql api.example.com/graphql 'subscription { price }' --over sse --count 3

            \(ProgramStatus.pointer)
            """
    )

    @Argument(
        help: ArgumentHelp(
            "The URL of the server.",
            discussion: "Without a scheme it is https://, and http:// for localhost, 127.0.0.1 and [::1]."))
    package var url: String

    @Argument(help: ArgumentHelp("The document: the text, or @FILE.", valueName: "document"))
    package var document: String

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The values of the variables: a JSON object, or @FILE.", valueName: "json|@file"))
    package var variables: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The operation to execute, if the document has more than one.", valueName: "name"))
    package var operation: String?

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "A file for a variable of the type Upload, such as f=@a.png or input.files.0=@a.png; repeat it for more.",
            valueName: "variable=@file"))
    package var upload: [String] = []

    @Flag(help: "Send a query with GET, unless its URL would be too long.")
    package var get = false

    @Flag(help: "Send the hash of the document first (automatic persisted queries).")
    package var persisted = false

    @Option(help: "The transport of subscriptions.")
    package var over = GraphQLTransportName.webSocket

    @Option(
        name: .shortAndLong, parsing: .unconditional,
        help: ArgumentHelp("Stop a subscription after this many responses.", valueName: "number"))
    package var count: Int?

    @OptionGroup package var header: HeaderArguments

    @Option(parsing: .unconditional, help: ArgumentHelp("The timeout of the whole operation.", valueName: "seconds"))
    package var timeout: Double?

    @OptionGroup package var version: VersionArguments

    @Flag(name: [.customShort("v"), .long], help: "Show both heads of each request; credentials are redacted.")
    package var verbose = false

    @OptionGroup(title: "Credentials, retries, redirects, cookies") package var session: SessionArguments

    @OptionGroup(title: "Connections") package var connection: ConnectionArguments

    package init() {}

    package func run() async throws {
        if let count, count < 1 { throw CommandError.usage("--count takes a number above 0") }
        var request = RequestDescription(method: .post, url: try TargetURL.withoutUser(url))
        request.fields.append(contentsOf: try header.fields())
        try session.apply(to: &request)
        try connection.apply(to: &request)
        request.isVerbose = verbose
        request.httpVersion = version.choice
        if let timeout { try request.setTimeout(seconds: timeout) }
        let text = try Self.text(document, of: "the document")
        let values = try variables.map { try Self.text($0, of: "--variables") }
        // Checked only, and sent as it is, because decoding would round large and decimal numbers.
        _ = try SubscribeCommand.object(values, of: "--variables")
        let printer = GraphQLPrinter(
            operation: GraphQLOperation(text, operationName: operation),
            variables: values.map { GraphQLVariablesText(json: Data($0.utf8)) }, uploads: try uploads(), count: count,
            console: .standard)
        let (usesGET, usesHash, transport) = (get, persisted, over.transport)
        try await RequestExchange(request: request, console: .standard).run { client in
            let server = client.graphQL(request.url) {
                $0.usesGETForQueries = usesGET
                $0.usesPersistedQueries = usesHash
                $0.subscriptions = transport
            }
            try await printer.run(server)
        }
    }

    private func uploads() throws(CommandError) -> [GraphQLUpload] {
        var uploads: [GraphQLUpload] = []
        for (index, text) in upload.enumerated() {
            let part = try? FormPart(text, at: index)
            guard let part, case .file(let path, let type, let fileName) = part.content, !part.name.isEmpty else {
                throw .usage("--upload takes VARIABLE=@FILE, such as f=@a.png: number \(index + 1)")
            }
            uploads.append(.file(path, at: part.name, fileName: fileName, mimeType: type))
        }
        return uploads
    }

    /// Returns the text of an argument, which may be in a file.
    private static func text(_ argument: String, of name: String) throws(CommandError) -> String {
        guard let path = argument.behind(first: "@") else { return argument }
        return try TextFile.read(String(path), of: name, upTo: 4 * 1024 * 1024)
    }
}

/// The value of `--over`.
package enum GraphQLTransportName: String, ExpressibleByArgument, CaseIterable, Sendable {
    case webSocket = "ws"
    case serverSentEvents = "sse"
    case multipart

    /// The transport of the library.
    var transport: GraphQLSubscriptionTransport {
        switch self {
        case .webSocket:
            return .webSocket(options: SubscriptionPrinter.options)
        case .serverSentEvents: return .serverSentEvents
        case .multipart: return .multipart
        }
    }
}
#endif
