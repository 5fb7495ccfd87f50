// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Which file the environment asks to log to.
package enum LogFilePath {
    /// The variable that names the file.
    package static let variable = "SIMORGH_LOG_FILE"

    /// The file that an environment names.
    ///
    /// - Parameter environment: The variables.
    /// - Returns: A path; `nil` where none is named, or a bare name with nowhere to put it.
    package static func path(in environment: [String: String]) -> String? {
        guard let name = environment[variable], !name.isEmpty else { return nil }
        guard isBare(name) else { return name }
        return caches(environment).map { "\($0)/\(name)" }
    }

    /// Whether a name has no folder.
    package static func isBare(_ name: String) -> Bool { name.before(last: "/") == nil }

    #if canImport(Darwin)
    private static func caches(_ environment: [String: String]) -> String? {
        environment["HOME"].map { "\($0)/Library/Caches" }
    }
    #else
    /// By the XDG base directory specification: what is no absolute path is ignored.
    private static func caches(_ environment: [String: String]) -> String? {
        if let path = environment["XDG_CACHE_HOME"], path.behind(first: "/") != nil { return path }
        return environment["HOME"].map { "\($0)/.cache" }
    }
    #endif
}
