// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
import Foundation
import SimorghCommand
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct CommandDemoTests {
    @Test("simorgh demo succeeds, shows each step with its code, and fits into 80 columns")
    func demo() async throws {
        let outcome = try await CommandTool.run(["demo"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.errors.isEmpty)
        let lines = outcome.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        for (index, step) in DemoStep.all.enumerated() {
            #expect(lines.contains("\(index + 1). \(step.title)"))
            let code = step.code.split(separator: "\n", omittingEmptySubsequences: false)
            let shown = code.map { $0.isEmpty ? "" : "    \($0)" }.joined(separator: "\n")
            #expect(outcome.text.contains("\n\n\(shown)\n\n  → "), "\(step.name)")
        }
        let results = [
            "user 7 is Zal", "timedOut after 0.25 seconds", "404: user 99 has flown away", "cancelled", "valley: love",
            "Simorgh is back", "a feather costs 3", "birds.txt: 12 bytes", "1 request for both", "offline",
        ]
        for result in results {
            #expect(lines.contains("  → \(result)"))
        }
        #expect(lines.last { !$0.isEmpty }?.hasPrefix("All \(DemoStep.all.count) steps succeeded") == true)
        #expect(lines.allSatisfy { $0.count <= 80 })
        #expect(!outcome.text.contains("\u{1B}"))
    }

    @Test("simorgh demo shows the code that it runs", arguments: DemoStep.all.map(\.name))
    func sources(name: String) throws {
        let step = try #require(DemoStep.all.first { $0.name == name })
        #expect(try Self.regions(of: name).joined(separator: "\n\n") == step.code)
    }

    @Test("simorgh demo exits quietly if the reader closes the pipe")
    func brokenPipe() async throws {
        let outcome = try await CommandTool.shell("{ \"$simorgh\" demo; echo $? >&2; } | head -n 1")
        #expect(["0\n", "141\n"].contains(outcome.errors))
    }

    /// Returns the code between the markers of a step, the models first, each part without its common indentation.
    private static func regions(of name: String) throws -> [String] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../Sources/SimorghCommand/Demo")
        let files = ["DemoModels", "DemoStep+Values", "DemoStep+Failures", "DemoStep+Live", "DemoStep+Moving"]
        return try files.flatMap { file in
            let text = try String(contentsOf: folder.appending(path: "\(file).swift"), encoding: .utf8)
            return text.components(separatedBy: "// demo: \(name)\n").dropFirst().compactMap { part in
                part.range(of: #"\n[ ]*// demo: end"#, options: .regularExpression).map { part[..<$0.lowerBound] }
            }.map(moved)
        }
    }

    private static func moved(_ part: Substring) -> String {
        let lines = part.split(separator: "\n", omittingEmptySubsequences: false)
        let margin = lines.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }.min() ?? 0
        return lines.map { $0.dropFirst(margin) }.joined(separator: "\n")
    }
}
#endif
