// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import ArgumentParser
import Simorgh
import SimorghSupport
import SimorghTesting

/// `simorgh serve`: the loopback server, until a signal ends it.
package struct ServeCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serves HTTP on 127.0.0.1, for clients to be tried against.",
        discussion: """
            The first line of standard output is the URL, which lists what it answers. SIGINT and SIGTERM end it.

              simorgh serve --port 8080
              simorgh serve --tls --print-ca

            Every command can be tried against it:

              simorgh get localhost:8080/get
              echo hello | simorgh ws localhost:8080/ws/echo
              simorgh ws 'localhost:8080/ws/ticks?count=5&delay=0.2' --listen
              simorgh stream 'localhost:8080/sse/6?each=2&delay=0.2' --resume
              simorgh subscribe localhost:8080/graphql 'subscription { price(count: 5, delay: 0.2) }'
              simorgh post localhost:8080/graphql --json '{"query": "{ hello }"}'
            """
    )

    @Option(parsing: .unconditional, help: "The port to listen on; a free one by default.")
    package var port = 0

    @Flag(help: "Speak TLS too, on a port of its own, with a certificate made for this run.")
    package var tls = false

    @Option(parsing: .unconditional, help: "The port for TLS; a free one by default.")
    package var tlsPort = 0

    @Flag(name: .customLong("print-ca"), help: "With --tls, print the authority's certificate instead of saving it.")
    package var printCA = false

    package init() {}

    package func validate() throws {
        guard (0...65535).contains(port), (0...65535).contains(tlsPort) else {
            throw ValidationError("a port is a number from 0 to 65535")
        }
        guard tls || (tlsPort == 0 && !printCA) else {
            throw ValidationError("--tls-port and --print-ca are about TLS: add --tls")
        }
    }

    package func run() async throws {
        var configuration = LoopbackServer.Configuration()
        configuration.port = port
        configuration.securePort = tlsPort
        configuration.tls = tls ? .trusted : nil
        let server: LoopbackServer
        do {
            server = try await LoopbackServer.start(configuration)
        } catch {
            throw CommandFailure(.connection, "the port cannot be had: \(SystemErrors.text(of: error))")
        }
        do {
            try await announceAndWait(server, .standard)
        } catch {
            await server.shutdown()
            throw error
        }
        await server.shutdown()
    }

    private func announceAndWait(_ server: LoopbackServer, _ console: Console) async throws {
        try console.say(server.url)
        guard let url = server.httpsURL, let pem = server.certificatePEM else { return await Self.untilCancelled() }
        try console.say(url)
        if printCA {
            try console.say(pem)
            await Self.untilCancelled()
        } else {
            let folder = try TemporaryFolder()
            let path = folder.path + "/simorgh-ca.pem"
            let file = try FileOutput(path)
            try await file.write(Data(pem.utf8))
            try await file.commit()
            try console.say(path)
            await Self.untilCancelled()
            folder.remove(["simorgh-ca.pem"])
        }
    }

    /// Waits for what never comes, until the task is cancelled.
    private static func untilCancelled() async {
        let (nothing, end) = AsyncStream<Never>.makeStream()
        for await _ in nothing {}
        end.finish()
    }
}
