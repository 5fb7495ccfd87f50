// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import ArgumentParser
import Simorgh

/// `simorgh upload FILE URL`.
package struct UploadCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "upload",
        abstract: "Sends a file, with a bar that shows how far it is.",
        discussion: """
            The file is read as it is sent. With --resumable it is sent by the tus protocol: run the same command again \
            after a break, also one of this machine, and it goes on where it ended.
            """
    )

    @Argument(help: "The file.")
    package var file: String

    @OptionGroup package var arguments: RequestArguments

    @Option(help: ArgumentHelp("The method.", valueName: "PUT|POST|PATCH"))
    package var method = "PUT"

    @Flag(help: "Send it by tus 1.0 to the URL that creates uploads there.")
    package var resumable = false

    package init() {}

    package func run() async throws {
        let method = RequestMethod(rawValue: method.uppercased())
        guard [.put, .post, .patch].contains(method) else {
            throw CommandFailure.usage("--method is PUT, POST or PATCH")
        }
        var request = try arguments.description(method: method)
        guard request.body == .none else {
            throw CommandFailure.usage("the file is the body: leave out --json, --form, --data and -F")
        }
        guard !resumable || !arguments.curl else {
            throw CommandFailure.usage("curl does not speak tus: leave out --curl or --resumable")
        }
        request.body = .upload(file)
        let exchange = RequestExchange(request: request, console: .standard)
        if arguments.curl {
            try exchange.printCurl()
        } else if resumable {
            try await exchange.runResumable(file: file)
        } else {
            try await exchange.run()
        }
    }
}
