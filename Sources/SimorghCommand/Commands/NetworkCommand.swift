// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
package import ArgumentParser
import Simorgh

/// `simorgh network`: shows how this machine connects to the internet.
package struct NetworkCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "network",
        abstract: "Shows how this machine connects to the internet, and whether a VPN is active.",
        discussion: """
            The command asks the operating system and sends no packets, so the reachability of the internet stays \
            unknown. The time of the last change is only known since the command has started. A VPN is active if \
            packets to the internet go through its tunnel, and present if its tunnel is up with an address. With \
            --watch each change is printed with its time, until the command is interrupted or --count changes have \
            been printed; a change of an interface that packets do not use is printed only with --json.

              simorgh network
              simorgh network --watch --json
            """
    )

    @Flag(name: .shortAndLong, help: "Keep running, and print each change.")
    package var watch = false

    @Flag(help: "Print one JSON object per line.")
    package var json = false

    @Option(
        name: .shortAndLong, parsing: .unconditional,
        help: ArgumentHelp("With --watch: stop after this many lines.", valueName: "number"))
    package var count: Int?

    package init() {}

    package func run() async throws {
        if let count, count < 1 { throw CommandError.usage("--count takes a number above 0") }
        guard watch || count == nil else { throw CommandError.usage("--count requires --watch") }
        let printer = NetworkPrinter(isJSON: json, console: .standard)
        let monitor = NetworkMonitor()
        guard watch else { return try await printer.show(monitor.currentStatus) }
        monitor.startMonitoring()
        var printed = 0
        var last: String?
        for await status in monitor.detailedStatusStream() {
            let changeText = NetworkPrinter.changeText(status)
            // Without JSON, skips a change that would print the same line again.
            guard json || changeText != last else { continue }
            last = changeText
            try await printer.printChange(status, at: status.receivedAt)
            printed += 1
            if printed == count { return }
        }
        // The stream ends only with its monitor or with the task.
        throw CancellationError()
    }
}
#endif
