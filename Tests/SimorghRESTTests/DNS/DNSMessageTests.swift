// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghREST
import SimorghSupport
import TestSupport
import Testing

@Suite("DNS messages (RFC 1035)", .timeLimit(.minutes(5)))
struct DNSMessageTests {
    private static func question(_ host: String = "www.example.com", _ type: DNSQuestion.RecordType = .a) throws
        -> DNSQuestion
    {
        DNSQuestion(try #require(DNSName(host)), type: type)
    }

    private static func bytes(_ hex: String) -> [UInt8] {
        let digits = hex.compactMap { $0.hexDigitValue }.map { UInt8($0) }
        return stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }

    @Test("The query is that of the example in RFC 8484, section 4.1.1")
    func query() throws {
        let example = "AAABAAABAAAAAAAAA3d3dwdleGFtcGxlA2NvbQAAAQAB"
        #expect(Base64.text(try Self.question().query) == example)
        let long = try Self.question("a.62characterlabel-makes-base64url-distinct-from-standard-base64.example.com")
        #expect(
            Base64.text(long.query)
                == "AAABAAABAAAAAAAAAWE+NjJjaGFyYWN0ZXJsYWJlbC1tYWtlcy1iYXNlNjR1cmwtZGlzdGluY3QtZnJvbS1zdGFuZGFyZC1iYXNlNjQHZXhhbXBsZQNjb20AAAEAAQ=="
        )
    }

    @Test("The answer of RFC 8484, section 4.2.2, is read")
    func rfcExample() throws {
        let hex = """
            00008180000100010000000003777777076578616d706c6503636f6d00001c0001c00c001c000100000e7d0010\
            20010db8abcd00120001000200030004
            """
        let answer = try DNSAnswer(Self.bytes(hex), to: try Self.question("www.example.com", .aaaa))
        #expect(answer.addresses.map(\.description) == ["2001:db8:abcd:12:1:2:3:4"])
        #expect(answer.timeToLive == 3709 && !answer.isNonexistent)
    }

    @Test(
        "A name that DNS cannot ask for is refused",
        arguments: [
            "", ".", "a..b", String(repeating: "a", count: 64), String(repeating: "a.", count: 128) + "b", "[::1]",
        ])
    func names(host: String) { #expect(DNSName(host) == nil) }

    /// Builds messages.
    private struct Writer {
        var bytes: [UInt8]

        init(flags: UInt16 = 0x8180, id: UInt16 = 0, questions: Int = 1, answers: Int = 0, authorities: Int = 0) {
            bytes = [id, flags, UInt16(questions), UInt16(answers), UInt16(authorities), 0].flatMap {
                [UInt8($0 >> 8), UInt8($0 & 0xFF)]
            }
        }

        static func name(_ text: String) -> [UInt8] {
            text.split(separator: ".").flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) } + [0]
        }

        mutating func question(_ name: String, _ type: UInt8 = 1, networkClass: UInt8 = 1) {
            bytes += Self.name(name) + [0, type, 0, networkClass]
        }

