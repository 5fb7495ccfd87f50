// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
import ArgumentParser

/// The names of the subcommands.
enum CommandNames {
    /// Returns an error if the name of a subcommand is unknown, also for the names after `help`.
    ///
    /// - Parameter arguments: The arguments, without the name of the program.
    /// - Returns: The failure, with the most similar name; `nil` if all names are known, or without names.
    static func unknownNameError(to arguments: [String]) -> CommandError? {
        var names = arguments.prefix { !$0.hasPrefix("-") }
        if names.first == "help" { names = names.dropFirst() }
        var command: any ParsableCommand.Type = RootCommand.self
        var call = "simorgh"
        for name in names {
            let known = command.configuration.subcommands
            // Arguments of the command itself follow.
            guard !known.isEmpty else { return nil }
            if let next = known.first(where: { $0.configuration.commandName == name }) {
                command = next
                call += " \(name)"
                continue
            }
            let candidates = known.compactMap { $0.configuration.commandName } + (call == "simorgh" ? ["help"] : [])
            let suggestion = nearest(to: name, among: candidates).map { "; did you mean \(call) \($0)?" }
            return .usage("there is no command \(call) \(name)\(suggestion ?? " (try: \(call) --help)")")
        }
        return nil
    }

    /// Returns the subcommand that the arguments name, such as `simorgh cache ls`.
    ///
    /// - Parameter arguments: The arguments, without the name of the program.
    /// - Returns: The subcommand without its arguments.
    static func call(of arguments: [String]) -> String {
        var command: any ParsableCommand.Type = RootCommand.self
        var call = "simorgh"
        for name in arguments {
            guard let next = command.configuration.subcommands.first(where: { $0.configuration.commandName == name })
            else { break }
            command = next
            call += " \(name)"
        }
        return call
    }

    /// Returns the name with the smallest edit distance to a word, if that is small enough for a typo.
    private static func nearest(to text: String, among names: [String]) -> String? {
        // A long word is not a typo, and comparing it would take long.
        guard text.utf8.count <= 40 else { return nil }
        let lowercased = text.lowercased()
        let ranked = names.map { (name: $0, distance: distance(from: Array(lowercased.utf8), to: Array($0.utf8))) }
        guard let best = ranked.min(by: { $0.distance < $1.distance }) else { return nil }
        let isNear = best.distance <= max(1, min(text.utf8.count, best.name.utf8.count) / 3)
        return isNear ? best.name : ranked.first { lowercased.count > 1 && $0.name.hasPrefix(lowercased) }?.name
    }

    /// Returns the edit distance: the number of letters to insert, delete, replace, or swap with a neighbor.
    private static func distance(from left: [UInt8], to right: [UInt8]) -> Int {
        var rows = [Array(0...right.count)]
        for row in 1..<(left.count + 1) {
            var line = [row]
            for column in 1..<(right.count + 1) {
                let isSame = left[row - 1] == right[column - 1]
                var best = min(
                    rows[row - 1][column] + 1, line[column - 1] + 1, rows[row - 1][column - 1] + (isSame ? 0 : 1))
                if row > 1, column > 1, left[row - 1] == right[column - 2], left[row - 2] == right[column - 1] {
                    best = min(best, rows[row - 2][column - 2] + 1)
                }
                line.append(best)
            }
            rows.append(line)
        }
        return rows[left.count][right.count]
    }
}
#endif
