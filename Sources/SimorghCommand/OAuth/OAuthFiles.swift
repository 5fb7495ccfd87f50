// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
import Simorgh
import SimorghOAuth
import SimorghSupport

/// The files of a sign-in, in a folder that only the user can read.
struct OAuthFiles: Sendable {
    let name: String
    let settings: PrivateFile
    let store: FileTokenStore

    /// Creates the names of the files.
    ///
    /// - Parameters:
    ///   - name: The name of the sign-in: letters, digits, `-`, `_` and `.`.
    ///   - environment: The environment, for the user's folders.
    /// - Throws: ``CommandError`` if the name cannot be the name of a file, or there is no home folder.
    init(_ name: String, environment: [String: String]) throws(CommandError) {
        let allowed = ByteSet.letters.union(.digits).union(ByteSet("-_."))
        guard (1...64).contains(name.utf8.count), name.utf8.allSatisfy(allowed.contains), name.utf8.first != 0x2E else {
            throw .usage("the name of a sign-in has up to 64 letters, digits, hyphens, underscores and dots")
        }
        let folder = try Self.folder(environment)
        self.name = name
        settings = PrivateFile("\(folder)/\(name).json")
        store = FileTokenStore(path: "\(folder)/\(name).token")
    }

    private static func folder(_ environment: [String: String]) throws(CommandError) -> String {
        if let path = environment["XDG_CONFIG_HOME"], path.hasPrefix("/") { return path + "/simorgh/oauth" }
        guard let home = environment["HOME"], home.hasPrefix("/") else {
            throw .usage("a sign-in needs the home folder in HOME")
        }
        return home + "/.config/simorgh/oauth"
    }

    /// Creates the folder.
    func makeFolder() throws(CommandError) {
        var path = ""
        for part in settings.folder.split(separator: "/") {
            path += "/" + part
            guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
                throw CommandError(.output, message: "\(path) cannot be created: \(String(cString: strerror(errno)))")
            }
        }
    }

    func removeSettings() { unlink(settings.path) }
}
#endif
