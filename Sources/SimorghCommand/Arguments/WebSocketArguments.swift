// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
package import ArgumentParser
import Simorgh

/// The arguments of a conversation over a WebSocket.
package struct WebSocketArguments: ParsableArguments {
    @Argument(help: "What to connect to: ws:// or wss://.")
    package var url: String

    @Option(
        name: [.customShort("H"), .customLong("header")], parsing: .unconditionalSingleValue,
        help: ArgumentHelp("A header field of the upgrade request; repeat it for more.", valueName: "name: value"))
    package var headers: [String] = []

    @Option(
        name: .customLong("query"), parsing: .unconditionalSingleValue,
        help: ArgumentHelp("A field of the query, escaped here; repeat it for more.", valueName: "name=value"))
    package var query: [String] = []

    @Option(help: ArgumentHelp("A subprotocol to offer, the best first; repeat it for more.", valueName: "name"))
    package var subprotocol: [String] = []

    @Flag(help: "Print what happens, messages and all, as a line of JSON each.")
    package var json = false

    @Flag(help: "Send the lines as bytes, and print bytes that come as they are.")
    package var binary = false

    @Flag(help: "Offer compression (permessage-deflate).")
    package var compressed = false

    @Flag(help: "Do not read standard input; stay until the server says goodbye.")
    package var listen = false

    @Flag(help: "At the end of standard input stay until the server says goodbye.")
    package var stay = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "At the end of standard input close when no message has come for so long; 2 by default.",
            discussion: "A message counts when all of it has come. A chatty server keeps it open; 0 closes at once.",
            valueName: "seconds"))
    package var wait: Double?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Send a ping so often, and tell how long its answer takes; with --json in seconds.", valueName: "seconds"))
    package var ping: Double?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "How often in a row to connect again after a loss; not at all by default.", valueName: "times"))
    package var reconnect = 0

    @Flag(
        name: [.customShort("L"), .long],
        help: "Follow redirects of the upgrade, 20 at most; credentials stay with their origin.")
    package var location = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The longest time for connecting.", valueName: "seconds"))
    package var timeout: Double?

    @Option(
        name: .customLong("cacert"),
        help: ArgumentHelp("Certificates in PEM to trust in place of the system's.", valueName: "file"),
        completion: .file())
    package var certificates: String?

    @Flag(
        name: [.customShort("v"), .long],
        help: "Show both heads, which way each message goes, its kind and size, and pongs; credentials are hidden.")
    package var verbose = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("A user name and a password, sent as they are.", valueName: "name:password|@file"))
    package var user: String?

    @Option(parsing: .unconditional, help: ArgumentHelp("A bearer token.", valueName: "token|@file"))
    package var bearer: String?

    @OptionGroup(title: "Connections") package var connection: ConnectionArguments

    package init() {}

    /// What a conversation is like.
    package struct Settings: Sendable, Equatable {
        package var subprotocols: [String] = []
        package var isJSON = false
        package var isBinary = false
        package var isCompressed = false
        package var onlyListens = false
        package var stays = false
        /// The time without a message after the end of standard input that closes the connection; `nil` for
        /// ``standardQuiet``, or no time at all if nothing was sent.
        package var quiet: Duration?
        package var pingInterval: Duration?
        package var reconnects = 0

        /// The time without a message that closes the connection if `--wait` is not given.
        package static let standardQuiet = Duration.seconds(2)
    }

    /// The conversation that the arguments describe.
    ///
    /// - Returns: What it is like.
    /// - Throws: ``CommandFailure`` that says which argument is wrong.
    package func settings() throws(CommandFailure) -> Settings {
        if let ping {
            guard ping > 0, ping <= 1_000_000_000 else { throw .usage("--ping takes seconds above 0, such as 2.5") }
        }
        if let wait {
            guard wait >= 0, wait <= 1_000_000_000 else { throw .usage("--wait takes seconds from 0, such as 2.5") }
            guard !stay, !listen else {
                throw .usage("--wait is for the end of standard input: leave out --stay and --listen")
            }
        }
        guard (0...1_000_000).contains(reconnect) else {
            throw .usage("--reconnect takes a number from 0 to 1000000")
        }
        return Settings(
            subprotocols: subprotocol, isJSON: json, isBinary: binary, isCompressed: compressed, onlyListens: listen,
            stays: stay, quiet: wait.map { .seconds($0) }, pingInterval: ping.map { .seconds($0) },
            reconnects: reconnect)
    }

    /// The upgrade request that the arguments describe.
    ///
    /// - Returns: The request.
    /// - Throws: ``CommandFailure`` that says which argument is wrong, and no credential.
    package func description() throws(CommandFailure) -> RequestDescription {
        var request = RequestDescription(method: .get, url: WebSocketURL.of(try TargetURL.withoutUser(url)))
        for (index, text) in headers.enumerated() {
            request.fields.append(try RequestArguments.field(text, at: index))
        }
        request.query = try RequestArguments.items(query, of: "--query")
        guard user == nil || bearer == nil else {
            throw .usage("--user and --bearer both make Authorization: give one")
        }
        if let bearer { request.credential = .bearer(try SecretText.read(bearer, of: "--bearer")) }
        if let user {
            guard let halves = try SecretText.read(user, of: "--user")[...].halves(at: ":") else {
                throw .usage("--user takes NAME:PASSWORD, and has no colon")
            }
            request.credential = .basic(username: String(halves.before), password: String(halves.behind))
        }
        try connection.apply(to: &request)
        request.followsRedirects = location
        request.isVerbose = verbose
        request.certificates = certificates
        if let timeout {
            guard timeout > 0, timeout <= 1_000_000_000 else {
                throw .usage("--timeout takes seconds above 0, such as 2.5")
            }
            request.timeout = .seconds(timeout)
        }
        return request
    }
}
#endif
