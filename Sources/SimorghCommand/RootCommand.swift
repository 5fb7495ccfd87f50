// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
package import ArgumentParser
import Simorgh
import SimorghSupport

/// The command `simorgh`, which prints its help if there is no subcommand.
package struct RootCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "simorgh",
        abstract: "Sends HTTP requests, uses WebSockets, transfers files, shows calls, and runs a test server.",
        discussion: """
            The response body goes to standard output: as raw bytes in a pipe, as colored JSON on a terminal (NO_COLOR \
            disables color). Everything else goes to standard error.

            simorgh --generate-completion-script bash, or zsh, or fish, prints completions for a shell.

            \(ProgramStatus.help)
            """,
        version: SimorghVersion.current,
        subcommands: [
            GetCommand.self, QueryCommand.self, PostCommand.self, PutCommand.self, PatchCommand.self,
            DeleteCommand.self, HeadCommand.self, StreamCommand.self, WebSocketCommand.self, SubscribeCommand.self,
            GraphQLCommand.self, UploadCommand.self, DownloadCommand.self, LoginCommand.self, LogoutCommand.self,
            NetworkCommand.self, CacheCommand.self, InspectCommand.self, ServeCommand.self, ProxyCommand.self,
            DemoCommand.self,
        ]
    )

    package init() {}
}
#endif
