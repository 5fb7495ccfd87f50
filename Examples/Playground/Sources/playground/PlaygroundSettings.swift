// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation

/// Where the Playground listens and keeps its files; by default at free ports, in a folder that goes with it.
struct PlaygroundSettings: Sendable {
    /// The page's port, from `PLAYGROUND_PORT`.
    let port: Int
    /// The port of the server that the page's calls go to, from `PLAYGROUND_WORLD_PORT`.
    let worldPort: Int
    /// Where downloads are kept, from `PLAYGROUND_FOLDER`; downloads that stand there go on.
    let folder: URL
    /// Whether the folder goes with the process.
    let isTemporary: Bool

    init(_ environment: [String: String]) {
        port = environment["PLAYGROUND_PORT"].flatMap { Int($0) } ?? 0
        worldPort = environment["PLAYGROUND_WORLD_PORT"].flatMap { Int($0) } ?? 0
        isTemporary = environment["PLAYGROUND_FOLDER"] == nil
        folder =
            environment["PLAYGROUND_FOLDER"].map { URL(fileURLWithPath: $0, isDirectory: true) }
            ?? FileManager.default.temporaryDirectory.appendingPathComponent("simorgh-playground-\(UUID().uuidString)")
    }
}
