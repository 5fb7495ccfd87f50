// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
package import ArgumentParser
import Simorgh
import SimorghSupport
import SimorghTesting

/// `simorgh demo`: demonstrates the library, each step with its code and its real output.
package struct DemoCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Demonstrates the library with a server in the same process.",
        discussion: """
            The exit status is 0, or 1 with the name of the step that failed.

              simorgh demo
            """
    )

    package init() {}

    package func run() async throws {
        let console = Console.standard
        let start = ContinuousClock.now
        try await MockServer.with { server in
            server.addHTTPBinRoutes()
            DemoServer.addRoutes(to: server)
            let palette = console.outputPalette
            try console.say(palette.styled("Simorgh \(SimorghVersion.current)", as: .strong))
            try console.say("Each step shows the code that runs, and what it prints (→).")
            try console.say("The server is at \(server.url), in this process.")
            let environment = DemoEnvironment(server: server, console: console)
            for (index, step) in DemoStep.all.enumerated() {
                try await show(step, number: index + 1, in: environment, on: console)
            }
        }
        let time = DisplayText.milliseconds(ContinuousClock.now - start)
        try console.say("")
        try console.say("All \(DemoStep.all.count) steps succeeded, in \(time).")
    }

    private func show(
        _ step: DemoStep, number: Int, in environment: DemoEnvironment, on console: Console
    ) async throws {
        let palette = console.outputPalette
        try console.say("")
        try console.say(palette.styled("\(number). \(step.title)", as: .strong))
        try console.say("")
        for line in step.code.split(separator: "\n", omittingEmptySubsequences: false) {
            try console.say(line.isEmpty ? "" : "    " + palette.styled(String(line), as: .key))
        }
        try console.say("")
        do {
            try await step.run(environment)
        } catch let failure as OutputError {
            throw failure
        } catch let error as NetworkError where error.isCancelled && Task.isCancelled {
            throw CancellationError()
        } catch {
            throw CommandError(.failure, message: "step \(number), “\(step.title)”, failed: \(error)")
        }
    }
}
#endif
