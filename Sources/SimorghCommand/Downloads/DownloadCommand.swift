// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import ArgumentParser
import Simorgh

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// `simorgh download URL…`.
package struct DownloadCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "download",
        abstract: "Downloads files, in several parts at a time where the server gives them.",
        discussion: """
            A file has its name when it is whole, and not before. What was cut off is kept beside it: run the same command \
            again with --continue, and it goes on from the byte, provided that the server says that the file is still the \
            same. The exit status is 0 when all files are there, whole and right.

              simorgh download https://example.com/film.mp4 --continue
              simorgh download --input-file urls.txt --output-dir films --parallel 2 --limit-rate 2M
              simorgh download https://example.com/a.iso --checksum sha-256=HEX
              simorgh download https://example.com/a.iso --json

            With --json each line is an object with id, url, file, state, received, total, speed, eta, connections, path and \
            error; the last one of a file has the state completed, with its path, or tells the error.

            \(ProgramStatus.pointer)
            """
    )

    @Argument(help: "Where they are; without a scheme it is https://.")
    package var urls: [String] = []

    @Option(
        name: [.short, .long],
        help: ArgumentHelp("The file, for one URL; one that is there is replaced.", valueName: "file"))
    package var output: String?

    @Option(help: ArgumentHelp("The folder of the files; the working folder by default.", valueName: "folder"))
    package var outputDir: String?

    @Option(help: ArgumentHelp("How many connections fetch one file, from 1 to 8.", valueName: "number"))
    package var segments = 4

    @Option(help: ArgumentHelp("The most bytes a second for all: 500k, 2M.", valueName: "rate"))
    package var limitRate: String?

    @Option(help: ArgumentHelp("The hash that the file must have, for one URL.", valueName: "sha-256=hex"))
    package var checksum: String?

    @Flag(name: [.customShort("c"), .customLong("continue")], help: "Go on with what an earlier run left.")
    package var continues = false

    @Option(help: ArgumentHelp("How soon their turn comes.", valueName: "low|normal|high|critical"))
    package var priority: String?

    @Option(
        name: [.short, .long],
        help: ArgumentHelp("More URLs, one in each line; # begins a comment.", valueName: "file"))
    package var inputFile: String?

    @Option(help: ArgumentHelp("How many files at a time.", valueName: "number"))
    package var parallel = 3

    @Flag(help: "Print how far each file is as objects of JSON, one on each line.")
    package var json = false

    @Option(
        name: [.customShort("H"), .customLong("header")], parsing: .unconditionalSingleValue,
        help: ArgumentHelp("A header field; repeat it for more.", valueName: "name: value"))
    package var headers: [String] = []

    @Option(
        name: .customLong("cacert"),
        help: ArgumentHelp("Certificates in PEM to trust in place of the system's.", valueName: "file"))
    package var certificates: String?

    @OptionGroup package var version: VersionArguments

    @OptionGroup(title: "Credentials, retries, redirects, cookies") package var session: SessionArguments

    @OptionGroup(title: "Connections") package var connection: ConnectionArguments

    package init() {}

    package func run() async throws {
        let job = try job()
        var request = RequestDescription(method: .get, url: job.requests[0].url)
        for (index, text) in headers.enumerated() {
            request.fields.append(try RequestArguments.field(text, at: index))
        }
        try session.apply(to: &request)
        try connection.apply(to: &request)
        request.followsRedirects = true
        request.certificates = certificates
        request.httpVersion = version.choice
        try await RequestExchange(request: request, console: .standard).runDownloads(job)
    }

    /// What is to be done, as a value.
    package func job() throws -> DownloadJob {
        var texts = urls
        if let inputFile { texts += try Self.lines(inputFile) }
        guard !texts.isEmpty else { throw CommandFailure.usage("there is no URL: give one, or --input-file FILE") }
        guard texts.count == 1 || output == nil && checksum == nil else {
            throw CommandFailure.usage("--output and --checksum are for one URL")
        }
        guard output == nil || outputDir == nil else { throw CommandFailure.usage("give --output or --output-dir") }
        guard (1...8).contains(segments) else { throw CommandFailure.usage("--segments takes a number from 1 to 8") }
        guard (1...64).contains(parallel) else { throw CommandFailure.usage("--parallel takes a number from 1 to 64") }
        guard output?.isEmpty != true, outputDir?.isEmpty != true else {
            throw CommandFailure.usage("--output and --output-dir take a name")
        }
        let target = try Self.target(output, outputDir)
        var job = DownloadJob(folder: target.state)
        job.segments = segments
        job.parallel = parallel
        job.retries = session.retry ?? 3
        job.continues = continues
        job.isJSON = json
        job.bytesPerSecond = try limitRate.map(Self.rate)
        for text in texts {
            let url = try TargetURL.complete(text)
            guard let parsed = URL(string: url) else { throw CommandFailure.usage("\(url) is no URL") }
            var request = DownloadRequest(url: parsed, fileName: target.name, priority: try level())
            request.destination = URL(filePath: target.folder, directoryHint: .isDirectory)
            request.collision = output == nil ? .uniquify : .overwrite
            request.keepsFileName = output != nil
            if let checksum {
                guard let digest = DownloadDigest(checksum) else {
                    throw CommandFailure.usage("--checksum takes sha-256=HEX, sha-384=HEX or sha-512=HEX")
                }
                request.digest = digest
            }
            job.requests.append(request)
        }
        return job
    }

    private static func target(
        _ output: String?, _ folder: String?
    ) throws -> (folder: String, name: String?, state: String) {
        let here = FileManager.default.currentDirectoryPath
        func whole(_ path: String) -> String { path.behind(first: "/") != nil ? path : here + "/" + path }
        guard let output else {
            let folder = whole(folder ?? ".")
            return (folder, nil, folder + "/.simorgh-downloads")
        }
        // A link is followed, and what is no file is left alone.
        let path = URL(filePath: whole(output)).resolvingSymlinksInPath()
        let name = path.lastPathComponent
        guard !DownloadDisk.exists(path.path) || DownloadDisk.length(of: path.path) != nil else {
            throw CommandFailure(.output, "\(DisplayText.oneLine(output)) is there and is no file")
        }
        let folder = path.deletingLastPathComponent().path
        return (folder, name, folder + "/" + Self.state(of: name))
    }

    /// The name of the folder beside a file that keeps what is there of it; a long one is told from others by its checksum.
    private static func state(of name: String) -> String {
        let (before, behind) = (".", ".simorgh-download")
        guard before.utf8.count + name.utf8.count + behind.utf8.count > 255 else { return before + name + behind }
        var short = name.prefix(200)
        while short.utf8.count > 200 { short.removeLast() }
        return "\(before)\(short)-\(String(CRC32.of(name.utf8), radix: 16))\(behind)"
    }

    private static func lines(_ file: String) throws -> [String] {
        guard let data = FileManager.default.contents(atPath: file) else {
            throw CommandFailure.usage("\(DisplayText.oneLine(file)) could not be read")
        }
        return String(decoding: data, as: UTF8.self).split(whereSeparator: \.isNewline)
            .compactMap { $0.split(whereSeparator: \.isWhitespace).first }
            .filter { !$0.hasPrefix("#") }.map(String.init)
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
