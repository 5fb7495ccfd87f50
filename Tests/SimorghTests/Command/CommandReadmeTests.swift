// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
import ArgumentParser
import Foundation
import SimorghCommand
import Testing

/// Compares the article about the command with the help of the command.
@Suite("The article about the command", .timeLimit(.minutes(5)))
struct CommandReadmeTests {
    private static func article() throws -> String {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
        let path = "Sources/Simorgh/Simorgh.docc/Tools/TheCommand.md"
        return try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    private static func lines(of command: any ParsableCommand.Type) -> [Substring] {
        RootCommand.helpMessage(for: command, includeHidden: false, columns: 200).split(separator: "\n")
    }

    /// The names of options in a text: `-v` and `--verbose` of "-v, --verbose".
    private static func names(_ text: Substring) -> [String] {
        text.split { !($0.isLetter || $0.isNumber || $0 == "-" || $0 == ".") }
            .filter { $0.hasPrefix("-") }
            .map { String($0) }
    }

    /// The first column of the table of options.
    private static func table(in article: String) -> [Substring] {
        let lines = article.split(separator: "\n", omittingEmptySubsequences: false)
        guard let head = lines.firstIndex(where: { $0 == "| option | what it does |" }) else { return [] }
        let rows = lines[head...].dropFirst(2).prefix { $0.hasPrefix("| ") }
        return rows.compactMap { $0.split(separator: "|").first }
    }

    @Test("Each option of a request is in the table, and each of the table is one")
    func options() throws {
        let told = Set(Self.table(in: try Self.article()).flatMap { Self.names($0) })
        let known = Self.lines(of: GetCommand.self).filter { $0.hasPrefix("  -") }
            .map { (line: Substring) -> [String] in
                line.split(separator: " ").prefix { $0.hasPrefix("-") }.flatMap { Self.names($0) }
            }
            .filter { !$0.contains("--help") && !$0.contains("--version") }
        #expect(known.count > 25)
        for names in known {
            let isTold = names.contains { told.contains($0) }
            #expect(isTold, "\(names) is not in the table")
        }
        let unknown = told.subtracting(known.flatMap { $0 })
        #expect(unknown.isEmpty, "\(unknown) is no option of get")
    }

    @Test("The table of exit statuses has each status of the help", arguments: ProgramStatus.allCases)
    func status(_ status: ProgramStatus) throws {
        #expect(try Self.article().contains("\n| \(status.rawValue) | \(status.meaning) |\n"))
    }

    @Test("The table of exit statuses has no other status")
    func statuses() throws {
        let lines = try Self.article().split(separator: "\n")
        let head = try #require(lines.firstIndex(of: "| status | what it means |"))
        let rows = lines[head...].dropFirst(2).prefix { $0.hasPrefix("| ") }
        #expect(rows.count == ProgramStatus.allCases.count)
    }

    @Test("Each command of the article can be parsed")
    func calls() throws {
        let calls = try Self.article().split(separator: "\n").filter { $0.hasPrefix("simorgh ") }
        #expect(calls.count > 15)
        for call in calls {
            // What stands between two quotes is one argument.
            var arguments: [String] = []
            for (index, part) in call.split(separator: "'", omittingEmptySubsequences: false).enumerated() {
                arguments += index % 2 == 1 ? [String(part)] : part.split(separator: " ").map { String($0) }
            }
            do {
                _ = try RootCommand.parseAsRoot(Array(arguments.dropFirst()))
            } catch {
                Issue.record("\(call): \(RootCommand.message(for: error))")
            }
        }
    }

    @Test("The article names exactly the subcommands that print objects for scripts")
    func scripts() throws {
        var printing: [String] = []
        for command in RootCommand.configuration.subcommands {
            let parts = command.configuration.subcommands
            let name = command.configuration.commandName ?? ""
            if Self.printsObjects(command) { printing.append(name) }
            for part in parts where Self.printsObjects(part) {
                printing.append(name + " " + (part.configuration.commandName ?? ""))
            }
        }
        let article = try Self.article()
        let begin = try #require(article.range(of: "`--json` alone, of "))
        let rest = article[begin.upperBound...]
        let end = try #require(rest.range(of: ", prints objects"))
        let told = rest[..<end.lowerBound].split(separator: "`", omittingEmptySubsequences: false).enumerated()
            .filter { $0.offset % 2 == 1 }
            .map { String($0.element) }
        #expect(told.sorted() == printing.sorted())
    }

    /// Whether a command's `--json` takes no value.
    private static func printsObjects(_ command: any ParsableCommand.Type) -> Bool {
        lines(of: command).contains { $0.hasPrefix("  --json ") && !$0.hasPrefix("  --json <") }
    }
}
#endif
