// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
package import ArgumentParser
import Simorgh
import SimorghInspector
import SimorghSupport

/// `simorgh inspect`: shows the calls of a HAR file or of a running process on a page.
package struct InspectCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "Shows the calls of a HAR file or of a running process on a page.",
        discussion: """
            The source is a HAR file, whose page is served on 127.0.0.1 until a signal ends the command, or the id of a \
            process of this user that has started an Inspector. Without a source it lists these processes: id, \
            program, address. Secrets in a file are hidden as in the log. A number is the id of a process: write \
            ./4711 for a file with such a name.

              simorgh inspect session.har --open
              simorgh inspect
              simorgh inspect 4711 --open
            """
    )

    /// The largest HAR file, in bytes.
    private static let maximumFileBytes = 256 * 1024 * 1024

    @Argument(help: "A HAR file, or the id of a process. Default: lists the processes.", completion: .file())
    package var source: String?

    @Option(parsing: .unconditional, help: "The port for the page of a file. Default: any free port.")
    package var port = 0

    @Flag(help: "Open the page in a browser.")
    package var open = false

    package init() {}

    package func validate() throws {
        guard (0...65535).contains(port) else { throw ValidationError("a port is a number from 0 to 65535") }
        guard source != nil || (!open && port == 0) else {
            throw ValidationError("--open and --port need a HAR file or the id of a process")
        }
    }

    package func run() async throws {
        guard let source else { return try list() }
        if let process = Int32(source), process > 0 {
            try showProcess(process)
        } else {
            try await showFile(source)
        }
    }

    private func list() throws {
        let entries = InspectorRegistry().entries()
        guard !entries.isEmpty else {
            throw CommandError(
                .failure, message: "no process of this user has an inspector: start one with Inspector.start(client)")
        }
        for entry in entries {
            try Console.standard.say("\(entry.process)\t\(DisplayText.oneLine(entry.program))\t\(entry.url)")
        }
    }

    private func showProcess(_ process: Int32) throws {
        let entries = InspectorRegistry().entries().filter { $0.process == process }
        guard !entries.isEmpty else {
            throw CommandError(.failure, message: "process \(process) has no inspector (try: simorgh inspect)")
        }
        for entry in entries { try show(entry.url) }
    }

    private func showFile(_ path: String) async throws {
        let document = try Self.document(path)
        let name = path.split(separator: "/").last.map { String($0) } ?? path
        let configuration = Inspector.Configuration()
        let store = InspectorStore(
            configuration, state: InspectorState(document, redacting: configuration.redaction))
        let inspector: Inspector
        do throws(InspectorError) {
            inspector = try await Inspector.open(store, port: port, file: name)
        } catch {
            throw CommandError(.connection, message: "\(error)")
        }
        do {
            try show(inspector.url)
            await Signals.untilCancelled()
        } catch {
            await inspector.stop()
            throw error
        }
        await inspector.stop()
    }

    private func show(_ url: String) throws {
        try Console.standard.say(url)
        guard open, !Browser.open(url) else { return }
        throw CommandError(.failure, message: "no browser could be started: open the address above")
    }

    private static func document(_ path: String) throws(CommandError) -> HARDocument {
        var status = stat()
        guard stat(path, &status) == 0 else { throw .usage("\(path): \(String(cString: strerror(errno)))") }
        // The size of a pipe or a device is not known.
        guard status.st_mode & S_IFMT == S_IFREG else { throw .usage("\(path): not a regular file") }
        guard status.st_size <= maximumFileBytes else { throw .usage("\(path): the file is larger than 256 MiB") }
        guard let bytes = try? Data(contentsOf: URL(filePath: path)) else {
            throw .usage("\(path): the file cannot be read")
        }
        do {
            return try JSONDecoder().decode(HARDocument.self, from: bytes)
        } catch {
            let location = DecodingLocation(error, in: nil)
            let place = location.path.isEmpty ? "" : "\(location.path): "
            throw .usage("\(path): not a HAR file: \(DisplayText.oneLine(place + location.message))")
        }
    }
}
#endif
