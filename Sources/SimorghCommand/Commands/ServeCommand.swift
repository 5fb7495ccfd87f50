// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
package import ArgumentParser
import Simorgh
import SimorghSupport
import SimorghTesting

/// `simorgh serve`: runs a server with the routes of httpbin until a signal ends it.
package struct ServeCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Runs an HTTP test server on 127.0.0.1.",
        discussion: """
            The first line of standard output is the URL, which lists the routes. SIGINT and SIGTERM stop the server.

              simorgh serve --port 8080
              simorgh serve --tls --print-ca

            Commands to try with it:

              simorgh get localhost:8080/get
              echo hello | simorgh ws localhost:8080/ws/echo
              simorgh ws 'localhost:8080/ws/ticks?count=5&delay=0.2' --listen
              simorgh stream 'localhost:8080/sse/6?each=2&delay=0.2' --resume
              simorgh subscribe localhost:8080/graphql 'subscription { price(count: 5, delay: 0.2) }'
              simorgh post localhost:8080/graphql --json '{"query": "{ hello }"}'
            """
    )

    @Option(parsing: .unconditional, help: "The port to listen on. Default: any free port.")
    package var port = 0

    @Flag(help: "Also serve TLS, on another port, with a certificate made for this run.")
    package var tls = false

    @Option(parsing: .unconditional, help: "The port for TLS. Default: any free port.")
    package var tlsPort = 0

    @Flag(name: .customLong("print-ca"), help: "With --tls, print the CA certificate instead of saving it.")
    package var printCA = false

    package init() {}

    package func validate() throws {
        guard (0...65535).contains(port), (0...65535).contains(tlsPort) else {
            throw ValidationError("a port is a number from 0 to 65535")
        }
        guard tls || (tlsPort == 0 && !printCA) else {
            throw ValidationError("--tls-port and --print-ca require --tls")
        }
    }

    package func run() async throws {
        var configuration = MockServer.Configuration()
        // No code reads the recorded requests, and the server may run for days.
        configuration.maximumRecordedRequests = 0
        configuration.threads = 2
        let plain = try await Self.start(configuration, on: port)
        var secure: MockServer?
        do {
            if tls {
                configuration.tls = try .init()
                secure = try await Self.start(configuration, on: tlsPort)
            }
            try await announceAndWait(plain: plain, secure: secure, console: .standard)
        } catch {
            await plain.shutdown()
            await secure?.shutdown()
            throw error
        }
        await plain.shutdown()
        await secure?.shutdown()
    }

    private static func start(_ configuration: MockServer.Configuration, on port: Int) async throws -> MockServer {
        var configuration = configuration
        configuration.port = port
        do {
            let server = try await MockServer.start(configuration)
            server.addHTTPBinRoutes()
            return server
        } catch {
            throw CommandError(
                .connection, message: "cannot listen on 127.0.0.1:\(port): \(SystemErrors.text(of: error))")
        }
    }

    private func announceAndWait(
        plain: MockServer, secure: MockServer?, console: Console
    ) async throws {
        try console.say(plain.url)
        guard let secure, let pem = secure.configuration.tls?.certificate.authorityPEM else {
            return await Signals.untilCancelled()
        }
        try console.say(secure.url)
        if printCA {
            try console.say(pem)
            await Signals.untilCancelled()
        } else {
            let folder = try TemporaryFolder()
            let path = folder.path + "/simorgh-ca.pem"
            let file = try FileOutput(path)
            try await file.write(Data(pem.utf8))
            try await file.commit()
            try console.say(path)
            await Signals.untilCancelled()
            folder.remove(["simorgh-ca.pem"])
        }
    }
}
#endif
