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
        abstract: "Downloads files, in several parts at a time where the server gives them.",
        discussion: """
            A file has its name when it is whole, and not before. What was cut off is kept beside it: run the same command \
            again with --continue, and it goes on from the byte, provided that the server says that the file is still the \
            same. With --continue a file that is there already, with the length that the server tells and not older than \
            the server's, is not fetched again. Several commands may download into one folder at the same time, each URL \
            by one of them. The exit status is 0 when all files are there, whole and right.

              simorgh download https://example.com/film.mp4 --continue
              simorgh download --input-file urls.txt --output-dir films --parallel 2 --limit-rate 2M
              simorgh download https://example.com/a.iso --checksum sha-256=HEX
              simorgh download https://example.com/a.tar --output - | tar x
              simorgh download https://example.com/a.iso --json

            With --json each line is an object with id, url, file, state, received, total, speed, eta, wait, connections, \
            path and error; the last one of a file has the state completed, with its path, or tells the error; wait is the \
            number of seconds until the next attempt.

            \(ProgramStatus.pointer)
            """
    )

    @Argument(help: "Where they are; without a scheme it is https://.")
    package var urls: [String] = []

    @Option(
        name: [.short, .long],
        help: ArgumentHelp(
            "The file, for one URL; one that is there is replaced. - is standard output.",
            discussion: "A device, such as /dev/null, or a named pipe takes the bytes as they come.", valueName: "file"),
        completion: .file())
    package var output: String?

    @Option(
        help: ArgumentHelp("The folder of the files; the working folder by default.", valueName: "folder"),
        completion: .directory)
    package var outputDir: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("How many connections fetch one file, from 1 to 8.", valueName: "number"))
    package var segments = 4

    @Option(
        parsing: .unconditional, help: ArgumentHelp("The most bytes a second for all: 500k, 2M.", valueName: "rate"))
    package var limitRate: String?

    @Option(help: ArgumentHelp("The hash that the file must have, for one URL.", valueName: "sha-256=hex"))
    package var checksum: String?

    @Flag(
        name: [.customShort("c"), .customLong("continue")],
        help: "Go on with what an earlier run left, and leave out what is there.")
    package var continues = false

    @Option(
        help: ArgumentHelp("How soon their turn comes.", valueName: "low|normal|high|critical"),
        completion: .list(["low", "normal", "high", "critical"]))
    package var priority: String?

    @Option(
        name: [.short, .long],
        help: ArgumentHelp(
            "More URLs, one in each line; # begins a comment, and - is standard input.", valueName: "file"),
        completion: .file())
    package var inputFile: String?

    @Option(parsing: .unconditional, help: ArgumentHelp("How many files at a time.", valueName: "number"))
    package var parallel = 3

    @Flag(help: "Print how far each file is as objects of JSON, one on each line.")
    package var json = false

    @Option(
        name: [.customShort("H"), .customLong("header")], parsing: .unconditionalSingleValue,
        help: ArgumentHelp("A header field; repeat it for more.", valueName: "name: value"))
    package var headers: [String] = []

    @Option(
        name: .customLong("cacert"),
        help: ArgumentHelp("Certificates in PEM to trust in place of the system's.", valueName: "file"),
        completion: .file())
    package var certificates: String?

    @OptionGroup package var version: VersionArguments

    @OptionGroup(title: "Credentials, retries, redirects, cookies") package var session: SessionArguments

    @OptionGroup(title: "Connections") package var connection: ConnectionArguments

    package init() {}

    package func run() async throws {
        var list: URLList?
        if let inputFile { list = try await URLList.read(inputFile) }
        let job = try job(list)
        var request = RequestDescription(method: .get, url: job.requests.first?.url ?? "")
        for (index, text) in headers.enumerated() {
            let field = try RequestArguments.field(text, at: index)
            guard !DownloadRun.ownFields.contains(field.name.canonicalName) else {
                throw CommandFailure.usage(
                    "-H \(field.name.rawName): a download decides itself which parts it asks for, and in which coding; "
                        + "simorgh get takes the field")
            }
            request.fields.append(field)
        }
        try session.apply(to: &request)
        try connection.apply(to: &request)
        request.followsRedirects = true
        request.certificates = certificates
        request.httpVersion = version.choice
        if job.sink != nil { request.retries = job.retries }
        let exchange = RequestExchange(request: request, console: .standard)
        if let sink = job.sink {
            try await exchange.runDownload(job, to: sink)
        } else {
            try await exchange.runDownloads(job)
        }
    }

    /// What is to be done, as a value.
    ///
    /// - Parameter list: The URLs of ``inputFile``.
    /// - Returns: The job.
    /// - Throws: ``CommandFailure``. A URL of the list that cannot be downloaded is no reason: the job tells of it.
    package func job(_ list: URLList? = nil) throws -> DownloadJob {
        let count = urls.count + (list?.lines.count ?? 0)
        guard count > 0 else { throw CommandFailure.usage("there is no URL: give one, or --input-file FILE") }
        guard count == 1 || output == nil && checksum == nil else {
            throw CommandFailure.usage("--output and --checksum are for one URL")
        }
        guard output == nil || outputDir == nil else { throw CommandFailure.usage("give --output or --output-dir") }
        guard (1...8).contains(segments) else { throw CommandFailure.usage("--segments takes a number from 1 to 8") }
        guard (1...64).contains(parallel) else { throw CommandFailure.usage("--parallel takes a number from 1 to 64") }
        guard output?.isEmpty != true, outputDir?.isEmpty != true else {
            throw CommandFailure.usage("--output and --output-dir take a name")
        }
        guard output?.utf8.last != UInt8(ascii: "/") else {
            throw CommandFailure.usage("--output takes the name of a file, and --output-dir that of a folder")
        }
        let target = try Self.target(output, outputDir)
        var job = DownloadJob(folder: target.state)
        job.sink = target.sink
        job.isShared = output == nil
        if job.sink != nil, continues || json {
            throw CommandFailure.usage("--\(continues ? "continue" : "json") is for files, and --output is none")
        }
        job.segments = segments
        job.parallel = parallel
        job.retries = session.retry ?? 3
        job.continues = continues
        job.isJSON = json
        job.bytesPerSecond = try limitRate.map(Self.rate)
        if let checksum {
            guard let digest = DownloadDigest(checksum) else {
                throw CommandFailure.usage("--checksum takes sha-256=HEX, sha-384=HEX or sha-512=HEX")
            }
            job.digest = digest
        }
        let priority = try level()
        func add(_ text: String) throws(CommandFailure) {
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
            do throws(CommandFailure) {
                try add(line.text)
            } catch {
                job.faults.append("\(list?.name ?? ""), line \(line.number): \(error.message ?? "it is no URL")")
            }
        }
        Self.separate(&job.requests)
        return job
    }

    /// Has no file of a name taken for the one that is asked for where several URLs give the name: a length does not tell
    /// which of them it is.
    private static func separate(_ requests: inout [DownloadRequest]) {
        let groups = Dictionary(grouping: requests.indices) { DownloadCore.guess(requests[$0]) }
        for places in groups.values where Set(places.map { DownloadHost.normalised(requests[$0].url) }).count > 1 {
            for place in places where requests[place].collision == .skipIfSame && requests[place].digest == nil {
                requests[place].collision = .uniquify
            }
        }
    }

    /// A URL that can be downloaded.
    private static func url(_ text: String) throws(CommandFailure) -> URL {
        let whole = try TargetURL.complete(text)
        do {
            _ = try BaseURL.absolute(whole)
        } catch {
            throw .usage("\(shown(whole)): \(error)")
        }
        guard let url = URL(string: whole), DownloadHost.isValid(url.absoluteString) else {
            throw .usage("\(shown(whole)) is no URL of http or https that can be downloaded")
        }
        return url
    }

    private static func shown(_ url: String) -> String { DisplayText.oneLine(Redaction.shown(url: url)) }

    private static func target(
        _ output: String?, _ folder: String?
    ) throws -> (folder: String, name: String?, state: String, sink: DownloadJob.Sink?) {
        guard let output else {
            let folder = whole(folder ?? ".")
            return (folder, nil, folder + "/.simorgh-downloads", nil)
        }
        if output == "-" { return ("", nil, "", .standardOutput) }
        let given = whole(output)
        if FileOutput.isDevice(given) { return ("", nil, "", .device(given)) }
        // A link is followed, and what is no file is left alone.
        let path = URL(filePath: given).resolvingSymlinksInPath()
        let name = path.lastPathComponent
        guard !DownloadDisk.exists(path.path) || DownloadDisk.length(of: path.path) != nil else {
            throw CommandFailure(.output, "\(DisplayText.oneLine(output)) is there and is no file")
        }
        let folder = path.deletingLastPathComponent().path
        return (folder, name, folder + "/" + Self.state(of: name), nil)
    }

    /// A path from the root, without `.` in it; `..` stays, as what is before it may be a link.
    private static func whole(_ path: String) -> String {
        let isWhole = path.utf8.first == UInt8(ascii: "/")
        let all = isWhole ? path : FileManager.default.currentDirectoryPath + "/" + path
        let parts = all.utf8.split(separator: UInt8(ascii: "/")).filter { !$0.elementsEqual(".".utf8) }
        return "/" + parts.map { String(Substring($0)) }.joined(separator: "/")
    }

    /// The name of the folder beside a file that keeps what is there of it; a long one is told from others by its checksum.
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
        default: throw CommandFailure.usage("--priority is low, normal, high or critical")
        }
    }

    /// A number of bytes: `500k`, `2M`, `1.5g`.
    package static func rate(_ text: String) throws -> Int64 {
        let units: [Character: Double] = ["k": 1024, "m": 1024 * 1024, "g": 1024 * 1024 * 1024]
        let unit = text.lowercased().last.flatMap { units[$0] }
        guard let number = Double(unit == nil ? text[...] : text.dropLast()), number > 0, number < 1e12 else {
            throw CommandFailure.usage("--limit-rate takes bytes a second, such as 500k or 2M")
        }
        return Int64(max(1, number * (unit ?? 1)))
    }
}
#endif
