// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
package import ArgumentParser
package import Simorgh

/// A subcommand that sends one request; they differ in the method alone.
package protocol RequestCommand: AsyncParsableCommand {
    /// The method of the request.
    static var method: RequestMethod { get }
    /// The URL and everything else.
    var arguments: RequestArguments { get }
}

extension RequestCommand {
    /// How the subcommand is called and what it says of itself.
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
