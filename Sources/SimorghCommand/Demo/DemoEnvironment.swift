// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
import Simorgh
import SimorghNIO
import SimorghTesting
import Synchronization

/// The environment of a step: a client, its server, and a function that prints results.
final class DemoEnvironment: Sendable {
    /// An error for a result other than the expected one.
    struct UnexpectedResultError: Error, CustomStringConvertible {
        let description: String
    }

    let client: APIClient
    let server: MockServer
    private let console: Console
    private let shown = Mutex<(lines: [String], failure: OutputError?)>(([], nil))

    init(server: MockServer, console: Console) {
        self.server = server
        self.console = console
        var configuration = APIClient.Configuration()
        configuration.baseURL = server.url
        client = APIClient(configuration: configuration, transport: NIOTransport.shared)
    }

    /// Replaces `print` in the shown code: prints the line with an arrow before it.
    var print: @Sendable (_ line: String) -> Void {
        { [self] line in
            let arrow = console.outputPalette.styled("  →", as: .good)
            shown.withLock { shown in
                shown.lines.append(line)
                guard shown.failure == nil else { return }
                do throws(OutputError) {
                    try console.say("\(arrow) \(DisplayText.oneLine(line))")
                } catch {
                    shown.failure = error
                }
            }
        }
    }

    /// Throws unless the step printed the expected lines, and clears them.
    func expect(_ lines: String...) throws {
        let (actual, failure) = shown.withLock { shown in
            defer { shown.lines = [] }
            return (shown.lines, shown.failure)
        }
        if let failure { throw failure }
        guard actual == lines else {
            throw UnexpectedResultError(description: "it printed \(actual) instead of \(lines)")
        }
    }
}
#endif