        mutating func record(
            _ name: [UInt8], _ type: UInt8, ttl: [UInt8] = [0, 0, 0, 100], networkClass: UInt8 = 1, _ data: [UInt8],
            length: Int? = nil
        ) {
            let length = length ?? data.count
            bytes += name + [0, type, 0, networkClass] + ttl + [UInt8(length >> 8), UInt8(length & 0xFF)] + data
        }
    }

    private static let host = "www.example.com"

    private static func answer(
        answers: Int, authorities: Int = 0, flags: UInt16 = 0x8180, _ build: (inout Writer) -> Void
    ) throws -> DNSAnswer {
        var writer = Writer(flags: flags, answers: answers, authorities: authorities)
        writer.question(host)
        build(&writer)
        return try DNSAnswer(writer.bytes, to: question())
    }

    @Test("Aliases are followed in any order, and records of other names are ignored")
    func aliases() throws {
        let answer = try Self.answer(answers: 6) {
            $0.record(Writer.name("evil.example"), 1, [6, 6, 6, 6])
            $0.record(Writer.name("b.example"), 1, ttl: [0, 0, 0, 50], [192, 0, 2, 1])
            $0.record(Writer.name("A.example"), 5, ttl: [0, 0, 0, 20], Writer.name("B.EXAMPLE"))
            $0.record(Writer.name("WWW.example.com"), 5, Writer.name("a.example"))
            $0.record(Writer.name("b.example"), 1, [192, 0, 2, 2])
            // An alias beside addresses, and a second alias, do not count.
            $0.record(Writer.name("b.example"), 5, Writer.name("evil.example"))
        }
        #expect(answer.addresses.map(\.description) == ["192.0.2.1", "192.0.2.2"])
        #expect(answer.timeToLive == 20)
    }

    @Test("Only records of the question's name, type and class count")
    func others() throws {
        let answer = try Self.answer(answers: 4) {
            $0.record(Writer.name("example.com"), 1, [6, 6, 6, 6])
            $0.record([0xC0, 12], 28, Array(repeating: 6, count: 16))
            $0.record([0xC0, 12], 1, networkClass: 3, [6, 6, 6, 6])
            $0.record([0xC0, 12], 46, [6])
        }
        #expect(answer.addresses.isEmpty && answer.timeToLive == 0)
    }

    @Test("A loop of aliases, and more than 16, are malformed")
    func loops() {
        #expect(throws: DNSMessageError.malformed("more than 16 aliases, or a loop of aliases")) {
            try Self.answer(answers: 2) {
                $0.record([0xC0, 12], 5, Writer.name("a.example"))
                $0.record(Writer.name("a.example"), 5, [0xC0, 12])
            }
        }
        for count in [16, 17] {
            let result = Result {
                try Self.answer(answers: count + 1) {
                    $0.record([0xC0, 12], 5, Writer.name("a1"))
                    for number in 1..<count { $0.record(Writer.name("a\(number)"), 5, Writer.name("a\(number + 1)")) }
                    $0.record(Writer.name("a\(count)"), 1, [192, 0, 2, 1])
                }
            }
            #expect(((try? result.get()) != nil) == (count == 16))
        }
    }

    @Test(
        "A compression pointer that does not point backward, or points to the header, is malformed",
        arguments: [
            [0xC0, 0], [0xC0, 11], [0xC0, 33], [0xC0, 34], [0xC0, 255], [0xFF, 0xFF], [1, 97, 0xC0, 33], [0xC0],
            [0x80, 1], [0x40],
        ] as [[UInt8]])
    func pointers(name: [UInt8]) {
        // The first record begins at offset 33.
        #expect(throws: DNSMessageError.self) { try Self.answer(answers: 1) { $0.record(name, 1, [192, 0, 2, 1]) } }
    }

    @Test("A name with more than 127 compression pointers is malformed", arguments: [1, 127, 128, 4000])
    func pointerChains(count: Int) {
        let result = Result {
            try Self.answer(answers: 2) { writer in
                // The data of the first record: each pointer leads to the one before it, the first to the question.
                let start = writer.bytes.count + 12
                let targets = [12] + (0..<count).map { start + 2 * $0 }
                let pointers = targets.map { [0xC0 | UInt8($0 >> 8), UInt8($0 & 0xFF)] }
                writer.record([0xC0, 12], 16, Array(pointers.dropLast(2).joined()))
                writer.record(pointers[count - 1], 1, [192, 0, 2, 1])
            }
        }
        if count <= DNSName.maximumPointers {
            #expect((try? result.get())?.addresses.count == 1)
        } else {
            #expect(throws: DNSMessageError.malformed("a name has more than 127 compression pointers")) {
                try result.get()
            }
        }
    }

    @Test("At most 256 addresses of an answer are kept")
    func manyAddresses() throws {
        let answer = try Self.answer(answers: 300) {
            for number in 0..<300 { $0.record([0xC0, 12], 1, [192, 0, UInt8(number >> 8), UInt8(number & 0xFF)]) }
        }
        #expect(answer.addresses.count == DNSAnswer.maximumAddresses)
        #expect(answer.addresses.last?.description == "192.0.0.255")
    }

    @Test("A name of more than 255 bytes through pointers is malformed")
    func longNames() {
        #expect(throws: DNSMessageError.malformed("a name has more than 255 bytes")) {
            try Self.answer(answers: 3) {
                let part = (0..<3).flatMap { _ in [UInt8(62)] + [UInt8](repeating: 97, count: 62) }
                $0.record(part + [0], 16, [])
                $0.record(part + [0xC0, 33], 1, [192, 0, 2, 1])
            }
        }
    }

    @Test(
        "Response codes and flags are told apart",
        arguments: [
            (0x8182, DNSMessageError.failed(2)), (0x8185, .failed(5)), (0x8181, .failed(1)), (0x8380, .truncated),
            (0x8382, .truncated), (0x0100, .unrelated("not an answer to a query")),
            (0xA180, .unrelated("not an answer to a query")),
        ] as [(UInt16, DNSMessageError)])
    func flags(flags: UInt16, error: DNSMessageError) {
        #expect(throws: error) { try Self.answer(answers: 0, flags: flags) { _ in } }
    }

    @Test("NXDOMAIN and an empty answer live as long as SOA says, and without SOA not at all")
    func negative() throws {
        for (flags, isNonexistent) in [(0x8183 as UInt16, true), (0x8180, false)] {
            let soa = Writer.name("ns.example") + Writer.name("root.example") + [UInt8](repeating: 0, count: 16)
            let known = try Self.answer(answers: 0, authorities: 2, flags: flags) {
                $0.record(Writer.name("com"), 2, Writer.name("ns"))
                $0.record(Writer.name("com"), 6, ttl: [0, 0, 1, 0], soa + [0, 0, 0, 60])
            }
            #expect(known.isNonexistent == isNonexistent && known.timeToLive == 60 && known.addresses.isEmpty)
            let unknown = try Self.answer(answers: 0, flags: flags) { _ in }
            #expect(unknown.isNonexistent == isNonexistent && unknown.timeToLive == 0)
        }
    }

    @Test("A time to live with the highest bit is zero")
    func negativeTime() throws {
        let answer = try Self.answer(answers: 1) { $0.record([0xC0, 12], 1, ttl: [0x80, 0, 0, 1], [192, 0, 2, 1]) }
        #expect(answer.timeToLive == 0 && answer.addresses.count == 1)
    }

    @Test("An answer to another question is refused")
    func otherQuestions() throws {
        let builds: [(Writer, String, UInt8, UInt8)] = [
            (Writer(), "www.example.org", 1, 1), (Writer(), Self.host, 28, 1), (Writer(), Self.host, 1, 3),
            (Writer(id: 1), Self.host, 1, 1), (Writer(questions: 0), Self.host, 1, 1),
            (Writer(questions: 2), Self.host, 1, 1),
        ]
        for (writer, name, type, networkClass) in builds {
            var writer = writer
            writer.question(name, type, networkClass: networkClass)
            let error = #expect(throws: DNSMessageError.self) { try DNSAnswer(writer.bytes, to: Self.question()) }
            guard case .unrelated = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
        }
        var writer = Writer()
        writer.question("WWW.Example.COM")
        #expect(try DNSAnswer(writer.bytes, to: Self.question()).addresses.isEmpty)
    }

    @Test("Every beginning of a message is malformed, and so are wrong lengths")
    func beginnings() throws {
        var writer = Writer(answers: 2)
        writer.question(Self.host)
        writer.record([0xC0, 12], 5, Writer.name("a.example"))
        writer.record(Writer.name("a.example"), 1, [192, 0, 2, 1])
        #expect(try DNSAnswer(writer.bytes, to: Self.question()).addresses.count == 1)
        for count in writer.bytes.indices {
            #expect(throws: DNSMessageError.self) { try DNSAnswer(Array(writer.bytes[..<count]), to: Self.question()) }
        }
        for (type, data, length) in [
            (1, [1, 2, 3], 3), (1, [1, 2, 3, 4], 5), (5, [1, 97, 0, 9], 4), (5, [1, 97, 0], 2),
        ] as [(UInt8, [UInt8], Int)] {
            #expect(throws: DNSMessageError.self) {
                try Self.answer(answers: 1) { $0.record([0xC0, 12], type, data, length: length) }
            }
        }
        #expect(throws: DNSMessageError.self) {
            try DNSAnswer([UInt8](repeating: 0, count: 65_536), to: Self.question())
        }
    }

    @Test("Random changes of a message never trap, and never give an address of another record")
    func random() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededNumbers(seed)
        var writer = Writer(answers: 3, authorities: 1)
        writer.question(Self.host)
        writer.record([0xC0, 12], 5, [1, 97, 0xC0, 16])
        writer.record([0xC0, 45], 1, [192, 0, 2, 1])
        writer.record(Writer.name("evil.example"), 1, [192, 0, 2, 1])
        writer.record([0xC0, 20], 6, Writer.name("ns") + Writer.name("r") + [UInt8](repeating: 1, count: 20))
        let question = try Self.question()
        #expect(try DNSAnswer(writer.bytes, to: question).addresses.count == 1)
        for _ in 0..<50_000 {
            var bytes = writer.bytes
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: .min ... .max, using: &random)
            }
            if let answer = try? DNSAnswer(bytes, to: question) {
                #expect(answer.addresses.allSatisfy { !$0.isIPv6 }, "seed \(seed)")
            }
        }
    }
}
