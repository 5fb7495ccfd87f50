// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import SimorghDownloads
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite(.timeLimit(.minutes(5)))
struct ResumeDecisionTests {
    private typealias RequestedRange = ResumeDecision.RequestedRange

    /// The case of a decision.
    enum Kind: Sendable { case append, restart, complete, requestHead, again, wait, fail }

    private static let tag: HTTPFields = [.eTag: "\"a\""]

    private func judge(
        _ status: Int, _ fields: HTTPFields, part: Bool = true, end: Int64? = nil, prefix: Int64 = 40,
        known: HTTPFields = tag
    ) -> ResumeDecision {
        let entity = RemoteFileVersion(url: "https://a.test/f", fields: known, total: 100)
        let request = ResumeDecision.RangeRequest(
            part: part ? RequestedRange(start: 40, end: end) : nil, entity: part ? entity : nil, prefix: prefix)
        return ResumeDecision(
            request, status: status, fields: fields, url: "https://a.test/f", now: Date(timeIntervalSince1970: 0))
    }

    private func kind(_ decision: ResumeDecision) -> Kind {
        switch decision {
        case .append: .append
        case .restart: .restart
        case .complete: .complete
        case .requestHead: .requestHead
        case .again: .again
        case .wait: .wait
        case .fail: .fail
        }
    }

    private static let partsTable: [(HTTPFields, Kind)] = [
        ([.eTag: "\"a\"", .contentRange: "bytes 40-99/100"], .append),
        ([.eTag: "\"a\"", .contentRange: "bytes 40-99/*"], .append),
        ([.eTag: "\"a\"", .contentRange: "bytes 40-59/100"], .append),
        ([.eTag: "\"a\"", .contentRange: "bytes 40-99/100", .contentLength: "60"], .append),
        ([.eTag: "\"a\"", .contentRange: "bytes 40-99/100", .contentLength: "59"], .again),
        ([.eTag: "\"a\"", .contentRange: "bytes 40-99/101"], .again),
        ([.eTag: "\"b\"", .contentRange: "bytes 40-99/100"], .again),
        ([.contentRange: "bytes 40-99/100"], .again),
        ([.eTag: "\"a\"", .contentRange: "bytes 0-98/100"], .again),
        // The whole file, from a server that answers every request with 206.
        ([.eTag: "\"a\"", .contentRange: "bytes 0-99/100"], .restart),
        ([.eTag: "\"b\"", .contentRange: "bytes 0-99/100", .contentLength: "100"], .restart),
        ([.eTag: "\"a\"", .contentRange: "bytes 0-99/100", .contentLength: "60"], .again),
        ([.eTag: "\"a\"", .contentRange: "bytes 0-99/*"], .again),
        ([.eTag: "\"a\"", .contentRange: "bytes 41-99/100"], .again),
        ([.eTag: "\"a\"", .contentRange: "bytes */100"], .again),
        ([.eTag: "\"a\""], .again),
        ([.eTag: "\"a\"", .contentType: "multipart/byteranges; boundary=x"], .again),
        ([.eTag: "\"a\"", .contentRange: "bytes 40-99/100", .contentEncoding: "gzip"], .again),
    ]

