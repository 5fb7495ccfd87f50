// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import Hummingbird
import Logging
import ServiceLifecycle

/// The Playground: a page, a server behind it in which Simorgh does all the work, and local servers for it to talk to.
@main
struct Playground {
    static func main() async {
        do {
            try await run()
        } catch {
            FileHandle.standardError.write(Data("playground: \(error)\n".utf8))
            exit(1)
        }
    }

    private static func run() async throws {
        let settings = try PlaygroundSettings(ProcessInfo.processInfo.environment)
        let world = try await World(port: settings.worldPort)
        let folder = try WorkFolder(settings.folder)
        let backend = try await PlaygroundBackend(world, folder: folder.url)
        var logger = Logger(label: "playground")
        logger.logLevel = .error
        let app = Application(
            responder: SameOriginResponder(router: Router<BasicRequestContext>.playground(backend).buildResponder()),
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: settings.port)),
            onServerRunning: { channel in
                let port = channel.localAddress?.port ?? 0
                backend.allowFrames(on: port)
                FileHandle.standardOutput.write(Data("Playground: http://127.0.0.1:\(port)\n".utf8))
            },
            logger: logger
        )
        var lifecycle = ServiceGroupConfiguration(
            services: [app], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
        // Neither an open page, which listens as long as it is open, nor a paused film keeps the process alive.
        lifecycle.maximumGracefulShutdownDuration = .seconds(1)
        // Ends on SIGTERM and SIGINT, or with an error if the port is in use.
        let outcome: Result<Void, any Error>
        do {
            try await ServiceGroup(configuration: lifecycle).run()
            outcome = .success(())
        } catch is CancellationError {
            // A reader was still connected after the graceful shutdown.
            outcome = .success(())
        } catch {
            outcome = .failure(error)
        }
        // The downloads are closed first, so that nothing writes to the folder while it is removed.
        await backend.downloads.close()
        await backend.inspector?.stop()
        await world.stop()
        folder.leave()
        try outcome.get()
    }
}
