// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
package import ArgumentParser
import Simorgh
import SimorghSupport

/// `simorgh download URL…`.
package struct DownloadCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "download",
        abstract: "Downloads files over several connections, and resumes interrupted downloads.",
        discussion: """
            A file gets its name when it is complete. The data of an interrupted download is kept beside it: run the \
            same command again with --continue to resume, if the server confirms that the file has not changed. With \
            --continue, an existing file is not downloaded again if it has the length that the server reports and is \
            not older than the server's. Several commands may download into one folder at the same time, but not the \
            same URL. The exit status is 0 if all files are complete and valid.

              simorgh download https://example.com/film.mp4 --continue
              simorgh download --input-file urls.txt --output-dir films --parallel 2 --limit-rate 2M
              simorgh download https://example.com/a.iso --checksum sha-256=HEX
              simorgh download https://example.com/a.tar --output - | tar x
              simorgh download https://example.com/a.iso --json

            With --json each line is an object with id, url, file, state, received, total, speed, eta, wait, \
            connections, path and error. The last object of a file has the state completed and the path, or the error; \
            wait is the number of seconds until the next attempt.

            \(ProgramStatus.pointer)
            """
    )

    @Argument(help: "The URLs; without a scheme it is https://.")
    package var urls: [String] = []

    @Option(
        name: [.short, .long],
        help: ArgumentHelp(
            "The file, for one URL; an existing file is replaced. - is standard output.",
            discussion: "A device such as /dev/null or a named pipe gets bytes as they arrive.", valueName: "file"),
        completion: .file())
    package var output: String?

    @Option(
        help: ArgumentHelp("The folder of the files. Default: the working folder.", valueName: "folder"),
        completion: .directory)
    package var outputDir: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The number of connections for one file, from 1 to 8.", valueName: "number"))
    package var segments = 4

    @Option(
        parsing: .unconditional, help: ArgumentHelp("The maximum total bytes per second: 500k, 2M.", valueName: "rate"))
    package var limitRate: String?

    @Option(help: ArgumentHelp("The hash that the file must have, for one URL.", valueName: "sha-256=hex"))
    package var checksum: String?

    @Flag(
        name: [.customShort("c"), .customLong("continue")],
        help: "Resume interrupted downloads, and skip complete files.")
    package var continues = false

    @Option(
        help: ArgumentHelp("The priority of the files.", valueName: "low|normal|high|critical"),
        completion: .list(["low", "normal", "high", "critical"]))
    package var priority: String?

    @Option(
        name: [.short, .long],
        help: ArgumentHelp(
            "A file with more URLs, one per line; # starts a comment, and - is standard input.", valueName: "file"),
        completion: .file())
    package var inputFile: String?

    @Option(parsing: .unconditional, help: ArgumentHelp("The number of simultaneous downloads.", valueName: "number"))
    package var parallel = 3

    @Flag(help: "Print the progress of each file, one JSON object per line.")
    package var json = false

    @OptionGroup package var header: HeaderArguments

    @OptionGroup package var version: VersionArguments

    @OptionGroup(title: "Credentials, retries, redirects, cookies") package var session: SessionArguments

    @OptionGroup(title: "Connections") package var connection: ConnectionArguments

    package init() {}

    package func run() async throws {
        var list: URLList?
        if let inputFile { list = try await URLList.read(inputFile) }
        let job = try job(list)
        var request = RequestDescription(method: .get, url: job.requests.first?.url ?? "")
        for field in try header.fields() {
            guard !DownloadAttempt.ownFields.contains(field.name.canonicalName) else {
                throw CommandError.usage(
                    "-H \(field.name.rawName): a download sets its own ranges and content coding; "
                        + "use simorgh get to send this field")
            }
            request.fields.append(field)
        }
        try session.apply(to: &request)
        try connection.apply(to: &request)
        request.followsRedirects = true
        request.httpVersion = version.choice
        if job.sink != nil { request.retries = job.retries }
        let exchange = RequestExchange(request: request, console: .standard)
        if let sink = job.sink {
            try await exchange.runDownload(job, to: sink)
        } else {
            try await exchange.runDownloads(job)
        }
    }

    /// Returns the work to do.
    ///
    /// - Parameter list: The URLs of ``inputFile``.
    /// - Returns: The job.
    /// - Throws: ``CommandError``. An invalid URL in the list does not throw: it is added to the job's faults.
    package func job(_ list: URLList? = nil) throws -> DownloadJob {
        let count = urls.count + (list?.lines.count ?? 0)
        guard count > 0 else { throw CommandError.usage("the URL is missing: add one, or use --input-file FILE") }
        guard count == 1 || output == nil && checksum == nil else {
            throw CommandError.usage("--output and --checksum are for one URL")
        }
        guard output == nil || outputDir == nil else { throw CommandError.usage("--output excludes --output-dir") }
        guard (1...8).contains(segments) else { throw CommandError.usage("--segments takes a number from 1 to 8") }
        guard (1...64).contains(parallel) else { throw CommandError.usage("--parallel takes a number from 1 to 64") }
        guard output?.isEmpty != true, outputDir?.isEmpty != true else {
            throw CommandError.usage("--output and --output-dir take a name")
        }
        guard output?.utf8.last != UInt8(ascii: "/") else {
            throw CommandError.usage("--output takes the name of a file, and --output-dir that of a folder")
        }
        let target = try Self.target(output: output, folder: outputDir)
        var job = DownloadJob(folder: target.state)
        job.sink = target.sink
        job.isShared = output == nil
        if job.sink != nil, continues || json {
            throw CommandError.usage("--\(continues ? "continue" : "json") requires an --output that is a file")
        }
        job.segments = segments
        job.parallel = parallel
        job.retries = session.retry ?? 3
        job.continues = continues
        job.isJSON = json
        job.bytesPerSecond = try limitRate.map(Self.rate)
        if let checksum {
            guard let digest = DownloadDigest(checksum) else {
                throw CommandError.usage("--checksum takes sha-256=HEX, sha-384=HEX or sha-512=HEX")
            }
            job.digest = digest
        }
        let priority = try level()
        func add(_ text: String) throws(CommandError) {
            var request = DownloadRequest(url: try Self.url(text), fileName: target.name, priority: priority)
            request.destination = URL(filePath: target.folder, directoryHint: .isDirectory)
            request.collision =
                output == nil
                ? continues ? .skipIfSame : .uniquify : continues ? .replaceUnlessSame : .overwrite
            request.keepsFileName = output != nil
            request.digest = job.digest
            job.requests.append(request)
        }
        for text in urls { try add(text) }
        for line in list?.lines ?? [] {
            do throws(CommandError) {
                try add(line.text)
            } catch {
                job.faults.append("\(list?.name ?? ""), line \(line.number): \(error.message ?? "it is not a URL")")
            }
        }
        Self.disableReuseForEqualNames(&job.requests)
        return job
    }

    /// Disables the use of existing files if several URLs have the same file name: the length does not tell them apart.
    private static func disableReuseForEqualNames(_ requests: inout [DownloadRequest]) {
        let groups = Dictionary(grouping: requests.indices) { DownloadQueue.guess(requests[$0]) }
        for indices in groups.values where Set(indices.map { DownloadHost.normalized(requests[$0].url) }).count > 1 {
            for index in indices where requests[index].collision == .skipIfSame && requests[index].digest == nil {
                requests[index].collision = .uniquify
            }
        }
    }

    /// Returns the URL if it can be downloaded.
    private static func url(_ text: String) throws(CommandError) -> URL {
        let whole = try TargetURL.complete(text)
        do {
            _ = try BaseURL.absolute(whole)
        } catch {
            throw .usage("\(shown(whole)): \(error)")
        }
        guard let url = URL(string: whole), DownloadHost.isValid(url.absoluteString) else {
            throw .usage("\(shown(whole)) is not an http or https URL that can be downloaded")
        }
        return url
    }

    private static func shown(_ url: String) -> String { DisplayText.oneLine(Redaction.shown(url: url)) }

    private static func target(
        output: String?, folder: String?
    ) throws -> (folder: String, name: String?, state: String, sink: DownloadJob.Sink?) {
        guard let output else {
            let folder = whole(folder ?? ".")
            return (folder, nil, folder + "/.simorgh-downloads", nil)
        }
        if output == "-" { return ("", nil, "", .standardOutput) }
        let given = whole(output)
        if FileOutput.isDevice(given) { return ("", nil, "", .device(given)) }
        // Follows a symbolic link, and refuses to replace anything but a regular file.
        let path = URL(filePath: given).resolvingSymlinksInPath()
        let name = path.lastPathComponent
        guard !DownloadFileSystem.exists(path.path) || DownloadFileSystem.length(of: path.path) != nil else {
            throw CommandError(.output, message: "\(DisplayText.oneLine(output)) exists and is not a regular file")
        }
        let folder = path.deletingLastPathComponent().path
        return (folder, name, folder + "/" + Self.state(of: name), nil)
    }

    /// Returns an absolute path without `.` components; `..` stays, because the component before it may be a link.
    private static func whole(_ path: String) -> String {
        let isWhole = path.utf8.first == UInt8(ascii: "/")
        let all = isWhole ? path : FileManager.default.currentDirectoryPath + "/" + path
        let parts = all.utf8.split(separator: UInt8(ascii: "/")).filter { !$0.elementsEqual(".".utf8) }
        return "/" + parts.map { String(Substring($0)) }.joined(separator: "/")
    }

    /// Returns the name of the folder beside a file that keeps its partial data; a long name is shortened and gets a
    /// checksum.
    private static func state(of name: String) -> String {
        let (before, behind) = (".", ".simorgh-download")
        guard before.utf8.count + name.utf8.count + behind.utf8.count > 255 else { return before + name + behind }
        var short = name.prefix(200)
        while short.utf8.count > 200 { short.removeLast() }
        return "\(before)\(short)-\(String(CRC32.of(name.utf8), radix: 16))\(behind)"
    }

    private func level() throws -> DownloadPriority {
        switch priority?.lowercased() {
        case nil, "normal": .normal
        case "low": .low
        case "high": .high
        case "critical": .critical
        default: throw CommandError.usage("--priority takes low, normal, high or critical")
        }
    }

    /// Parses a number of bytes: `500k`, `2M`, `1.5g`.
    package static func rate(_ text: String) throws -> Int64 {
        let count = Quantity.bytes(text)
        guard let count, count > 0 else {
            throw CommandError.usage("--limit-rate takes bytes per second, such as 500k or 2M")
        }
        return count
    }
}
#endif
