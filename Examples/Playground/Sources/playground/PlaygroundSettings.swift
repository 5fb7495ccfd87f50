// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation

/// The ports and the folder of the Playground.
///
/// Default: free ports, and a temporary folder.
struct PlaygroundSettings: Sendable {
    /// The page's port, from `PLAYGROUND_PORT`.
    let port: Int
    /// The port of the server that the page's calls go to, from `PLAYGROUND_WORLD_PORT`.
    let worldPort: Int
    /// The folder of the downloads, from `PLAYGROUND_FOLDER`; unfinished downloads in it resume.
    let folder: URL?

    /// An invalid environment variable.
    struct Refused: Error, CustomStringConvertible {
        let description: String
    }

    /// Reads the settings from environment variables; an empty variable counts as missing.
    ///
    /// - Parameter environment: The variables.
    /// - Throws: ``Refused`` if a port is invalid.
    init(_ environment: [String: String]) throws {
        let variables = environment.filter { !$0.value.isEmpty }
        port = try Self.port("PLAYGROUND_PORT", in: variables)
        worldPort = try Self.port("PLAYGROUND_WORLD_PORT", in: variables)
        folder = variables["PLAYGROUND_FOLDER"].map { URL(fileURLWithPath: $0, isDirectory: true) }
    }

    private static func port(_ name: String, in variables: [String: String]) throws -> Int {
        guard let text = variables[name] else { return 0 }
        guard let number = UInt16(text) else {
            throw Refused(description: "\(name)=\(text) is not a port: use a number up to 65535, or 0 for a free port")
        }
        return Int(number)
    }
}
