// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
import Foundation
import SimorghCommand
import TestSupport
import Testing

/// The script that `simorgh --generate-completion-script bash` prints, sourced by bash.
@Suite(.timeLimit(.minutes(5)))
struct CommandCompletionTests {
    /// The words typed so far, the last one unfinished, and the expected completions in a folder with `film.mp4` and
    /// `music/`.
    private static let cases: [([String], [String])] = [
        (["upload", "fi"], ["film.mp4"]), (["get", "a.test", "--output", "fi"], ["film.mp4"]),
        (["download", "--output", "fi"], ["film.mp4"]), (["download", "--input-file", "fi"], ["film.mp4"]),
        (["download", "--output-dir", ""], ["music"]), (["get", "a.test", "--cacert", "fi"], ["film.mp4"]),
        (["get", "a.test", "--cookie-jar", "fi"], ["film.mp4"]), (["get", "a.test", "--cert", "fi"], ["film.mp4"]),
        (["get", "a.test", "--key", "fi"], ["film.mp4"]), (["ws", "a.test", "--cacert", "fi"], ["film.mp4"]),
        (["subscribe", "a.test", "x", "--cacert", "fi"], ["film.mp4"]),
        (["cache", "ls", "--cache-path", "m"], ["music"]),
        (["download", "--priority", "h"], ["high"]), (["upload", "f", "--method", "PO"], ["POST"]),
        (["get", "a.test", "--tls-max", "1."], ["1.2", "1.3"]), (["downl"], ["download"]),
    ]

    @Test("Bash completion offers file names, folder names and option values", arguments: cases)
    func bash(words: [String], expected: [String]) async throws {
        let bash = "/bin/bash"
        guard FileManager.default.isExecutableFile(atPath: bash) else { return print("There is no \(bash).") }
        let folder = try CommandDownloadTests.Folder()
        try Data().write(to: URL(filePath: folder.path + "/film.mp4"))
        try FileManager.default.createDirectory(atPath: folder.path + "/music", withIntermediateDirectories: true)
        let script = """
            cd "$folder" || exit 1
            source <("$simorgh" --generate-completion-script bash)
            COMP_WORDS=(simorgh "$@") COMP_CWORD=$#
            COMP_LINE="${COMP_WORDS[*]}" COMP_POINT=${#COMP_LINE}
            _simorgh simorgh "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
            printf '%s\\n' "${COMPREPLY[@]}"
            """
        let outcome = try await CommandTool.run(
            ["-c", script, "bash"] + words, environment: ["simorgh": CommandTool.path, "folder": folder.path],
            program: bash)
        #expect(outcome.text.split(separator: "\n").map(String.init).sorted() == expected, "\(outcome.errors)")
    }
}
#endif
