// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// The user names and passwords of a `.netrc` file, by host.
///
/// ```swift
/// let netrc = try await Netrc(path: "/home/zal/.netrc")
/// let client = client.with { $0.authentication = .netrc(netrc) }
/// ```
/// The format is that of curl: `machine`, `default`, `login`, `password`, `account` and `macdef` (skipped), separated by
/// white space; `#` begins a comment at the beginning of a line or in place of a keyword. An item in double quotes
/// may contain white space, and the escapes `\"`, `\\`, `\n`, `\r` and `\t`. A text may have 1 MiB, an item 4 KiB, and
/// there may be 10,000 machines.
public struct Netrc: Sendable, Hashable {
    /// The credentials for a host.
    public struct Machine: Sendable, Hashable {
        /// The name of the host, in lowercase; `nil` for `default`.
        public internal(set) var name: String?
        /// The user name.
        public internal(set) var login: String?
        /// The password.
        public internal(set) var password: String?
        /// The additional account password, which HTTP does not use.
        public internal(set) var account: String?
    }

    /// The machines, in the order of the text, without `default`.
    public private(set) var machines: [Machine]
    /// The entry `default`, for hosts without one of their own; `nil` if the text has no such entry.
    ///
    /// ``SimorghCore/Authentication/netrc(_:overPlainHTTP:)`` does not use it, because it would send a password to every host.
    public private(set) var defaultMachine: Machine?
    /// A Boolean value that indicates whether other users of the machine can read or change the file.
    public private(set) var isExposed = false

    /// The path of the user's own file, `.netrc` in the home folder; `nil` without a home folder.
    public static var defaultPath: String? {
        let home = ProcessInfo.processInfo.environment["HOME"].flatMap { $0.isEmpty ? nil : $0 }
        return home.map { "\($0)/.netrc" }
    }

    /// Parses a text.
    ///
    /// - Parameter text: The text.
    /// - Throws: ``NetrcError`` with the number of the line.
    public init(_ text: String) throws { try self.init(bytes: Array(text.utf8)) }

    private init(bytes: [UInt8]) throws(NetrcError) {
        var parser = NetrcParser(bytes)
        (machines, defaultMachine) = try parser.parse()
    }

    /// Reads a file.
    ///
    /// A file that other users can read or change is read, too; see ``isExposed``.
    ///
    /// - Parameter path: The path of the file.
    /// - Throws: ``NetrcError`` if it cannot be read or parsed.
    public init(path: String) async throws {
        let contents = try await FileQueue.run { () throws(NetrcError) in
            let file: PrivateFile.Contents?
            do throws(PrivateFile.FileError) {
                file = try PrivateFile(path).read(upTo: NetrcParser.maximumBytes)
            } catch {
                switch error {
                case .tooLarge: throw NetrcError(.tooLarge, path: path, message: "the file is larger than 1 MiB")
                case .system(let code):
                    throw NetrcError(
                        .unreadable, path: path, message: "could not be read: \(String(cString: strerror(code)))")
                default: throw NetrcError(.unreadable, path: path, message: "is not a regular file")
                }
            }
            guard let file else { throw NetrcError(.unreadable, path: path, message: "the file does not exist") }
            return file
        }
        do throws(NetrcError) {
            try self.init(bytes: contents.bytes)
        } catch {
            var error = error
            error.path = path
            throw error
        }
        isExposed = contents.isReadableByOthers || contents.isWritableByOthers
    }

    /// Returns the credentials for a host: the first entry with this name; never `default`.
    ///
    /// - Parameter host: The name or the address of the host, without a port; case does not matter.
    /// - Returns: The entry; `nil` if the host has no entry.
    public func machine(for host: String) -> Machine? {
        let name = Self.name(host)
        return machines.first { $0.name == name }
    }

    /// Returns the form in which names are compared.
    static func name(_ host: String) -> String {
        let isBare = host.contains(":") && !host.hasPrefix("[")
        guard var name = HostSyntax.normalized(isBare ? "[\(host)]" : host) else { return host.lowercased() }
        if name.hasSuffix(".") { name.removeLast() }
        return name
    }
}

extension Netrc.Machine: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The name of the host, without the credentials.
    public var description: String { name.map { "machine \($0)" } ?? "default" }

    /// The name of the host, without the credentials.
    public var debugDescription: String { description }

    /// A mirror with the name only, so that dumping a value does not reveal the credentials.
    public var customMirror: Mirror { Mirror(self, children: ["name": name as Any]) }
}
