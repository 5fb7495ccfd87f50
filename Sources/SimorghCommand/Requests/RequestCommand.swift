// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
package import ArgumentParser
package import Simorgh

/// A subcommand that sends one request; the conforming types differ only in the method.
package protocol RequestCommand: AsyncParsableCommand {
    /// The method of the request.
    static var method: RequestMethod { get }
    /// The URL and the other arguments.
    var arguments: RequestArguments { get }
}

extension RequestCommand {
    /// Returns the name and the help of the subcommand.
    static func describe(_ abstract: String, examples: [String]) -> CommandConfiguration {
        let lines = examples.map { "  simorgh " + $0 } + ["", ProgramStatus.pointer]
        return CommandConfiguration(
            commandName: method.rawValue.lowercased(), abstract: abstract, discussion: lines.joined(separator: "\n"))
    }

    package func run() async throws {
        let request = try arguments.description(method: Self.method)
        let exchange = RequestExchange(request: request, console: .standard)
        try await arguments.curl ? exchange.printCurl() : exchange.run()
    }
}
#endif
