// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
import ArgumentParser

/// The program: from arguments to an exit status.
package enum Program {
    /// Runs the command that the arguments name.
    ///
    /// The first SIGINT or SIGTERM cancels the command. A second signal, or two more seconds, end the process at once.
    ///
    /// - Parameter arguments: The arguments, without the program's name.
    /// - Returns: The exit status.
    package static func run(_ arguments: [String]) async -> Int32 {
        let work = Task { await outcome(of: arguments, console: .standard) }
        Signals.watch { work.cancel() }
        let status = await work.value
        return (status == .interrupted ? Signals.received ?? status : status).rawValue
    }

    /// Parses and runs the command, and converts an error to a message and an exit status.
    static func outcome(of arguments: [String], console: Console) async -> ProgramStatus {
        do {
            if let failure = CommandNames.unknownNameError(to: arguments) { throw failure }
            let command = try RootCommand.parseAsRoot(arguments)
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                var command = command
                try command.run()
            }
            return .success
        } catch let failure as CommandError {
            if let message = failure.message { console.complain(message) }
            return failure.status
        } catch let failure as OutputError {
            if failure != .brokenPipe { console.complain(failure.description) }
            return failure.status
        } catch is CancellationError {
            return .interrupted
        } catch {
            return parseOutcome(error, arguments: arguments, console: console)
        }
    }

    /// Handles the errors of ArgumentParser: help and the version are success, anything else is an error of the
    /// arguments.
    private static func parseOutcome(
        _ error: any Error, arguments: [String], console: Console
    ) -> ProgramStatus {
        guard RootCommand.exitCode(for: error) == .success else {
            let message = DisplayText.joinedLines(RootCommand.message(for: error))
            let help = "\(CommandNames.call(of: arguments)) --help"
            console.complain("\(message.isEmpty ? "the arguments are not valid" : message) (try: \(help))")
            return .usage
        }
        do {
            try console.say(RootCommand.fullMessage(for: error))
            return .success
        } catch {
            return error.status
        }
    }
}
#endif
