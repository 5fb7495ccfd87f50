// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import SimorghCore
import SimorghREST
import Synchronization
import TestSupport
import Testing

@Suite("HSTSStore", .timeLimit(.minutes(5)))
struct HSTSStoreTests {
    private let folder = NSTemporaryDirectory() + "simorgh-hsts-\(UUID().uuidString)"
    private var path: String { folder + "/hsts.txt" }
    private let date = LockedValue(Date(timeIntervalSince1970: 1_800_000_000))

    init() throws { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) }

    private var time: TimeSource {
        let date = date
        return TimeSource(clock: ContinuousClock()) { date.value }
    }

    private func write(_ text: String, to name: String = "hsts.txt", mode: Int = 0o600) throws {
        try Data(text.utf8).write(to: URL(filePath: "\(folder)/\(name)"))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: "\(folder)/\(name)")
    }

    private func contents() throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

    @Test("A host is known until its age has passed; each field refreshes it, and max-age=0 removes it")
    func expiry() {
        let store = HSTSStore(time: time)
        store.receive("max-age=100", from: "api.example.com")
        #expect(store.requiresHTTPS("api.example.com"))
        date.change { $0 += 99 }
        store.receive("max-age=100; includeSubDomains", from: "api.example.com")
        date.change { $0 += 99 }
        #expect(store.requiresHTTPS("api.example.com") && store.requiresHTTPS("a.b.api.example.com"))
        date.change { $0 += 1 }
        #expect(!store.requiresHTTPS("api.example.com") && store.hosts.isEmpty)
        store.receive("max-age=100", from: "api.example.com")
        store.receive("max-age=0; nonsense==", from: "api.example.com")
        #expect(store.requiresHTTPS("api.example.com"))
        store.receive("max-age=0", from: "api.example.com")
        #expect(!store.requiresHTTPS("api.example.com"))
    }

    @Test(
        "A host matches itself, and the hosts below it only with includeSubDomains",
        arguments: [
            ("one.example", true), ("ONE.example", true), ("one.example.", true), ("a.one.example", false),
            ("two.example", true), ("a.two.example", true), ("a.b.two.example.", true), ("atwo.example", false),
            ("example", false), ("xn--mnchen-3ya.example", true), ("münchen.example", true), ("", false), (".", false),
            ("127.0.0.1", false), ("[::1]", false), ("1.2", false),
        ])
    func matching(host: String, isKnown: Bool) {
        let store = HSTSStore(time: time)
        store.add("one.example", for: .seconds(100))
        store.add("two.example", includesSubdomains: true, for: .seconds(100))
        store.add("münchen.example", for: .seconds(100))
        // Addresses are never added.
        store.add("127.0.0.1", for: .seconds(100))
        store.add("[::1]", for: .seconds(100))
        #expect(store.requiresHTTPS(host) == isKnown)
        #expect(store.hosts.map(\.name) == ["one.example", "two.example", "xn--mnchen-3ya.example"])
    }

    @Test("The number of hosts is bounded: expired ones are forgotten first, then those that expire first")
    func bound() {
        let store = HSTSStore(maximumHosts: 100, time: time)
        store.add("short.example", for: .seconds(1))
        for number in 0..<99 { store.add("site\(number).example", for: .seconds(1000 + number)) }
        date.change { $0 += 2 }
        store.add("next.example", for: .seconds(10))
        #expect(store.hosts.count <= 100 && store.requiresHTTPS("next.example"))
        #expect(store.requiresHTTPS("site98.example") && !store.requiresHTTPS("short.example"))
        for number in 0..<1000 { store.add("late\(number).example", for: .seconds(5000)) }
        #expect(store.hosts.count <= 100)
        #expect(!store.requiresHTTPS("site0.example") && store.requiresHTTPS("late999.example"))
    }

    @Test("A site with many hosts displaces its own hosts, not those of others")
    func site() {
        let store = HSTSStore(maximumHosts: 1000, time: time)
        store.add("bank.example", for: .seconds(10))
        store.add("evil.example", for: .seconds(10))
        for number in 0..<3000 { store.receive("max-age=63072000", from: "a\(number).evil.example") }
        #expect(store.requiresHTTPS("bank.example"))
        #expect(store.hosts.count == 201)
    }

    @Test("The file is written as a whole with mode 0600 in curl's format, and read again")
    func file() async throws {
        let store = try await HSTSStore(path: path, time: time)
        store.receive("max-age=100; includeSubDomains", from: "b.example")
        store.receive("max-age=200", from: "a.example")
        store.preload(["preloaded.example"])
        try await store.flush()
        let lines = try contents().split(separator: "\n").filter { !$0.hasPrefix("#") }
        #expect(lines == [#"a.example "20270115 08:03:20""#, #".b.example "20270115 08:01:40""#])
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["hsts.txt"])
        let again = try await HSTSStore(path: path, time: time)
        #expect(again.hosts == store.hosts && again.requiresHTTPS("x.b.example"))
        again.remove("b.example")
        try await again.flush()
        #expect(try await HSTSStore(path: path, time: time).hosts.map(\.name) == ["a.example"])
        try FileManager.default.removeItem(atPath: folder)
    }

    @Test("curl's own file is read, with entries that never expire limited to two years")
    func curl() async throws {
        try write(
            """
            # Your HSTS cache. https://curl.se/docs/hsts.html
            # This file was generated by libcurl! Edit at your own risk.
            .readme.example "20270301 12:34:56"\r
            \told.example\t"20200101 00:00:00"
            forever.example "unlimited"
            .readme.example "20270201 00:00:00"

            """)
        let store = try await HSTSStore(path: path, time: time)
        #expect(store.hosts.map(\.name) == ["forever.example", "readme.example"])
        #expect(store.hosts.last?.expires == Date(timeIntervalSince1970: 1_803_904_496))
        #expect(store.hosts.first?.expires == date.value.addingTimeInterval(63_072_000))
        try FileManager.default.removeItem(atPath: folder)
    }

    @Test(
        "A file with a line of another format is refused with its number, and stays",
        arguments: [
            ("export PATH=/bin\n", 1), ("# x\n\na.example \"20270101 00:00:00\"\nb.example\n", 4),
            ("a.example \"20270230 00:00:00\"", 1), ("a.example \"20270101 24:00:00\"", 1),
            ("a.example 20270101 00:00:00", 1), ("10.0.0.1 \"20270101 00:00:00\"", 1),
            ("a..example \"20270101 00:00:00\"", 1), ("a.example \"", 1), ("\0", 1),
        ])
    func damaged(text: String, line: Int) async throws {
        try write(text)
        let error = await #expect(throws: HSTSFileError.self) { try await HSTSStore(path: path, time: time) }
        #expect(error?.reason == .damaged && error?.line == line, "\(String(describing: error))")
        #expect(try contents() == text)
        try FileManager.default.removeItem(atPath: folder)
    }

    @Test(
        "A file that other users can write is refused, when it is opened and before it is merged",
        arguments: [0o602, 0o620])
    func writableByOthers(mode: Int) async throws {
        try write("", mode: mode)
        let error = await #expect(throws: HSTSFileError.self) { try await HSTSStore(path: path, time: time) }
        #expect(error?.reason == .writableByOthers)
        try write("")
        let store = try await HSTSStore(path: path, time: time)
        try write("b.example \"20270101 00:00:00\"", mode: mode)
        store.add("a.example", for: .seconds(100))
        await #expect(throws: HSTSFileError.self) { try await store.flush() }
        // The change is kept, and written once the file is safe.
        try write("")
        try await store.flush()
        #expect(try contents().contains("a.example"))
        try FileManager.default.removeItem(atPath: folder)
    }

    @Test("A folder and a pipe are not read as a file, and a missing folder fails the write")
    func kinds() async throws {
        let error = await #expect(throws: HSTSFileError.self) { try await HSTSStore(path: folder, time: time) }
        #expect(error?.reason == .unreadable)
        #expect(mkfifo(path, 0o600) == 0)
        await #expect(throws: HSTSFileError.self) { try await HSTSStore(path: path, time: time) }
        let store = try await HSTSStore(path: folder + "/none/hsts.txt", time: time)
        store.add("a.example", for: .seconds(100))
        let failure = await #expect(throws: HSTSFileError.self) { try await store.flush() }
        #expect(failure?.reason == .unwritable)
        #expect(store.requiresHTTPS("a.example"))
        try FileManager.default.removeItem(atPath: folder)
    }

    @Test("Stores that share a file lose none of each other's changes")
    func shared() async throws {
        let path = path
        let time = time
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<8 {
                group.addTask {
                    let store = try await HSTSStore(path: path, time: time)
                    for number in 0..<10 {
                        store.add("host\(number).site\(writer).example", for: .seconds(1000))
                        try await store.flush()
                    }
                    store.remove("host0.site\(writer).example")
                    try await store.flush()
                }
            }
            try await group.waitForAll()
        }
        let store = try await HSTSStore(path: path, time: time)
        #expect(store.hosts.count == 72)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["hsts.txt"])
        try FileManager.default.removeItem(atPath: folder)
    }

    @Test("After a flush the file has the last expiry of each host, however little it moved")
    func refreshed() async throws {
        let store = try await HSTSStore(path: path, time: time)
        for _ in 0..<3 {
            store.receive("max-age=31536000", from: "a.example")
            try await store.flush()
            #expect(try await HSTSStore(path: path, time: time).hosts == store.hosts)
            date.change { $0 += 1 }
        }
        try FileManager.default.removeItem(atPath: folder)
    }

    @Test("A file has at most 60,000 hosts, whatever is asked for, and so can always be read again")
    func fileBound() async throws {
        let label = String(repeating: "a", count: 63)
        let longest = "\(label).\(label).\(label).\(label.dropLast(2))"
        let entry = HSTSTable.Entry(expires: date.value, includesSubdomains: true)
        let empty = HSTSFile.data([:]).count
        let line = HSTSFile.data([longest: entry]).count - empty
        #expect(longest.utf8.count == 253 && empty + line * HSTSFile.maximumHosts <= HSTSFile.maximumBytes)
        let lines = (0...HSTSFile.maximumHosts).map { "h\($0).example \"20280101 00:00:00\"\n" }
        try write(lines.joined())
        let store = try await HSTSStore(path: path, maximumHosts: 100_000, time: time)
        #expect(store.hosts.count == HSTSFile.maximumHosts)
        try FileManager.default.removeItem(atPath: folder)
    }

    @Test("A preload list has a host on each line, or is Chromium's JSON")
    func preload() async throws {
        let store = HSTSStore(time: time)
        try write("# list\n.all.example\none.example\nmünchen.example\n", to: "list.txt", mode: 0o644)
        try await store.preload(contentsOf: folder + "/list.txt")
        try write(
            """
            // Copyright
            {
              // comment
              "pinsets": [],
              "entries": [
                { "name": "force.example", "policy": "custom", "mode": "force-https", "include_subdomains": true },
                { "name": "only.example", "mode": "force-https" },
                { "name": "pins.example", "include_subdomains": true, "pins": "x" }
              ]
            }
            """, to: "list.json", mode: 0o644)
        try await store.preload(contentsOf: folder + "/list.json")
        let known = [
            "all.example", "a.all.example", "one.example", "münchen.example", "a.force.example", "only.example",
        ]
        for host in known { #expect(store.requiresHTTPS(host), "\(host)") }
        for host in ["a.one.example", "a.only.example", "pins.example"] {
            #expect(!store.requiresHTTPS(host), "\(host)")
        }
        #expect(store.hosts.isEmpty)
        store.receive("max-age=0", from: "all.example")
        store.remove("all.example")
        #expect(store.requiresHTTPS("all.example"))
        try write("a.example\nhttps://b.example/\n", to: "bad.txt")
        let error = await #expect(throws: HSTSFileError.self) {
            try await store.preload(contentsOf: folder + "/bad.txt")
        }
        #expect(error?.reason == .damaged && error?.line == 2)
        try write("{ \"entries\": 5 }", to: "bad.json")
        await #expect(throws: HSTSFileError.self) { try await store.preload(contentsOf: folder + "/bad.json") }
        let missing = await #expect(throws: HSTSFileError.self) { try await store.preload(contentsOf: folder + "/no") }
        #expect(missing?.reason == .unreadable)
        try FileManager.default.removeItem(atPath: folder)
    }
}
