// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
import ArgumentParser
import Foundation
import SimorghCommand
import Testing

/// Compares the page of the command with the command itself.
@Suite("The page of the command", .timeLimit(.minutes(5)))
struct CommandPageTests {
    /// Returns the text of TheCommand.md, in whichever folder of the documentation it is.
    private static func page() throws -> String {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../Sources/Simorgh/Simorgh.docc")
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        let path = try #require(paths.first(where: { $0.hasSuffix("TheCommand.md") }))
        return try String(contentsOf: folder.appending(path: path), encoding: .utf8)
    }

    private static func lines(of command: any ParsableCommand.Type) -> [Substring] {
        RootCommand.helpMessage(for: command, includeHidden: false, columns: 200).split(separator: "\n")
    }

    /// Returns the names of options in a text: `-v` and `--verbose` of "-v, --verbose".
    private static func names(_ text: Substring) -> [String] {
        text.split { !($0.isLetter || $0.isNumber || $0 == "-" || $0 == ".") }
            .filter { $0.hasPrefix("-") }
            .map { String($0) }
    }

    /// Returns the first column of the table with a header.
    private static func table(_ header: String, in page: String) -> [Substring] {
        let lines = page.split(separator: "\n", omittingEmptySubsequences: false)
        guard let head = lines.firstIndex(where: { $0 == header }) else { return [] }
        let rows = lines[head...].dropFirst(2).prefix { $0.hasPrefix("| ") }
        return rows.compactMap { $0.split(separator: "|").first }
    }

    @Test("The table of options lists exactly the options of a request")
    func options() throws {
        let table = Self.table("| option | what it does |", in: try Self.page())
        let told = Set(table.flatMap { Self.names($0) })
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

    @Test("The table of exit statuses lists exactly those of the command")
    func statuses() throws {
        let table = Self.table("| status | what it means |", in: try Self.page())
        let numbers = table.compactMap { Int32($0.trimmingCharacters(in: .whitespaces)) }
        #expect(numbers == ProgramStatus.allCases.map(\.rawValue))
    }

    @Test("The table of exit statuses has the descriptions of the help", arguments: ProgramStatus.allCases)
    func meaning(status: ProgramStatus) throws {
        #expect(try Self.page().contains("\n| \(status.rawValue) | \(status.meaning) |\n"))
    }

    @Test("Each command of the page can be parsed")
    func calls() throws {
        let calls = try Self.page().split(separator: "\n").filter { $0.hasPrefix("simorgh ") }
        #expect(calls.count > 15)
        for call in calls {
            // The text between two quotes is one argument.
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

    @Test("The page lists exactly the commands whose --json prints objects")
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
        let page = try Self.page()
        let begin = try #require(page.range(of: "`--json` alone, of "))
        let rest = page[begin.upperBound...]
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
