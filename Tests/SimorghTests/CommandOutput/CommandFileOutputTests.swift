// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
import Foundation
import SimorghCommand
import Testing

@Suite(.timeLimit(.minutes(10)))
struct CommandFileOutputTests {
    /// A temporary folder that is deleted when the object is released.
    private final class Folder {
        let path: String

        init() throws {
            path = FileManager.default.temporaryDirectory.appending(path: "output-\(UUID())").path
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        }

        var names: [String] { get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() } }

        func write(_ text: String, to name: String) throws {
            try Data(text.utf8).write(to: URL(filePath: path + "/" + name))
        }

        func read(_ name: String) throws -> String { try String(contentsOfFile: path + "/" + name, encoding: .utf8) }

        deinit { try? FileManager.default.removeItem(atPath: path) }
    }

    @Test("FileOutput replaces the file only on commit")
    func whole() async throws {
        let folder = try Folder()
        try folder.write("old", to: "out")
        let output = try FileOutput(folder.path + "/out")
        try await output.write(Data("new ".utf8))
        #expect(try folder.read("out") == "old")
        try await output.write(Data("text".utf8))
        try await output.commit()
        #expect(try folder.read("out") == "new text")
        #expect(try folder.names == ["out"])
    }

    @Test("FileOutput without a commit leaves no file")
    func givenUp() async throws {
        let folder = try Folder()
        func giveUp() async throws {
            let output = try FileOutput(folder.path + "/out")
            try await output.write(Data("half".utf8))
            #expect(try folder.names.count == 1)
        }
        try await giveUp()
        #expect(try folder.names.isEmpty)
    }

    @Test("FileOutput writes to the file's folder, even if the name starts with a combining mark")
    func marked() async throws {
        let folder = try Folder()
        let output = try FileOutput(folder.path + "/\u{301}out")
        #expect(try folder.names.count == 1)
        try await output.write(Data("text".utf8))
        try await output.commit()
        #expect(try folder.read("\u{301}out") == "text")
    }

    @Test("FileOutput keeps a symbolic link and the file's mode")
    func linkAndMode() async throws {
        let folder = try Folder()
        try folder.write("old", to: "real")
        let manager = FileManager.default
        try manager.setAttributes([.posixPermissions: 0o640], ofItemAtPath: folder.path + "/real")
        try manager.createSymbolicLink(atPath: folder.path + "/link", withDestinationPath: "real")
        let output = try FileOutput(folder.path + "/link")
        try await output.write(Data("new".utf8))
        try await output.commit()
        #expect(try manager.destinationOfSymbolicLink(atPath: folder.path + "/link") == "real")
        #expect(try folder.read("real") == "new")
        let mode = try manager.attributesOfItem(atPath: folder.path + "/real")[.posixPermissions] as? Int
        #expect(mode == 0o640)
    }

    @Test("FileOutput writes to a device without replacing it")
    func device() async throws {
        let output = try FileOutput("/dev/null")
        try await output.write(Data("x".utf8))
        try await output.commit()
        let type = try FileManager.default.attributesOfItem(atPath: "/dev/null")[.type] as? FileAttributeType
        #expect(type == .typeCharacterSpecial)
    }

    @Test("FileOutput reports a path that cannot be written", arguments: ["/no/such/folder/x", "/"])
    func impossible(path: String) async {
        let failure = await #expect(throws: OutputError.self) {
            let output = try FileOutput(path)
            try await output.commit()
        }
        #expect(failure?.status == .output)
        #expect(failure?.description.contains(path) == true)
    }
}
#endif
