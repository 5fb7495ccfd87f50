// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The log file that the environment specifies.
package enum LogFilePath {
    /// The environment variable with the path of the file.
    package static let variable = "SIMORGH_LOG_FILE"

    /// Returns the path of the log file that an environment specifies.
    ///
    /// - Parameter environment: The variables.
    /// - Returns: The path; `nil` if the variable is not set, or has a bare name and no cache folder is known.
    package static func path(in environment: [String: String]) -> String? {
        guard let name = environment[variable], !name.isEmpty else { return nil }
        guard isBare(name) else { return name }
        return caches(environment).map { "\($0)/\(name)" }
    }

    /// Returns true if a path has no folder.
    package static func isBare(_ name: String) -> Bool { name.before(last: "/") == nil }

    #if canImport(Darwin)
    private static func caches(_ environment: [String: String]) -> String? {
        environment["HOME"].map { "\($0)/Library/Caches" }
    }
    #else
    /// Returns the cache folder of the XDG base directory specification, which ignores relative paths.
    private static func caches(_ environment: [String: String]) -> String? {
        if let path = environment["XDG_CACHE_HOME"], path.behind(first: "/") != nil { return path }
        return environment["HOME"].map { "\($0)/.cache" }
    }
    #endif
}
