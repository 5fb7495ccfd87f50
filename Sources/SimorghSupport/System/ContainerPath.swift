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

    /// The kind of the containers of app groups, of which an app may have several.
    private static let groupKind = "Shared/AppGroup"
    /// The kinds of containers that an app or an app extension may have.
    private static let kinds: Set = [
        "Data/Application", "Data/PluginKitPlugin", "Data/VPNPlugin", "Data/XPCService", groupKind,
    ]

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
        guard Self.kinds.contains(kind) else { return nil }
    }

    /// Returns a text that identifies a file, also after its container or a folder has moved.
    ///
    /// Only the container of the folder can be told from those of other app groups, whose files keep their paths.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - directory: The path of a folder that may contain it, or be in the same app group; `nil` without one.
    /// - Returns: The path relative to the folder or to the container if possible; otherwise the path.
    package static func key(of path: String, in directory: String? = nil) -> String {
        if let directory, let rest = Self.rest(of: path, in: directory) { return "./\(rest)" }
        let path = canonical(path)
        guard let container = ContainerPath(path), container.kind != groupKind || container.contains(directory) else {
            return path
        }
        return "\(container.kind)/\(container.rest)"
    }

    /// Returns the current path of a file that an earlier process has recorded.
    ///
    /// - Parameters:
    ///   - path: The path of the file at that time.
    ///   - oldDirectory: The path of a folder at that time; `nil` if unknown.
    ///   - directory: The current path of the folder; `nil` if unknown.
    ///   - home: The current home folder; `nil` if unknown.
    ///   - exists: Returns true if a file or folder exists.
    /// - Returns: The path in the current folder or container; the old path if the file was in neither, if it was in
    ///   another app group than the folder, or if its container has not moved.
    package static func current(
        _ path: String, oldDirectory: String? = nil, directory: String? = nil, home: String?,
        exists: (String) -> Bool = { FileManager.default.fileExists(atPath: $0) }
    ) -> String {
        if let oldDirectory, let directory, let rest = Self.rest(of: path, in: oldDirectory) {
            return "\(directory)/\(rest)"
        }
        guard let old = ContainerPath(path), !exists(old.root) else { return path }
        if old.kind == groupKind, let oldDirectory, !old.contains(oldDirectory) { return path }
        // The folder may be in the container of an app group, and the file in that of the app.
        let containers = [directory, home].compactMap { $0.flatMap { ContainerPath("\($0)/") } }
        guard let container = containers.first(where: { $0.kind == old.kind }) else { return path }
        let current = container.root + old.rest
        // Without the old folder, only the file itself tells if it was in the same app group.
        return old.kind == groupKind && oldDirectory == nil && !exists(current) ? path : current
    }

    /// Returns true if the container contains a folder, or is it.
    private func contains(_ directory: String?) -> Bool {
        guard let directory else { return false }
        return "\(Self.canonical(directory))/".utf8.starts(with: Self.canonical(root).utf8)
    }

    private static func rest(of path: String, in directory: String) -> Substring? {
        let path = canonical(path)
        let prefix = "\(canonical(directory))/"
        // By bytes: two forms of a Unicode name are different files.
        return path.utf8.starts(with: prefix.utf8) ? Substring(path.utf8.dropFirst(prefix.utf8.count)) : nil
    }

    /// Returns a path without a leading `/private`, with which Apple's systems begin the same path in some URLs.
    private static func canonical(_ path: String) -> String {
        let isPrivate = ["/private/var/", "/private/tmp/"].contains { path.utf8.starts(with: $0.utf8) }
        return isPrivate ? String(Substring(path.utf8.dropFirst("/private".utf8.count))) : path
    }
}
