// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
package import ArgumentParser
import Simorgh

/// `simorgh upload FILE URL`.
package struct UploadCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "upload",
        abstract: "Uploads a file, with a progress bar.",
        discussion: """
            The file is read while it is sent. With --resumable it is sent with the tus protocol: run the same command \
            again after an interruption, even after a restart of this machine, to resume the upload.

              simorgh upload film.mp4 https://files.example.com/film.mp4
              simorgh upload film.mp4 https://tus.example.com/files --resumable

            \(ProgramStatus.pointer)
            """
    )

    @Argument(help: "The file.", completion: .file())
    package var file: String

    @OptionGroup package var arguments: RequestArguments

    @Option(
        help: ArgumentHelp("The method. Default: PUT.", valueName: "PUT|POST|PATCH"),
        completion: .list(["PUT", "POST", "PATCH"]))
    package var method: String?

    @Flag(help: "Use tus 1.0; the URL is the server's upload creation URL.")
    package var resumable = false

    package init() {}

    package func run() async throws {
        let method = RequestMethod(rawValue: (method ?? "PUT").uppercased())
        guard [.put, .post, .patch].contains(method) else {
            throw CommandError.usage("--method takes PUT, POST or PATCH")
        }
        var request = try arguments.description(method: method)
        guard request.body == .none else {
            throw CommandError.usage("the file is the body: leave out --json, --form, --data and -F")
        }
        if resumable { try rejectOptionsOfOneRequest(request) }
        request.body = .upload(file)
        let exchange = RequestExchange(request: request, console: .standard)
        if arguments.curl {
            try await exchange.printCurl()
        } else if resumable {
            try await exchange.runResumable(file: file)
        } else {
            try await exchange.run()
        }
    }

    private func rejectOptionsOfOneRequest(_ request: RequestDescription) throws {
        let given = [
            arguments.curl ? "--curl" : nil, method == nil ? nil : "--method", request.output == nil ? nil : "--output",
            request.timeout == nil ? nil : "--timeout",
        ].compactMap(\.self)
        guard let option = given.first else { return }
        throw CommandError.usage("\(option) applies to one request, but --resumable sends several: leave out one")
    }
}
#endif
