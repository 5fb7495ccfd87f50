// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
package import ArgumentParser
import Simorgh

/// `simorgh network`: says what way this machine has to the internet.
package struct NetworkCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "network",
        abstract: "Tells what way this machine has to the internet, and whether a VPN carries it.",
        discussion: """
            It asks the system and sends nothing, so whether the internet answers, its reachability, stays unknown. Since \
            when there is such a way is told as far as the command has watched. A VPN is active where packets to the \
            internet go through its tunnel, and present where its tunnel is up with an address. With --watch each change \
            is told with its time, until the command is interrupted or --count changes have been told: one of a device \
            that packets do not take with --json alone.

              simorgh network
              simorgh network --watch --json
            """
    )

    @Flag(name: .shortAndLong, help: "Go on, and tell each change.")
    package var watch = false

    @Flag(help: "Print objects of JSON, one on each line.")
    package var json = false

    @Option(
        name: .shortAndLong, parsing: .unconditional,
        help: ArgumentHelp("With --watch: end after so many lines.", valueName: "number"))
    package var count: Int?

    package init() {}

    package func run() async throws {
        if let count, count < 1 { throw CommandFailure.usage("--count takes a number above 0") }
        guard watch || count == nil else { throw CommandFailure.usage("--count is for --watch") }
        let printer = NetworkPrinter(isJSON: json, console: .standard)
        let monitor = NetworkMonitor()
        guard watch else { return try await printer.show(monitor.currentStatus) }
        monitor.startMonitoring()
        var told = 0
        var last: String?
        for await status in monitor.detailedStatusStream() {
            let news = NetworkPrinter.news(status)
            // A line that says what the last one did says nothing.
            guard json || news != last else { continue }
            last = news
            try await printer.tell(status, at: status.told)
            told += 1
            if told == count { return }
        }
        // A stream ends only with its monitor, or with the task.
        throw CancellationError()
    }
}
#endif
