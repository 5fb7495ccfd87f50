// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghSupport
import Testing

@Suite("BlobAttachment")
struct BlobAttachmentTests {
    private final class Reading: Sendable {}

    @Test("A created value is returned again; a failed creation stores nothing")
    func once() {
        let attachment = BlobAttachment()
        #expect(attachment.value { nil as Reading? } == nil)
        let first: Reading? = attachment.value { Reading() }
        #expect(first != nil)
        let second: Reading? = attachment.value { Reading() }
        #expect(second === first)
    }

    @Test("The metadata of a blob in memory is parsed once, and again when it changes")
    func understood() async throws {
        let store = BlobStoreTests.store(nil, memory: 1 << 20)
        let old = StoredResponse.sample([("Cache-Control", "max-age=5"), ("A", "old")])
        let new = StoredResponse.sample([("Cache-Control", "max-age=9"), ("A", "new")])
        let writer = try #require(
            await store.write(BlobStoreTests.key, metadata: old.encoded, length: 0, since: nil))
        await writer.commit()
        let blob = try #require(await store.blobs(in: BlobStoreTests.group).first)
        #expect(ParsedStoredResponse.response(of: blob) == old)
        let again = try #require(await store.blobs(in: BlobStoreTests.group).first)
        #expect(again.attachment === blob.attachment)
        await store.update(again, metadata: new.encoded)
        let changed = try #require(await store.blobs(in: BlobStoreTests.group).first)
        #expect(ParsedStoredResponse.response(of: changed) == new)
        #expect(ParsedStoredResponse.response(of: changed)?.control.maxAge == .valid(9))
    }

    @Test("A blob that is too large together with its parsed metadata is not reported as stored", arguments: [10, 200])
    func tooLarge(head: Int) async throws {
        // A blob may use an eighth of the memory, 1024 bytes, and its metadata counts four times.
        let store = BlobStoreTests.store(nil, memory: 8 << 10)
        let metadata = [UInt8](repeating: 1, count: head)
        let writer = try #require(
            await store.write(BlobStoreTests.key, metadata: metadata, length: 500, since: nil))
        #expect(await writer.write(Data(repeating: 2, count: 500)))
        let isKept = await writer.commit()
        let blobs = await store.blobs(in: BlobStoreTests.group)
        #expect(isKept == (head == 10))
        #expect(blobs.isEmpty == !isKept)
    }

    @Test("Parsed fields follow a change of the fields")
    func facts() {
        var stored = StoredResponse.sample([("Cache-Control", "max-age=5"), ("Age", "3")])
        #expect(stored.control.maxAge == .valid(5) && stored.facts.age == 3 && !stored.facts.isEncoded)
        stored = stored.changed {
            $0.fields[.cacheControl] = "no-store"
            $0.fields[.contentEncoding] = "gzip"
        }
        #expect(stored.control.maxAge == nil && stored.control.noStore && stored.facts.isEncoded)
    }

    @Test(
        "A date has the same value whether its parsed form is cached or not",
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777_000), ("sun, 06 nov 1994 08:49:37 gmt", 784_111_777_000),
            ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777_000), ("Tue, 29 Feb 2000 23:59:60 GMT", 951_868_800_000),
            ("Thu, 29 Feb 1900 00:00:00 GMT", nil), ("Sun, 06 Nov 1994 08:49:37 UTC", nil), ("0", nil),
        ] as [(String, Int64?)])
    func readings(text: String, milliseconds: Int64?) {
        let reading = CacheDate(.date, of: HTTPFields.sample([("Date", text)]))
        #expect(reading.value(now: cacheStart) == milliseconds)
    }

    @Test(
        "The century of a two-digit year depends on the current time",
        arguments: [(-17, -288_803_423_000), (0, 2_866_956_577_000), (60, 2_866_956_577_000)] as [(Int64, Int64)])
    func centuries(years: Int64, milliseconds: Int64) {
        let reading = CacheDate(.date, of: HTTPFields.sample([("Date", "Sunday, 06-Nov-60 08:49:37 GMT")]))
        #expect(reading.value(now: cacheStart + years * 365 * 86_400_000) == milliseconds)
    }
}
