// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// The parser of ``Netrc``.
struct NetrcParser {
    static let maximumBytes = 1024 * 1024
    private static let maximumItemBytes = 4096
    private static let maximumMachines = 10_000

    private struct Item {
        let text: String
        let isQuoted: Bool
        let line: Int
    }

    private let bytes: [UInt8]
    private var position = 0
    private var line = 1

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func parse() throws(NetrcError) -> (machines: [Netrc.Machine], defaultMachine: Netrc.Machine?) {
        guard bytes.count <= Self.maximumBytes else {
            throw NetrcError(.tooLarge, message: "the text is larger than 1 MiB")
        }
        // A byte order mark.
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
        var machines: [Netrc.Machine] = []
        var defaultMachine: Netrc.Machine?
        var current: Netrc.Machine?
        func finish() {
            guard let machine = current else { return }
            if machine.name != nil { machines.append(machine) } else { defaultMachine = defaultMachine ?? machine }
        }
        while let keyword = try keyword() {
            switch keyword.text {
            case "machine":
                finish()
                guard machines.count < Self.maximumMachines else {
                    throw NetrcError(.tooLarge, line: keyword.line, message: "there are more than 10,000 machines")
                }
                current = Netrc.Machine(name: Netrc.name(try value(of: keyword)))
            case "default":
                finish()
                current = Netrc.Machine()
            case "login": try set(\.login, of: &current, to: keyword)
            case "password": try set(\.password, of: &current, to: keyword)
            case "account": try set(\.account, of: &current, to: keyword)
            case "macdef":
                _ = try value(of: keyword)
                skipMacro()
            default:
                // The item may be part of a password, so the message does not repeat it.
                throw NetrcError(
                    .malformed, line: keyword.line,
                    message: "expected machine, default, login, password, account or macdef")
            }
        }
        finish()
        return (machines, defaultMachine)
    }

    private mutating func set(
        _ property: WritableKeyPath<Netrc.Machine, String?>, of machine: inout Netrc.Machine?, to keyword: Item
    ) throws(NetrcError) {
        guard machine != nil else {
            throw NetrcError(.malformed, line: keyword.line, message: "\(keyword.text) before machine or default")
        }
        machine?[keyPath: property] = try value(of: keyword)
    }

    private mutating func value(of keyword: Item) throws(NetrcError) -> String {
        guard let item = try item() else {
            throw NetrcError(.malformed, line: keyword.line, message: "\(keyword.text) has no value")
        }
        return item.text
    }

    /// Returns the next item that is not a comment.
    private mutating func keyword() throws(NetrcError) -> Item? {
        while true {
            skipSpace()
            guard position < bytes.count else { return nil }
            guard bytes[position] == UInt8(ascii: "#") else { return try item() }
            while position < bytes.count, bytes[position] != UInt8(ascii: "\n") { position += 1 }
        }
    }

    private mutating func item() throws(NetrcError) -> Item? {
        skipSpace()
        guard position < bytes.count else { return nil }
        let start = line
        guard bytes[position] == UInt8(ascii: "\"") else {
            let end = bytes[position...].firstIndex(where: Self.isSpace) ?? bytes.count
            defer { position = end }
            return try item(bytes[position..<end], isQuoted: false, line: start)
        }
        position += 1
        var content: [UInt8] = []
        while position < bytes.count, bytes[position] != UInt8(ascii: "\n") {
            let byte = bytes[position]
            position += 1
            if byte == UInt8(ascii: "\"") { return try item(content[...], isQuoted: true, line: start) }
            guard byte == UInt8(ascii: "\\") else {
                content.append(byte)
                continue
            }
            guard position < bytes.count else { break }
            let escaped = bytes[position]
            position += 1
            switch escaped {
            case UInt8(ascii: "n"): content.append(UInt8(ascii: "\n"))
            case UInt8(ascii: "r"): content.append(UInt8(ascii: "\r"))
            case UInt8(ascii: "t"): content.append(UInt8(ascii: "\t"))
            case UInt8(ascii: "\n"): throw NetrcError(.malformed, line: start, message: "a quoted item does not end")
            default: content.append(escaped)
            }
        }
        throw NetrcError(.malformed, line: start, message: "a quoted item does not end")
    }

    private func item(_ bytes: ArraySlice<UInt8>, isQuoted: Bool, line: Int) throws(NetrcError) -> Item {
        guard bytes.count <= Self.maximumItemBytes else {
            throw NetrcError(.tooLarge, line: line, message: "an item is longer than 4 KiB")
        }
        guard !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self) else {
            throw NetrcError(.malformed, line: line, message: "an item is not text in UTF-8")
        }
        return Item(text: text, isQuoted: isQuoted, line: line)
    }

    private mutating func skipSpace() {
        while position < bytes.count, Self.isSpace(bytes[position]) {
            if bytes[position] == UInt8(ascii: "\n") { line += 1 }
            position += 1
        }
    }

    /// Skips the lines of a macro, which ends with an empty line.
    private mutating func skipMacro() {
        var isEmpty = false
        while position < bytes.count {
            let byte = bytes[position]
            if byte == UInt8(ascii: "\n") {
                line += 1
                position += 1
                if isEmpty { return }
                isEmpty = true
                continue
            }
            if byte != UInt8(ascii: "\r") { isEmpty = false }
            position += 1
        }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}
