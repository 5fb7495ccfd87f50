// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
package import ArgumentParser
import Simorgh
import SimorghSupport
import SimorghTesting

/// `simorgh proxy`: relays connections to a server, and makes them bad, until a signal ends it.
package struct ProxyCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "proxy",
        abstract: "Relays connections to a server, and makes them slow, lossy or broken.",
        discussion: """
            The proxy listens on 127.0.0.1. The first line of standard output is its URL: send requests there instead \
            of to the server. It relays bytes, so HTTP/2, TLS and WebSockets work, too. SIGINT and SIGTERM stop it.

              simorgh proxy --to localhost:8080 --latency 200ms --loss 1%
              simorgh proxy --to http://api.example.com --bandwidth 50k --direction down
              simorgh proxy --to localhost:8080 --cut-after 1M --cut stall

            The client's Host field names the proxy. For TLS, and for a server that needs its own name, use that name \
            with the address of the proxy:

              simorgh proxy --to https://example.com --port 8443 --latency 1s
              simorgh get https://example.com:8443/ --resolve example.com:8443:127.0.0.1

            If the server cannot be reached, the proxy closes the client's connection.
            """
    )

    @Option(help: ArgumentHelp("The server: a URL without a path, or HOST:PORT.", valueName: "url"))
    package var to: String

    @Option(parsing: .unconditional, help: "The port to listen on. Default: any free port.")
    package var port = 0

    @OptionGroup(title: "The connection")
    package var faults: FaultArguments

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The largest number of connections at the same time; others are closed.", valueName: "number"))
    package var connections = 1000

    package init() {}

    package func validate() throws {
        guard (0...65535).contains(port) else { throw ValidationError("a port is a number from 0 to 65535") }
        guard (1...10_000).contains(connections) else { throw ValidationError("--connections takes 1 to 10000") }
    }

    package func run() async throws {
        let target = try Self.target(to)
        var configuration = FaultProxy.Configuration()
        (configuration.upstream, configuration.downstream) = try faults.faults()
        configuration.port = port
        configuration.maximumConnections = connections
        configuration.threads = 2
        let proxy: FaultProxy
        do {
            proxy = try await FaultProxy.start(configuration, to: target.port, on: target.host)
        } catch {
            throw CommandError(
                .connection, message: "cannot listen on 127.0.0.1:\(port): \(SystemErrors.text(of: error))")
        }
        do {
            try Console.standard.say("\(target.scheme)://127.0.0.1:\(proxy.port)")
            await Signals.untilCancelled()
        } catch {
            await proxy.shutdown()
            throw error
        }
        await proxy.shutdown()
    }

    /// Returns the server that a text names.
    ///
    /// - Throws: ``CommandError`` for a text that is not the URL of a server, or has a path.
    package static func target(_ text: String) throws(CommandError) -> (scheme: String, host: String, port: Int) {
        let url = try TargetURL.withoutUser(text, advice: "leave them out, the client sends them")
        let base: BaseURL
        do throws(InvalidRequestError) {
            base = try BaseURL(url, schemes: ["http", "https", "ws", "wss"])
        } catch {
            throw .usage("--to takes the URL of a server: \(error.message)")
        }
        guard base.pathPrefix.isEmpty, base.query == nil else {
            throw .usage("--to takes a URL without a path or query: the proxy relays connections, not requests")
        }
        return (base.scheme, base.host, base.port)
    }
}
#endif
