// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import Hummingbird
import Logging
import ServiceLifecycle

/// The Playground: a page, a server behind it in which Simorgh does all the work, and a world for it to talk to.
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
        let desk = try Desk(world, folder: folder.url)
        var logger = Logger(label: "playground")
        logger.logLevel = .error
        let app = Application(
            responder: Doorkeeper(router: Router<BasicRequestContext>.playground(desk).buildResponder()),
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: settings.port)),
            onServerRunning: { channel in
                let port = channel.localAddress?.port ?? 0
                FileHandle.standardOutput.write(Data("Playground: http://127.0.0.1:\(port)\n".utf8))
            },
            logger: logger
        )
        var lifecycle = ServiceGroupConfiguration(
            services: [app], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
        // A page that is open listens for as long as it is, and a film that is paused waits: neither keeps the process.
        lifecycle.maximumGracefulShutdownDuration = .seconds(1)
        // Ends on SIGTERM and SIGINT, and where the port is taken.
        let outcome: Result<Void, any Error>
        do {
            try await ServiceGroup(configuration: lifecycle).run()
            outcome = .success(())
        } catch is CancellationError {
            // Somebody was still listening when the second was over.
            outcome = .success(())
        } catch {
            outcome = .failure(error)
        }
        // Nothing writes to the folder any more when it goes.
        await desk.downloads.close()
        await world.stop()
        folder.leave()
        try outcome.get()
    }
}
