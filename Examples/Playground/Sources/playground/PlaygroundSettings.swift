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
    let folder: URL?

    /// What a variable says that cannot be had, in words for who set it.
    struct Refused: Error, CustomStringConvertible {
        let description: String
    }

    /// Reads the settings; a variable that is empty is none.
    ///
    /// - Parameter environment: The variables.
    /// - Throws: ``Refused``, where a port is none.
    init(_ environment: [String: String]) throws {
        let variables = environment.filter { !$0.value.isEmpty }
        port = try Self.port("PLAYGROUND_PORT", in: variables)
        worldPort = try Self.port("PLAYGROUND_WORLD_PORT", in: variables)
        folder = variables["PLAYGROUND_FOLDER"].map { URL(fileURLWithPath: $0, isDirectory: true) }
    }

    private static func port(_ name: String, in variables: [String: String]) throws -> Int {
        guard let text = variables[name] else { return 0 }
        guard let number = UInt16(text) else {
            throw Refused(description: "\(name)=\(text) is no port: say a number up to 65535, or 0 for a free one")
        }
        return Int(number)
    }
}
