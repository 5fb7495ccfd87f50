// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// The inspectors of this user's processes, each in a file that only this user can read.
package struct InspectorRegistry: Sendable {
    /// The address of an inspector, and its process.
    package struct Entry: Codable, Sendable, Hashable {
        package let process: Int32
        package let program: String
        package let url: String
    }

    /// The largest number of files to read, and the largest file, in bytes.
    private static let maximumEntries = 256
    private static let maximumBytes = 4096

    private let parent: StateFolder
    private var folder: String { parent.path + "/inspectors" }

    /// Creates the registry of this user.
    package init() { parent = PlatformFolders.current.cache(user: UInt32(geteuid())) }

    /// Creates a registry in a folder.
    package init(in folder: String) { parent = StateFolder(path: folder) }

    /// Adds an inspector of this process; without an effect if the folder cannot be used.
    ///
    /// - Returns: The file, for ``remove(_:)``; `nil` if it was not written.
    package func add(url: String, port: Int) -> String? {
        let entry = Entry(process: getpid(), program: PlatformFolders.current.program, url: url)
        guard parent.refusal() == nil, let bytes = try? JSONEncoder().encode(entry) else { return nil }
        try? FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let path = "\(folder)/\(getpid())-\(port).json"
        return (try? PrivateFile(path).replace(with: bytes)) == nil ? nil : path
    }

    /// Removes the file of an inspector that has stopped.
    package func remove(_ path: String) { unlink(path) }

    /// Returns the inspectors of processes that still run, and removes the files of others.
    package func entries() -> [Entry] {
        guard parent.refusal() == nil,
            let names = try? FileManager.default.contentsOfDirectory(atPath: folder)
        else { return [] }
        var found: [Entry] = []
        for name in names.sorted().prefix(Self.maximumEntries) where name.hasSuffix(".json") {
            let path = "\(folder)/\(name)"
            guard let contents = try? PrivateFile(path).read(upTo: Self.maximumBytes, refusesOthers: true),
                let entry = try? JSONDecoder().decode(Entry.self, from: Data(contents.bytes))
            else { continue }
            if kill(entry.process, 0) != 0, errno == ESRCH { unlink(path) } else { found.append(entry) }
        }
        return found
    }
}
