// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
import ArgumentParser
import Foundation
import SimorghCommand
import Testing

/// Compares the README and the article about the command with the command's own help.
@Suite("The command in the README", .timeLimit(.minutes(5)))
struct CommandReadmeTests {
    private static func readme() throws -> String { try page("README.md") }

    private static func page(_ path: String) throws -> String {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
        return try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    private static func lines(of command: any ParsableCommand.Type) -> [Substring] {
        RootCommand.helpMessage(for: command, includeHidden: false, columns: 200).split(separator: "\n")
    }

    /// Returns the option names in a text: `-v` and `--verbose` of "-v, --verbose".
    private static func names(_ text: Substring) -> [String] {
        text.split { !($0.isLetter || $0.isNumber || $0 == "-" || $0 == ".") }
            .filter { $0.hasPrefix("-") }
            .map { String($0) }
    }

    /// Returns the first column of the table of options.
    private static func table(in readme: String) -> [Substring] {
        let lines = readme.split(separator: "\n", omittingEmptySubsequences: false)
        guard let head = lines.firstIndex(where: { $0 == "| option | what it does |" }) else { return [] }
        let rows = lines[head...].dropFirst(2).prefix { $0.hasPrefix("| ") }
        return rows.compactMap { $0.split(separator: "|").first }
    }

    @Test("The README's option table lists exactly the options of get")
    func options() throws {
        let told = Set(Self.table(in: try Self.readme()).flatMap { Self.names($0) })
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
        #expect(unknown.isEmpty, "\(unknown) is not an option of get")
    }

    @Test("The README lists exactly the exit statuses of ProgramStatus")
    func statuses() throws {
        let readme = try Self.readme()
        let begin = try #require(readme.range(of: "\n`0` success"))
        let rest = readme[begin.lowerBound...].dropFirst()
        let end = rest.range(of: "\n\n")?.lowerBound ?? rest.endIndex
        // Every second part is inside backticks.
        let codes = rest[..<end].split(separator: "`", omittingEmptySubsequences: false).enumerated()
            .filter { $0.offset % 2 == 1 }
            .compactMap { Int32($0.element) }
        #expect(codes.sorted() == ProgramStatus.allCases.map(\.rawValue).sorted())
    }

    @Test("The article's exit status table matches the help", arguments: ProgramStatus.allCases)
    func article(status: ProgramStatus) throws {
        let article = try Self.page("Sources/Simorgh/Simorgh.docc/TheCommand.md")
        #expect(article.contains("\n| \(status.rawValue) | \(status.meaning) |\n"))
    }

    @Test("Each command in the article parses")
    func calls() throws {
        let article = try Self.page("Sources/Simorgh/Simorgh.docc/TheCommand.md")
        let calls = article.split(separator: "\n").filter { $0.hasPrefix("simorgh ") }
        #expect(calls.count > 15)
        for call in calls {
            // Every second part is inside quotes, and is one argument.
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

    @Test("The README lists exactly the commands whose --json prints objects")
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
        let readme = try Self.readme()
        let begin = try #require(readme.range(of: "`--json` alone, of "))
        let rest = readme[begin.upperBound...]
        let end = try #require(rest.range(of: ", prints objects"))
        let told = rest[..<end.lowerBound].split(separator: "`", omittingEmptySubsequences: false).enumerated()
            .filter { $0.offset % 2 == 1 }
            .map { String($0.element) }
        #expect(told.sorted() == printing.sorted())
    }

    /// Returns true if a command's `--json` takes no value.
    private static func printsObjects(_ command: any ParsableCommand.Type) -> Bool {
        lines(of: command).contains { $0.hasPrefix("  --json ") && !$0.hasPrefix("  --json <") }
    }
}
#endif
