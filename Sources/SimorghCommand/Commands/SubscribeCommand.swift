// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
package import ArgumentParser
import Simorgh
import SimorghSupport

/// `simorgh subscribe`: prints the events of subscriptions in any supported protocol.
package struct SubscribeCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "subscribe",
        abstract: "Prints the events of WebSocket subscriptions, as one line of JSON each.",
        discussion: """
            The operations depend on the protocol: GraphQL documents for graphql-transport-ws, graphql-ws, appsync and \
            absinthe; channels for appsync-events and pusher; topics for phoenix; streams such as btcusdt@trade for \
            binance; and for json the message to send, unchanged. After a lost connection the command reconnects and \
            subscribes again. Events are printed as the server sent them and never dropped: a slow reader of the \
            output slows the connection. The command ends when the server has completed every subscription, or after \
            --count.

              simorgh subscribe wss://shop.example/graphql 'subscription { price }'
              simorgh subscribe --protocol binance wss://stream.binance.com:9443 btcusdt@trade --count 3
              simorgh subscribe --protocol phoenix wss://chat.example/socket/websocket room:lobby --event new_msg
            """
    )

    @Argument(help: "The ws or wss URL; without a scheme it is wss://, or ws:// for this machine.")
    package var url: String

    @Argument(help: "The operations to subscribe to; except with json, they share one connection.")
    package var operations: [String]

    @Option(help: "The protocol of the server.")
    var `protocol` = SubscriptionProtocolName.graphQLTransport

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The variables of the documents: a JSON object.", valueName: "json"))
    package var variables: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The payload of the first message, or of joining a topic: a JSON object.", valueName: "json|@file"))
    package var payload: String?

    @Option(help: ArgumentHelp("Print only events with this name, for topics and channels.", valueName: "name"))
    package var event: String?

    @Option(parsing: .unconditional, help: ArgumentHelp("The key of an AppSync API.", valueName: "key|@file"))
    package var apiKey: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The message that ends a subscription with the protocol json.", valueName: "json"))
    package var unsubscribe: String?

    @Option(
        name: .shortAndLong, parsing: .unconditional,
        help: ArgumentHelp("Stop after this many events.", valueName: "number"))
    package var count: Int?

    @Flag(help: "Print JSON objects with the subscription and the event, and with connection changes.")
    package var json = false

    @OptionGroup package var header: HeaderArguments

    @Flag(name: [.customShort("v"), .long], help: "Show both heads of the handshake; credentials are redacted.")
    package var verbose = false

    @OptionGroup(title: "Credentials, cookies") package var session: SessionArguments

    @OptionGroup(title: "Connections") package var connection: ConnectionArguments

    package init() {}

    package func run() async throws {
        guard !operations.isEmpty else { throw CommandError.usage("the operation to subscribe to is missing") }
        if let count, count < 1 { throw CommandError.usage("--count takes a number above 0") }
        var request = RequestDescription(method: .get, url: try Self.address(url))
        request.fields.append(contentsOf: try header.fields())
        try session.apply(to: &request)
        try connection.apply(to: &request)
        request.isVerbose = verbose
        let payload = try payload.map { try CredentialArgument.read($0, of: "--payload") }
        let run = SubscriptionPrinter(
            url: request.url, operations: operations, variables: try Self.object(variables, of: "--variables"),
            payload: try Self.object(payload, of: "--payload"),
            event: event, apiKey: try apiKey.map { try CredentialArgument.read($0, of: "--api-key") },
            bearer: request.bearer, unsubscribe: try Self.json(unsubscribe, of: "--unsubscribe"), count: count,
            isJSON: json, console: .standard, output: ConsoleQueue(.standard))
        let language = `protocol`
        if language.sendsBearerInProtocol { request.credential = nil }
        try await RequestExchange(request: request, console: .standard).run { client in
            try await run.start(language, with: client)
        }
    }

    /// Returns the WebSocket URL of the typed text.
    static func address(_ text: String) throws(CommandError) -> String {
        let url = try TargetURL.withoutUser(text)
        if url.hasPrefix("https://") { return "wss://" + url.dropFirst(8) }
        if url.hasPrefix("http://") { return "ws://" + url.dropFirst(7) }
        return url
    }

    /// Parses the value of an option as a JSON object.
    static func object(_ text: String?, of option: String) throws(CommandError) -> JSON? {
        guard let json = try json(text, of: option) else { return nil }
        guard case .object = json else {
            throw .usage(#"\#(option) takes a JSON object, such as '{"token": "abc"}'"#)
        }
        return json
    }

    static func json(_ text: String?, of option: String) throws(CommandError) -> JSON? {
        guard let text else { return nil }
        guard let json = try? JSON(parsing: Data(text.utf8)) else { throw .usage("\(option) takes valid JSON") }
        return json
    }
}

extension RequestDescription {
    /// The token of `--bearer`.
    fileprivate var bearer: String? {
        guard case .bearer(let token) = credential else { return nil }
        return token
    }
}
#endif
