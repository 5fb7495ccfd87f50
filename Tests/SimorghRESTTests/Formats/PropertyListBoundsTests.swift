// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghREST
import SimorghTesting
import TestSupport
import Testing

/// Property lists that a malicious server sends.
@Suite(.timeLimit(.minutes(5)))
struct PropertyListBoundsTests {
    /// Arrays in arrays, without an end.
    private final class Nest: Decodable, Sendable {
        let inner: [Nest]

        init(from decoder: any Decoder) throws { inner = try decoder.singleValueContainer().decode([Nest].self) }
    }

    private static func xml(_ content: String, head: String = #"<?xml version="1.0" encoding="UTF-8"?>"#) -> Data {
        Data("\(head)<plist version=\"1.0\">\(content)</plist>".utf8)
    }

    private static func nested(_ depth: Int, _ content: String = "") -> String {
        String(repeating: "<array>", count: depth) + content + String(repeating: "</array>", count: depth)
    }

    /// Returns a binary property list of objects; offsets and references have two bytes.
    private static func binary(_ objects: [[UInt8]], top: Int = 0, count: Int? = nil, sizes: [UInt8] = [2, 2]) -> Data {
        var bytes = Array("bplist00".utf8)
        var offsets: [UInt8] = []
        for object in objects {
            offsets += [UInt8(bytes.count >> 8), UInt8(bytes.count & 255)]
            bytes += object
        }
        let table = bytes.count
        bytes += offsets + [0, 0, 0, 0, 0, 0] + sizes
        for number in [count ?? objects.count, top, table] {
            bytes += (0..<8).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
        }
        return Data(bytes)
    }

    /// An array of references.
    private static func array(_ references: Int...) -> [UInt8] {
        [0xA0 | UInt8(references.count)] + references.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
    }

    private func refusal(_ data: Data) -> String {
        do {
            try PropertyListBounds.check(data)
            return ""
        } catch DecodingError.dataCorrupted(let context) {
            return context.debugDescription
        } catch {
            return "\(error)"
        }
    }

