// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import SimorghREST
import TestSupport
import Testing

@Suite("Netrc", .timeLimit(.minutes(5)))
struct NetrcTests {
    private let folder = NSTemporaryDirectory() + "simorgh-netrc-\(UUID().uuidString)"

    private static func machines(_ text: String) throws -> [[String?]] {
        let netrc = try Netrc(text)
        return (netrc.machines + [netrc.defaultMachine].compactMap(\.self)).map {
            [$0.name, $0.login, $0.password, $0.account]
        }
    }

    @Test(
        "Machines, quotes, comments and macros are read as curl reads them",
        arguments: [
            ("machine a login b password c", [["a", "b", "c", nil]]),
            ("machine a\n\tlogin b\r\n\tpassword c\r\n\taccount d\n", [["a", "b", "c", "d"]]),
            ("machine a password c login b", [["a", "b", "c", nil]]),
            ("machine A.Example. login b", [["a.example", "b", nil, nil]]),
            ("# machine x login y\nmachine a login b # comment\npassword c", [["a", "b", "c", nil]]),
            ("machine a login b password #c", [["a", "b", "#c", nil]]),
            (#"machine a login "b c" password "\"x\\y\n\t\r\q" account "#, nil),
            (#"machine a login "b c" password "\"x\\y\n\t\r\q""#, [["a", "b c", "\"x\\y\n\t\rq", nil]]),
            (#"machine a login "" password b"c"#, [["a", "", "b\"c", nil]]),
            (
                "machine a login b\nmachine a login c\ndefault login d password e",
                [
                    ["a", "b", nil, nil], ["a", "c", nil, nil], [nil, "d", "e", nil],
                ]
            ),
            ("machine a login b\nmacdef init\ncd /x\nlogin evil\n\npassword c", [["a", "b", "c", nil]]),
            ("machine a login b\nmacdef init\nmachine evil login x", [["a", "b", nil, nil]]),
            (
                "machine ::1 login b machine 127.0.0.1 login c",
                [["[::1]", "b", nil, nil], ["127.0.0.1", "c", nil, nil]]
            ),
            ("machine münchen.example login ü", [["xn--mnchen-3ya.example", "ü", nil, nil]]),
            ("\u{FEFF}machine a login b", [["a", "b", nil, nil]]), ("", []), ("\n\n # only a comment", []),
        ] as [(String, [[String?]]?)])
    func valid(text: String, machines: [[String?]]?) throws {
        if let machines {
            #expect(try Self.machines(text) == machines)
        } else {
            #expect(throws: NetrcError.self) { try Netrc(text) }
        }
    }

    @Test(
        "A text that breaks the format is refused with the number of the line, and without the secret",
        arguments: [
            ("machine a login b passwd s3cret", 1), ("login b", 1), ("\n\npassword s3cret", 3), ("machine", 1),
            ("machine a\nlogin b\npassword", 3), ("machine a\nlogin \"s3cret\npassword c", 2),
            ("machine a password \"s3cret", 1), ("machine a password \"s3cret\\", 1), ("machine a login b\u{0}", 1),
            ("machine a\npassword " + String(repeating: "s3cret", count: 1000), 2),
        ])
    func invalid(text: String, line: Int) {
        let error = #expect(throws: NetrcError.self) { try Netrc(text) }
        #expect(error?.line == line, "\(String(describing: error))")
        #expect(error?.description.contains("s3cret") == false)
    }

    @Test("The size of a text and the number of machines are bounded")
    func bounds() {
        let large = #expect(throws: NetrcError.self) { try Netrc(String(repeating: "#", count: 1024 * 1024 + 1)) }
        #expect(large?.reason == .tooLarge)
        let many = #expect(throws: NetrcError.self) { try Netrc(String(repeating: "machine a ", count: 10_001)) }
        #expect(many?.reason == .tooLarge)
    }

    @Test("Random texts never trap")
    func random() {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededNumbers(seed)
        let words = [
            "machine", "login", "password", "default", "macdef", "\n", "\"", "\\", "#", " ", "a", "\t", "\r\n", "é",
        ]
        var count = 0
        for _ in 0..<20_000 {
            let text = (0..<Int.random(in: 0...20, using: &random)).map { _ in words.randomElement(using: &random) ?? ""
            }
            if (try? Netrc(text.joined(separator: " "))) != nil { count += 1 }
        }
        #expect(count > 0, "seed \(seed)")
    }

    @Test(
        "A machine is found by exactly its name, in any case",
        arguments: [
            ("api.example", "b"), ("API.example.", "b"), ("a.api.example", nil), ("example", nil),
            ("api.example.evil", nil),
            ("::1", "six"), ("[::1]", "six"), ("other", nil), ("", nil),
        ])
    func matching(host: String, login: String?) throws {
        let netrc = try Netrc(
            "machine api.example login b machine api.example login c machine ::1 login six default login d")
        #expect(netrc.machine(for: host)?.login == login)
    }

    @Test("Descriptions and dumps of an entry have no secret")
    func descriptions() throws {
        let netrc = try Netrc("machine a.example login zal password s3cret account s3cret")
        var text = "\(netrc.machines) \(String(reflecting: netrc))"
        dump(netrc, to: &text)
        #expect(!text.contains("s3cret") && text.contains("a.example"))
    }

    @Test(
        "A file is read, and one that other users can read or write is marked",
        arguments: [0o600, 0o400, 0o644, 0o640, 0o622])
    func file(mode: Int) async throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let path = folder + "/.netrc"
        try Data("machine a login b".utf8).write(to: URL(filePath: path))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        let netrc = try await Netrc(path: path)
        #expect(netrc.isExposed == (mode & 0o077 != 0))
        #expect(netrc.machine(for: "a")?.login == "b")
        try Data([0x6D, 0xFF, 0x0A]).write(to: URL(filePath: path))
        let error = await #expect(throws: NetrcError.self) { try await Netrc(path: path) }
        #expect(error?.reason == .malformed && error?.path == path && error?.line == 1)
        let missing = await #expect(throws: NetrcError.self) { try await Netrc(path: folder + "/none") }
        #expect(missing?.reason == .unreadable)
        try FileManager.default.removeItem(atPath: folder)
    }
}
