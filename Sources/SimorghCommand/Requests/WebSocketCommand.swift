// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
package import ArgumentParser
import Simorgh

package struct WebSocketCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "ws",
        abstract: "Talks over a WebSocket: sends the lines of standard input, prints the messages that come.",
        discussion: """
            Each line is a message. At the end of standard input it waits until no message has come for 2 seconds (--wait), \
            then closes the connection. With --stay it waits until the server closes it, and --listen reads nothing. If the \
            server does not answer the closing, the exit status is 9. What happens besides is told on standard error, or with --json as a line of JSON each, messages too. Without a scheme the URL is wss://, and \
            ws:// for localhost, 127.0.0.1 and [::1].

              simorgh ws wss://api.example.com/chat --bearer @token
              echo '{"op": "ping"}' | simorgh ws api.example.com/socket --json
              simorgh ws api.example.com/feed --listen --reconnect 5

            \(ProgramStatus.pointer)
            """
    )

    @OptionGroup package var arguments: WebSocketArguments

    package init() {}

    package func run() async throws {
        let request = try arguments.description()
        let settings = try arguments.settings()
        try await RequestExchange(request: request, console: .standard).runWebSocket(settings)
    }
}
#endif
