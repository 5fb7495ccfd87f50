// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import SimorghREST
import TestSupport
import Testing

/// The changes that are worth a write of the file.
@Suite("HSTSTable", .timeLimit(.minutes(2)))
struct HSTSTableTests {
    private static let start = Date(timeIntervalSince1970: 1_800_000_000)

    private static func field(_ text: String) throws -> HSTSField { try #require(HSTSField(text)) }

    @Test(
        "A new host, another flag, a removal and a moved expiry need a write; a small move does not",
        arguments: [
            ("max-age=31536000", 0, "max-age=31536000", false), ("max-age=31536000", 86_399, "max-age=31536000", false),
            ("max-age=31536000", 86_401, "max-age=31536000", true),
            ("max-age=31536000", 1, "max-age=31536000; includeSubDomains", true),
            ("max-age=31536000", 1, "max-age=60", true), ("max-age=31536000", 1, "max-age=0", true),
            ("max-age=3600", 359, "max-age=3600", false), ("max-age=3600", 361, "max-age=3600", true),
            ("max-age=10", 9, "max-age=10", false), ("max-age=10", 61, "max-age=10", true),
        ])
    func significance(first: String, seconds: Int, second: String, needsSave: Bool) throws {
        var table = HSTSTable(maximumHosts: 10, recordsChanges: true)
        try table.receive(Self.field(first), from: "a.example", at: Self.start)
        #expect(table.needsSave)
        _ = table.takeChanges()
        #expect(!table.needsSave)
        let now = Self.start.addingTimeInterval(Double(seconds))
        let field = try Self.field(second)
        table.receive(field, from: "a.example", at: now)
        #expect(table.needsSave == needsSave)
        // The memory and the next write have the change in any case.
        let expires = field.maximumAge == 0 ? nil : now.addingTimeInterval(Double(field.maximumAge))
        #expect(table.entries["a.example"]?.expires == expires)
        let changes = table.takeChanges()
        #expect(changes.keys.sorted() == ["a.example"] && changes["a.example"]?.entry == table.entries["a.example"])
    }

    @Test("A host that sends the field every minute for a week needs one write a day")
    func everyMinute() throws {
        var table = HSTSTable(maximumHosts: 10, recordsChanges: true)
        var writes = 0
        for second in stride(from: 0.0, to: 7 * 86_400, by: 60) {
            let now = Self.start.addingTimeInterval(second)
            try table.receive(Self.field("max-age=31536000"), from: "a.example", at: now)
            if table.needsSave {
                writes += 1
                _ = table.takeChanges()
            }
        }
        #expect(writes == 7)
    }

    @Test("A table in memory needs no write")
    func memory() throws {
        var table = HSTSTable(maximumHosts: 10, recordsChanges: false)
        try table.receive(Self.field("max-age=1000"), from: "a.example", at: Self.start)
        #expect(!table.needsSave)
        let changes = table.takeChanges()
        #expect(changes.isEmpty)
    }

    @Test(
        "The file is behind the memory by no more than the tolerance, also after failed writes",
        arguments: 0..<30 as Range<UInt64>)
    func random(seed: UInt64) throws {
        var random = SeededNumbers(seed)
        var table = HSTSTable(maximumHosts: 10, recordsChanges: true)
        var file: [String: HSTSTable.Entry] = [:]
        var tolerances: [String: Double] = [:]
        var now = Self.start
        func receive() throws {
            now = now.addingTimeInterval(Double.random(in: 0...20_000, using: &random))
            let host = "\(Int.random(in: 0..<6, using: &random)).example"
            let age = [0, 10, 3600, 86_400, 31_536_000].randomElement(using: &random) ?? 0
            let flag = Bool.random(using: &random) ? "; includeSubDomains" : ""
            table.receive(try Self.field("max-age=\(age)\(flag)"), from: host, at: now)
            if let entry = table.entries[host] { tolerances[host] = HSTSTable.tolerance(of: entry, at: now) }
        }
        for _ in 0..<500 {
            try receive()
            if table.needsSave {
                let changes = table.takeChanges()
                if Int.random(in: 0..<3, using: &random) == 0 {
                    // The file cannot be written, and more arrives in the meantime.
                    try receive()
                    table.restore(changes)
                    #expect(table.needsSave, "seed \(seed)")
                    continue
                }
                for (host, change) in changes { file[host] = change.entry }
            }
            #expect(Set(file.keys) == Set(table.entries.keys), "seed \(seed)")
            for (host, entry) in table.entries {
                let saved = try #require(file[host], "seed \(seed)")
                #expect(saved.includesSubdomains == entry.includesSubdomains, "seed \(seed)")
                let difference = abs(entry.expires.timeIntervalSince(saved.expires))
                #expect(difference <= tolerances[host] ?? 0, "seed \(seed): \(host)")
            }
        }
    }
}
