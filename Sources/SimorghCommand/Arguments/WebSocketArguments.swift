// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
package import ArgumentParser
import Simorgh

/// The arguments of a WebSocket connection.
package struct WebSocketArguments: ParsableArguments {
    @Argument(help: "The URL: ws:// or wss://.")
    package var url: String

    @OptionGroup package var header: HeaderArguments

    @Option(
        name: .customLong("query"), parsing: .unconditionalSingleValue,
        help: ArgumentHelp("A query item, percent-encoded for you; repeat it for more.", valueName: "name=value"))
    package var query: [String] = []

    @Option(help: ArgumentHelp("A subprotocol to offer; repeat it for more, the preferred first.", valueName: "name"))
    package var subprotocol: [String] = []

    @Flag(help: "Print each event, including messages, as one line of JSON.")
    package var json = false

    @Flag(help: "Send each line as a binary message, and print received binary messages unchanged.")
    package var binary = false

    @Flag(help: "Offer compression (permessage-deflate).")
    package var compressed = false

    @Flag(help: "Do not read standard input; stay connected until the server closes.")
    package var listen = false

    @Flag(help: "After the end of standard input, stay connected until the server closes.")
    package var stay = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "After the end of standard input, close if no message arrives for this time. Default: 2.",
            discussion: "Only complete messages count. A busy server keeps the connection open; 0 closes at once.",
            valueName: "seconds"))
    package var wait: Double?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Send a ping at this interval, and print its round-trip time (--json: seconds).", valueName: "seconds"))
    package var ping: Double?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The maximum number of consecutive attempts to reconnect. Default: 0.", valueName: "times"))
    package var reconnect = 0

    @Flag(
        name: [.customShort("L"), .long],
        help: "Follow redirects of the upgrade, 20 at most; credentials stay with their origin.")
    package var location = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The timeout for connecting.", valueName: "seconds"))
    package var timeout: Double?

    @Flag(
        name: [.customShort("v"), .long],
        help: "Show both heads, pongs, and the direction, kind and size of each message; credentials are redacted.")
    package var verbose = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("A user name and a password for Basic authentication.", valueName: "name:password|@file"))
    package var user: String?

    @Option(parsing: .unconditional, help: ArgumentHelp("A bearer token.", valueName: "token|@file"))
    package var bearer: String?

    @OptionGroup(title: "Connections") package var connection: ConnectionArguments

    package init() {}

    /// The settings of a WebSocket conversation.
    package struct Settings: Sendable, Equatable {
        package var subprotocols: [String] = []
        package var isJSON = false
        package var isBinary = false
        package var isCompressed = false
        package var onlyListens = false
        package var staysConnected = false
        /// The time without a message after the end of standard input that closes the connection; `nil` for
        /// ``defaultQuietTime``, or no time at all if nothing was sent.
        package var quietTime: Duration?
        package var pingInterval: Duration?
        package var reconnects = 0

        /// The time without a message that closes the connection if `--wait` is not given.
        package static let defaultQuietTime = Duration.seconds(2)
    }

    /// Returns the conversation settings of the arguments.
    ///
    /// - Returns: The settings.
    /// - Throws: ``CommandError`` that names the invalid argument.
    package func settings() throws(CommandError) -> Settings {
        if let ping {
            guard ping > 0, ping <= 1_000_000_000 else { throw .usage("--ping takes seconds above 0, such as 2.5") }
        }
        if let wait {
            guard wait >= 0, wait <= 1_000_000_000 else { throw .usage("--wait takes seconds from 0, such as 2.5") }
            guard !stay, !listen else {
                throw .usage("--wait applies to the end of standard input: leave out --stay and --listen")
            }
        }
        guard (0...1_000_000).contains(reconnect) else {
            throw .usage("--reconnect takes a number from 0 to 1000000")
        }
        return Settings(
            subprotocols: subprotocol, isJSON: json, isBinary: binary, isCompressed: compressed, onlyListens: listen,
            staysConnected: stay, quietTime: wait.map { .seconds($0) }, pingInterval: ping.map { .seconds($0) },
            reconnects: reconnect)
    }

    /// Returns the upgrade request that the arguments describe.
    ///
    /// - Returns: The request.
    /// - Throws: ``CommandError`` that names the invalid argument, and never a credential.
    package func description() throws(CommandError) -> RequestDescription {
        var request = RequestDescription(method: .get, url: WebSocketURL.of(try TargetURL.withoutUser(url)))
        request.fields.append(contentsOf: try header.fields())
        request.query = try RequestArguments.items(query, of: "--query")
        guard user == nil || bearer == nil else {
            throw .usage("--user and --bearer both set Authorization: use only one")
        }
        if let bearer { request.credential = .bearer(try CredentialArgument.read(bearer, of: "--bearer")) }
        if let user {
            guard let halves = try CredentialArgument.read(user, of: "--user")[...].halves(at: ":") else {
                throw .usage("--user takes NAME:PASSWORD, but the value has no colon")
            }
            request.credential = .basic(username: String(halves.before), password: String(halves.behind))
        }
        try connection.apply(to: &request)
        request.followsRedirects = location
        request.isVerbose = verbose
        if let timeout { try request.setTimeout(seconds: timeout) }
        return request
    }
}
#endif