    @Test("XML may have 128 levels, and the levels of comments, texts and empty elements do not count")
    func depth() throws {
        #expect(refusal(Self.xml(Self.nested(128))).isEmpty)
        #expect(refusal(Self.xml(Self.nested(129))) == "The property list has more than 128 levels.")
        #expect(refusal(Self.xml(Self.nested(100_000))) == "The property list has more than 128 levels.")
        #expect(refusal(Data(String(repeating: "<dict><key>a</key>", count: 1000).utf8)).contains("128 levels"))
        let wide = String(repeating: "<array></array><dict/><array /><true/><true></true>", count: 1000)
        #expect(refusal(Self.xml("<array>\(wide)</array>")).isEmpty)
        let comment = "<!-- \(String(repeating: "<array>", count: 200)) -->"
        let text = "<string><![CDATA[\(String(repeating: "<array>", count: 200))]]></string>"
        #expect(refusal(Self.xml("<array>\(comment)\(text)</array>")).isEmpty)
        #expect(
            try PropertyListDecoder().decode([String].self, from: Self.xml("<array>\(comment)\(text)</array>")).count
                == 1)
    }

    @Test("Levels cannot be hidden before the first element", arguments: ["<?><!--?>", "<?><!--?><?x?>"])
    func hiddenBefore(start: String) {
        let levels = String(repeating: "<array>", count: 2000)
        #expect(!refusal(Data("\(start)<plist>\(levels)-->".utf8)).isEmpty)
    }

    @Test(
        "Levels cannot be hidden from the count",
        arguments: [
            "<!--", "<data><!--</data>", "<integer><?</integer><!-- ?>", "<string><!--</string>", "<true><!--</true>",
            "<key><?</key>", "<date><![CDATA[</date>", "<string><![CDATA[</string>", "<!DOCTYPE x>", "<![CDATA[", "<?",
            "<!-->", "<!--->", "<data/><!--</array>-->", "<string><!-- --></string>",
        ])
    func hidden(start: String) throws {
        let levels = String(repeating: "<array>\(start)</array>-->?>]]><array>", count: 2000)
        #expect(!refusal(Self.xml(levels)).isEmpty)
        let closed = String(repeating: "<array>\(start)", count: 2000)
        #expect(!refusal(Self.xml(closed)).isEmpty)
    }

    @Test("Other encodings and formats are refused, since they would hide the tags")
    func encodings() throws {
        let levels = Self.nested(1000)
        let utf16 = Data("\u{FEFF}<plist>\(levels)</plist>".utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] })
        var data = [
            utf16, Data("((((((1))))))".utf8), Data("{a=b;}".utf8), Data(), Data([0]),
        ]
        for name in ["UTF-16", "utf-7", "IBM037", "x"] {
            data.append(Self.xml("<true/>", head: "<?xml version='1.0' encoding='\(name)'?>"))
            data.append(Self.xml("<true/>", head: "<?xml \(String(repeating: " ", count: 999))encoding =\"\(name)\"?>"))
        }
        #expect(!refusal(Data(utf16.dropFirst(2))).isEmpty)
        for body in data {
            #expect(refusal(body) == "The property list is neither XML in UTF-8 nor binary.", "\(body.prefix(80))")
        }
        for head in ["", "\u{FEFF}", "<?xml version='1.0' encoding='utf-8'?>", "\n\t <?xml encoding=\"UTF-8\"?>"] {
            #expect(refusal(Self.xml("<true/>", head: head)).isEmpty, "\(head)")
        }
        #expect(refusal(Data("<!DOCTYPE plist [<!ENTITY a \"b\">]><plist/>".utf8)) == "The property list is malformed.")
    }

    @Test("A binary property list may not contain itself, have more than 128 levels, or grow without end")
    func graphs() throws {
        #expect(refusal(Self.binary([Self.array(0)])) == "The property list contains itself.")
        #expect(
            refusal(Self.binary([Self.array(1, 2), [0x09], Self.array(1, 0)])) == "The property list contains itself.")
        #expect(refusal(Self.binary([[0xD1, 0, 1, 0, 0], [0x51, 0x61]])) == "The property list contains itself.")
        let chain = { (depth: Int) in Self.binary((1..<depth).map { Self.array($0) } + [Self.array()]) }
        #expect(refusal(chain(128)).isEmpty)
        #expect(refusal(chain(129)) == "The property list has more than 128 levels.")
        #expect(refusal(chain(20_000)) == "The property list has more than 128 levels.")
        // The deep part is first reached at a shallow level.
        let shared = Self.binary(
            [Self.array(101, 1)] + (1..<100).map { Self.array($0 + 1) }
                + (100..<200).map {
                    Self.array($0 + 1)
                } + [Self.array()])
        #expect(refusal(shared) == "The property list has more than 128 levels.")
        let doubling = Self.binary((1..<60).map { Self.array($0, $0) } + [[0x09]])
        #expect(refusal(doubling) == "The property list is more than 100 times as long without references.")
        let small = Self.binary((1..<10).map { Self.array($0, $0) } + [[0x09]])
        #expect(refusal(small).isEmpty)
    }

    @Test("An invalid structure is refused")
    func structures() {
        let whole = Self.binary([Self.array(1), [0x09]])
        for count in 7..<whole.count { #expect(!refusal(whole.prefix(count)).isEmpty) }
        let invalid = [
            Self.binary([Self.array(2), [0x09]]), Self.binary([Self.array(0xFFFF)]),
            Self.binary([[0xAF, 0x13] + Array(repeating: 0xFF, count: 8)]),
            Self.binary([[0x5F, 0x13, 0x7F] + Array(repeating: 0xFF, count: 7)]), Self.binary([[0xAF]]),
            Self.binary([[0x6F, 0x10, 0xFF]]),
            Self.binary([[0x09]], top: 1), Self.binary([[0x09]], top: -1), Self.binary([[0x09]], count: 0),
            Self.binary([[0x09]], count: .max), Self.binary([[0x09]], count: -1), Self.binary([[0x09]], sizes: [0, 2]),
            Self.binary([[0x09]], sizes: [2, 0]), Self.binary([[0x09]], sizes: [255, 255]), Self.binary([], count: 1),
        ]
        for (index, data) in invalid.enumerated() { #expect(!refusal(data).isEmpty, "\(index)") }
    }

    @Test(
        "Changed property lists are decoded or refused, and never end the process", arguments: [1, 2, 3, 4] as [UInt64])
    func changed(seed: UInt64) async throws {
        struct Bird: Codable {
            var name = "simorgh", birds = 30, wise = true, height = 1.5, tags = ["a", "", "<&>"],
                at = Date(timeIntervalSince1970: 1), more = ["k": [Data([1, 2])]]
        }
        var numbers = SeededNumbers(seed)
        let server = StubServer()
        let body = LockedValue(Data())
        server.on("/b") { _ in .bytes(body.value) }
        let client = APIClient.scripted(server) { $0.codecs = [.propertyList] }
        for format in [PropertyListDecoder.PropertyListFormat.xml, .binary] {
            let encoder = PropertyListEncoder()
            encoder.outputFormat = format
            let original = try encoder.encode([Bird(), Bird()])
            for _ in 0..<1500 {
                var data = original
                for _ in 0..<Int.random(in: 1...4, using: &numbers) {
                    let place = Int.random(in: 0..<data.count, using: &numbers)
                    switch Int.random(in: 0..<4, using: &numbers) {
                    case 0: data[place] = UInt8.random(in: 0...255, using: &numbers)
                    case 1: data = data.prefix(max(1, place))
                    case 2: data.insert(contentsOf: data[place..<min(data.count, place + 9)], at: place)
                    default: data.removeSubrange(place..<min(data.count - 1, place + 3))
                    }
                    if data.isEmpty { data = original }
                    data = Data(data)
                }
                body.change { [data] in $0 = data }
                let result = await client.call(.get, "b").result([Bird].self)
                if case .failure(let error) = result {
                    guard case .decodingError = error else { throw error }
                }
                _ = await client.call(.get, "b").result(JSON.self)
                _ = await client.call(.get, "b").result(Nest.self)
            }
        }
    }
}
