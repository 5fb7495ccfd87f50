// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
package import ArgumentParser
import Simorgh

package struct WebSocketCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "ws",
        abstract: "Connects to a WebSocket, sends the lines of standard input, and prints received messages.",
        discussion: """
            Each line is a message. After the end of standard input the command waits until no message has arrived for \
            2 seconds (--wait), then closes the connection. With --stay it waits until the server closes it, and with \
            --listen it does not read standard input. If the server does not answer the close frame, the exit status \
            is 9. Other events go to standard error; with --json all events, including messages, are lines of JSON. \
            Without a scheme the URL is wss://, or ws:// for localhost, 127.0.0.1 and [::1].

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