    @Test("A 206 is appended only if it is the requested range of the same version", arguments: partsTable)
    func parts(fields: HTTPFields, expected: Kind) { #expect(kind(judge(206, fields)) == expected) }

    @Test("206 to a request without Range: the whole file, or an error that names the range")
    func unaskedPart() {
        let whole = judge(206, [.contentRange: "bytes 0-999/1000", .contentLength: "1000"], part: false)
        guard case .restart(let entity) = whole else { return #expect(Bool(false), "\(whole)") }
        #expect(entity.total == 1000)
        let part = judge(206, [.contentRange: "bytes 0-99/1000", .contentLength: "100"], part: false)
        let message = "asked for the whole file, the server gave bytes 0 to 99 of 1000"
        #expect(part == .fail(.transport(.badServerResponse, message)))
        #expect(kind(judge(206, [:], part: false)) == .fail)
    }

    @Test("If a date is the only validator, a 206 must have the same date")
    func datedParts() {
        let (date, other) = ("Mon, 06 Jan 2025 10:00:00 GMT", "Mon, 06 Jan 2025 10:00:01 GMT")
        let known: HTTPFields = [.lastModified: date, .date: "Mon, 06 Jan 2025 12:00:00 GMT"]
        for (modified, expected) in [(date, Kind.append), (other, .again), (nil, .again)] as [(String?, Kind)] {
            var fields: HTTPFields = [.contentRange: "bytes 40-99/100"]
            fields[.lastModified] = modified
            #expect(kind(judge(206, fields, known: known)) == expected)
        }
    }

    @Test("A range that extends past the requested one is refused")
    func tooFar() {
        let fields: HTTPFields = [.eTag: "\"a\"", .contentRange: "bytes 40-99/100"]
        #expect(kind(judge(206, fields, end: 100)) == .append)
        #expect(kind(judge(206, fields, end: 99)) == .again)
    }

    @Test("Two Content-Range fields are refused")
    func twice() {
        var fields: HTTPFields = [.eTag: "\"a\"", .contentRange: "bytes 40-99/100"]
        fields.append(HTTPField(name: .contentRange, value: "bytes 0-1/100"))
        #expect(kind(judge(206, fields)) == .again)
    }

    @Test("200 restarts with the entity of the response")
    func whole() {
        guard case .restart(let entity) = judge(200, [.eTag: "\"b\"", .contentLength: "7"]) else {
            Issue.record("no restart")
            return
        }
        #expect(entity.tag == "\"b\"")
        #expect(entity.total == 7)
    }

    private static let endsTable: [(HTTPFields, Int64, Kind)] = [
        ([.contentRange: "bytes */40"], 40, .again),
        ([.contentRange: "bytes */100"], 100, .complete),
        ([.contentRange: "bytes */100", .contentType: "text/html", .contentEncoding: "gzip"], 100, .complete),
        ([.contentRange: "bytes */100", .eTag: "\"a\""], 100, .complete),
        ([.contentRange: "bytes */100", .eTag: "\"b\""], 100, .again),
        ([.contentRange: "bytes */100"], 40, .again),
        ([.contentRange: "bytes */101"], 100, .again),
        ([.contentRange: "bytes 0-1/100"], 100, .requestHead),
        ([:], 100, .requestHead),
    ]

    @Test("416 completes only if the length and version match", arguments: endsTable)
    func unsatisfiable(fields: HTTPFields, prefix: Int64, expected: Kind) {
        #expect(kind(judge(416, fields, prefix: prefix)) == expected)
    }

    private static let headsTable: [(Int, HTTPFields, Int64, Kind)] = [
        (200, [.contentLength: "100", .eTag: "\"a\""], 100, .complete),
        (200, [.contentLength: "100", .eTag: "\"b\""], 100, .again),
        (200, [.contentLength: "100", .eTag: "\"a\""], 40, .again), (200, [.eTag: "\"a\""], 100, .again),
        (404, [.contentLength: "100", .eTag: "\"a\""], 100, .again),
    ]

    @Test("After a 416 without Content-Range, HEAD decides", arguments: headsTable)
    func heads(status: Int, fields: HTTPFields, prefix: Int64, expected: Kind) {
        let entity = RemoteFileVersion(url: "https://a.test/f", fields: Self.tag, total: 100)
        let request = ResumeDecision.RangeRequest(part: RequestedRange(start: prefix), entity: entity, prefix: prefix)
        #expect(
            kind(ResumeDecision.afterHead(request, status: status, fields: fields, url: "https://a.test/f"))
                == expected)
    }

    private static let statusesTable: [(Int, Kind)] = [
        (412, .again), (204, .fail), (205, .fail), (202, .fail), (304, .fail), (401, .fail), (403, .fail),
        (404, .fail), (410, .fail), (501, .fail), (408, .wait), (425, .wait), (429, .wait), (500, .wait), (502, .wait),
        (503, .wait), (504, .wait), (599, .wait),
    ]

    @Test("Other status codes wait, start again, or fail, and their body is never used", arguments: statusesTable)
    func statuses(status: Int, expected: Kind) { #expect(kind(judge(status, [:])) == expected) }

    @Test("Retry-After sets the delay")
    func retryAfter() {
        #expect(judge(503, [.retryAfter: "7"]) == .wait(status: 503, after: .seconds(7)))
        #expect(judge(429, [.retryAfter: "x"]) == .wait(status: 429, after: nil))
    }
}
