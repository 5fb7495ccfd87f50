// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// A path in a container of an app, which the system may move: iOS gives it another name with an update of the app and
/// after a restore of the device.
///
/// For example `/var/mobile/Containers/Data/Application/<UUID>/Documents/film.mov`, or a path in the container of an app
/// group, `/private/var/mobile/Containers/Shared/AppGroup/<UUID>/film.mov`.
package struct ContainerPath: Sendable, Hashable {
    /// The path up to the name of the container, with a slash at the end.
    package let root: String
    /// The kind of the container, such as `Data/Application`.
    package let kind: String
    /// The path in the container.
    package let rest: String

    /// Creates the description of a path; `nil` if the path is not in such a container.
    ///
    /// - Parameter path: An absolute path.
    package init?(_ path: String) {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard let index = parts.indices.first(where: { parts[$0] == "Containers" }), parts.count > index + 3,
            UUID(uuidString: String(parts[index + 3])) != nil
        else { return nil }
        root = parts[...(index + 3)].joined(separator: "/") + "/"
        kind = parts[(index + 1)...(index + 2)].joined(separator: "/")
        rest = parts[(index + 4)...].joined(separator: "/")
    }

    /// Returns a text that identifies a file, also after its container has moved.
    ///
    /// - Parameter path: The path of the file.
    /// - Returns: The path relative to the container if the file is in one; otherwise the path.
    package static func key(of path: String) -> String { ContainerPath(path).map { "\($0.kind)/\($0.rest)" } ?? path }

    /// Returns a text that identifies a file, also after its container or the folder has moved.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - directory: The path of a folder that may contain it.
    /// - Returns: The path relative to the folder or to the container if possible; otherwise the path.
    package static func key(of path: String, in directory: String) -> String {
        if let rest = Self.rest(of: path, in: directory) { return "./\(rest)" }
        return key(of: path)
    }

    /// Returns the current path of a file that an earlier process has recorded.
    ///
    /// - Parameters:
    ///   - path: The path of the file at that time.
    ///   - oldDirectory: The path of a folder at that time; `nil` if unknown.
    ///   - directory: The current path of the folder; `nil` if unknown.
    ///   - home: The current home folder; `nil` if unknown.
    ///   - exists: Returns true if a folder exists.
    /// - Returns: The path in the current folder or container; the old path if the file was in neither, or if its
    ///   container has not moved, as that of a second app group.
    package static func current(
        _ path: String, oldDirectory: String? = nil, directory: String? = nil, home: String?,
        exists: (String) -> Bool = { FileManager.default.fileExists(atPath: $0) }
    ) -> String {
        if let oldDirectory, let directory, let rest = Self.rest(of: path, in: oldDirectory) {
            return "\(directory)/\(rest)"
        }
        guard let old = ContainerPath(path), !exists(old.root) else { return path }
        // The folder may be in the container of an app group, and the file in that of the app.
        let containers = [directory, home].compactMap { $0.flatMap { ContainerPath("\($0)/") } }
        return containers.first { $0.kind == old.kind }.map { $0.root + old.rest } ?? path
    }

    private static func rest(of path: String, in directory: String) -> Substring? {
        let prefix = "\(directory)/"
        // By bytes: two forms of a Unicode name are different files.
        return path.utf8.starts(with: prefix.utf8) ? Substring(path.utf8.dropFirst(prefix.utf8.count)) : nil
    }
}
