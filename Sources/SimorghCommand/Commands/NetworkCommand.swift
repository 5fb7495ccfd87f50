// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
package import ArgumentParser
import Simorgh
import SimorghSupport

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
            been printed; a change of an interface that packets do not use is printed only with --json. With --record \
            everything that the status is derived from is written to a file as JSON, for a bug report. It contains the \
            names and addresses of the interfaces of this machine.

              simorgh network
              simorgh network --watch --json
              simorgh network --record network.json
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

    @Option(help: ArgumentHelp("Write what the status is derived from to a file, and exit.", valueName: "file"))
    package var record: String?

    package init() {}

    package func run() async throws {
        if let count, count < 1 { throw CommandError.usage("--count takes a number above 0") }
        guard watch || count == nil else { throw CommandError.usage("--count requires --watch") }
        guard record == nil || !watch && !json else {
            throw CommandError.usage("--record cannot be combined with --watch or --json")
        }
        let monitor = NetworkMonitor()
        if let record {
            let file = try FileOutput(record)
            try await file.write(Data((try await monitor.recording() + "\n").utf8))
            return try await file.commit()
        }
        let printer = NetworkPrinter(isJSON: json, console: .standard)
        guard watch else { return try await printer.show(monitor.completeStatus()) }
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
