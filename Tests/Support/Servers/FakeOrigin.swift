// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes
package import SimorghCore
import SimorghDownloads
package import SimorghSupport
package import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A server of one file, in this process, that misbehaves as it is told to.
package final class FakeOrigin: Transport, Sendable {
    /// What tells one version of the file from another.
    package enum Validator: Sendable, CaseIterable { case strong, weak, date, none }

    /// What it does wrong.
    package enum Fault: Sendable, Equatable {
        case nothing
        /// It gives the whole, whatever part is asked for.
        case ignoresRange
        /// It takes `If-Range` for another version always, and gives the whole.
        case ignoresPartOfIfRange
        /// It gives one connection what it asks for, and others a status and a page.
        case refusesOthers(Int)
        /// It sends whoever asks to a URL that it has signed.
        case redirects
        /// The body ends with its connection, so many bytes early; only HEAD tells the length, if at all.
        case closes(early: Int, tellsLength: Bool)
        /// It gives the part, whatever `If-Range` says.
        case ignoresIfRange
        case wrongStart
        case noContentRange
        /// It gives a part of the part, and says so.
        case shortParts
        /// The same, and it does not know how long the whole is.
        case shortPartsOfUnknown
        /// It gives more than the part that it names.
        case longParts
        /// It tells the hash of a part, and not that of what it gives.
        case wrongContentDigest
        case multipart
        /// It answers 416 with a page, and does not say why.
        case plainUnsatisfiable
        /// It answers once with a status and a page, and then as it should.
        case once(Int)
        /// It answers always with a status and a page.
        case always(Int)
        /// It encodes what nobody asked it to.
        case encodes
        /// The whole has no length.
        case chunked
        /// The body is shorter than it says.
        case shortBody
    }

    /// What becomes of requests that want HTTP/1.1.
    package enum HTTP1: Sendable, Equatable {
        case works
        case status(Int)
        case noConnection
        case breaks(after: Int)
        case otherVersion
        case whole
    }

    package struct Version: Sendable {
        package var bytes: [UInt8]
        package var number: Int

        package init(bytes: [UInt8], number: Int = 1) {
            self.bytes = bytes
            self.number = number
        }
    }

    package struct State: Sendable {
        package var version: Version
        package var validator = Validator.strong
        package var fault = Fault.nothing
        /// How many bytes go out before the connection breaks; `nil` for all.
        package var breaksAfter: Int?
        /// After how many requests there is another version.
        package var changesAfter: (requests: Int, to: Version)?
        package var fields: HTTPFields = [:]
        /// What comes behind each body.
        package var trailers: HTTPFields = [:]
        package var tellsContentDigests = false
        package var requests: [HTTPFields] = []
        package var methods: [String] = []
        package var paths: [String] = []
        package var sent = 0
        package var active = 0
        package var mostActive = 0
        /// Whether its answers are streams of one connection, but for those to requests that want HTTP/1.1.
        package var speaksHTTP2 = false
        /// What becomes of requests that want HTTP/1.1.
        package var http1 = HTTP1.works
        /// Which version of HTTP each request wanted.
        package var versions: [TransportOptions.HTTPVersion] = []
        /// How many bytes each body may have sent since it began, if it began at zero; `nil` for all.
        package var granted: Int?
        /// Of each body that waits, and of which all bytes have been taken, how many were granted then.
        package var parked: [ObjectIdentifier: Int] = [:]
        /// Holds bodies back while it is closed.
        package var isHeld = false
    }

    package let state: Mutex<State>
    package let bell = AsyncSignal()

    package init(_ bytes: [UInt8]) { state = Mutex(State(version: Version(bytes: bytes))) }

    package func change(_ body: (inout State) -> Void) {
        state.withLock { body(&$0) }
        bell.ring()
    }

    package var requests: [HTTPFields] { state.withLock { $0.requests } }
    package var sent: Int { state.withLock { $0.sent } }

    /// A connection on which a body may end with it.
    private static func connection(_ applicationProtocol: String) -> ConnectionInfo {
        ConnectionInfo(
            id: 1, applicationProtocol: applicationProtocol, localAddress: nil, remoteAddress: nil, tlsVersion: nil)
    }

    private struct Plan: Sendable {
        var head: HTTPResponse
        var bytes: [UInt8]
        var breaks: Bool
        /// Whether its body will be read.
        var isRead = true
        var isCounted: Bool { head.status.code < 300 && isRead }
    }

    package func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        let wantsHTTP1 = request.options.httpVersion == .http1Only
        let (plan, fails) = state.withLock { state -> (Plan, Bool) in
            state.versions.append(request.options.httpVersion)
            guard wantsHTTP1 else { return (answer(request.head, &state), false) }
            return (answerOverHTTP1(request.head, &state), state.http1 == .noConnection)
        }
        if fails { throw TransportError(.secureConnectionFailed, phase: .tls, message: "no common protocol") }
        guard request.head.method != .head else { return TransportResponse(head: plan.head) }
        let (trailers, fault) = state.withLock { state in
            // Nobody reads a page.
            if plan.isCounted { state.active += 1 }
            state.mostActive = max(state.mostActive, state.active)
            return (state.trailers, state.fault)
        }
        var response = TransportResponse(head: plan.head, body: ResponseBody(Chunks(origin: self, plan: plan)))
        if !trailers.isEmpty { response.ending = ResponseCompletion(trailers) }
        if case .closes = fault { response.connection = Self.connection("http/1.1") }
        if state.withLock({ $0.speaksHTTP2 }) {
            response.connection = Self.connection(wantsHTTP1 ? "http/1.1" : "h2")
        }
        return response
    }

    private func answerOverHTTP1(_ request: HTTPRequest, _ state: inout State) -> Plan {
        var request = request
        switch state.http1 {
        case .status(let status):
            _ = answer(request, &state)
            return page(status)
        case .breaks(let count):
            let (breaksAfter, plan) = (state.breaksAfter, answer(request, &state))
            state.breaksAfter = count
            defer { state.breaksAfter = breaksAfter }
            return cut(plan, state)
        case .otherVersion:
            let version = state.version
            state.version.number += 1
            defer { state.version = version }
            var plan = answer(request, &state)
            plan.isRead = false
            return plan
        case .whole:
            request.headerFields[.range] = nil
            var plan = answer(request, &state)
            plan.isRead = false
            return plan
        case .works, .noConnection: return answer(request, &state)
        }
    }

    private func answer(_ request: HTTPRequest, _ state: inout State) -> Plan {
        state.requests.append(request.headerFields)
        state.methods.append(request.method.rawValue)
        state.paths.append(request.path ?? "")
        if let change = state.changesAfter, state.requests.count > change.requests {
            state.version = change.to
            state.changesAfter = nil
        }
        switch state.fault {
        case .once(let status):
            state.fault = .nothing
            return page(status)
        case .always(let status): return page(status)
        case .refusesOthers(let status) where request.headerFields[.range] != nil && state.active > 0:
            return page(status)
        case .redirects where request.path?.contains("signed") != true:
            var plan = page(302)
            plan.head.headerFields[.location] = "\(request.path ?? "/")?signed=\(state.requests.count)"
            return plan
        default: break
        }
        let whole = state.version.bytes
        var fields = state.fields
        let tag = "\"v\(state.version.number)\""
        let modified = "Mon, 06 Jan 2025 10:00:0\(state.version.number) GMT"
        fields[.date] = "Mon, 06 Jan 2025 12:00:00 GMT"
        fields[.acceptRanges] = "bytes"
        switch state.validator {
        case .strong: fields[.eTag] = tag
        case .weak: fields[.eTag] = "W/" + tag
        case .date: fields[.lastModified] = modified
        case .none: break
        }
        if let match = request.headerFields[.ifMatch], match != fields[.eTag] { return page(412) }
        var part: Range<Int>?
        if state.fault != .ignoresRange, let range = request.headerFields[.range] {
            let ends = range.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
            let start = Int(ends[0]) ?? 0
            let end = ends.count > 1 ? Int(ends[1]).map { $0 + 1 } ?? whole.count : whole.count
            let condition = request.headerFields[.ifRange]
            let isSame =
                condition == nil
                || state.fault != .ignoresPartOfIfRange
                    && (condition == fields[.eTag] || condition == fields[.lastModified])
            if isSame || state.fault == .ignoresIfRange {
                if start >= whole.count {
                    var plan = page(416)
                    if state.fault != .plainUnsatisfiable {
                        plan.head.headerFields[.contentRange] = "bytes */\(whole.count)"
                    }
                    return plan
                }
                if state.fault == .plainUnsatisfiable { return page(416) }
                part = start..<min(end, whole.count)
            }
        }
        guard var part else {
            if state.fault == .encodes {
                fields[.contentEncoding] = "gzip"
                return Plan(head: HTTPResponse(status: .ok, headerFields: fields), bytes: [1, 2, 3], breaks: false)
            }
            if case .closes(let early, let tellsLength) = state.fault {
                if request.method == .head, tellsLength { fields[.contentLength] = "\(whole.count)" }
                let head = HTTPResponse(status: .ok, headerFields: fields)
                return Plan(head: head, bytes: Array(whole.dropLast(early)), breaks: false)
            }
            if state.fault != .chunked { fields[.contentLength] = "\(whole.count)" }
            let bytes = state.fault == .shortBody ? Array(whole.dropLast(100)) : whole
            return cut(Plan(head: HTTPResponse(status: .ok, headerFields: fields), bytes: bytes, breaks: false), state)
        }
        switch state.fault {
        case .wrongStart: part = 0..<part.upperBound
        case .shortParts, .shortPartsOfUnknown: part = part.lowerBound..<part.lowerBound + max(1, part.count / 3)
        case .multipart: fields[.contentType] = "multipart/byteranges; boundary=x"
        default: break
        }
        if ![.noContentRange, .multipart].contains(state.fault) {
            let total = state.fault == .shortPartsOfUnknown ? "*" : "\(whole.count)"
            fields[.contentRange] = "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(total)"
        }
        if state.fault == .longParts {
            let bytes = Array(whole[part.lowerBound...])
            fields[.contentRange] = "bytes \(part.lowerBound)-\(part.upperBound - 2)/\(whole.count)"
            return Plan(head: HTTPResponse(status: .partialContent, headerFields: fields), bytes: bytes, breaks: false)
        }
        if let name = HTTPField.Name("Content-Digest"), state.tellsContentDigests {
            fields[name] = Self.digest(Array(whole[part]), isWrong: state.fault == .wrongContentDigest)
        }
        fields[.contentLength] = "\(part.count)"
        let bytes = state.fault == .shortBody ? Array(whole[part].dropLast(100)) : Array(whole[part])
        return cut(
            Plan(head: HTTPResponse(status: .partialContent, headerFields: fields), bytes: bytes, breaks: false), state)
    }

    /// The hash of bytes, as `Content-Digest` has it.
    package static func digest(_ bytes: [UInt8], isWrong: Bool = false) -> String {
        var hasher = FileHasher([.sha256])
        (isWrong ? bytes + [0] : bytes).withUnsafeBytes { hasher.update($0) }
        return "sha-256=:\(Data(hasher.digests[0].bytes).base64EncodedString()):"
    }

    private func cut(_ plan: Plan, _ state: State) -> Plan {
        guard let limit = state.breaksAfter, limit < plan.bytes.count else { return plan }
        return Plan(head: plan.head, bytes: Array(plan.bytes.prefix(limit)), breaks: true)
    }

    private func page(_ status: Int) -> Plan {
        Plan(
            head: HTTPResponse(status: .init(code: status), headerFields: [.contentType: "text/html"]),
            bytes: Array("<html>no file</html>".utf8), breaks: false)
    }

    /// A body in chunks of 16 KiB, which breaks where it is to.
    private struct Chunks: AsyncSequence, Sendable {
        typealias Element = Data
        typealias Failure = any Error

        let origin: FakeOrigin
        let plan: Plan

        func makeAsyncIterator() -> Iterator {
            Iterator(
                origin: origin, plan: plan, end: plan.isCounted ? End(origin: origin) : nil,
                begin: origin.state.withLock { $0.granted ?? 0 })
        }

        /// Counts the bodies that are being read.
        final class End: Sendable {
            let origin: FakeOrigin

            init(origin: FakeOrigin) { self.origin = origin }

            deinit {
                origin.state.withLock { state in
                    state.active -= 1
                    state.parked[ObjectIdentifier(self)] = nil
                }
            }
        }

        struct Iterator: AsyncIteratorProtocol {
            let origin: FakeOrigin
            let plan: Plan
            let end: End?
            /// How many bytes were granted when it began.
            let begin: Int
            var offset = 0

            mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> Data? {
                try Task.checkCancellation()
                while true {
                    let count = origin.bell.count
                    guard origin.state.withLock({ $0.isHeld && offset > 0 || isParked(&$0) }) else { break }
                    try await origin.bell.wait(after: count)
                }
                guard offset < plan.bytes.count else {
                    origin.state.withLock { state in end.map { state.parked[ObjectIdentifier($0)] = nil } }
                    guard plan.breaks else { return nil }
                    throw TransportError(.networkConnectionLost, phase: .body, message: "the origin broke it off")
                }
                let chunk = plan.bytes[offset..<Swift.min(offset + 16 * 1024, plan.bytes.count)]
                offset += chunk.count
                origin.state.withLock { $0.sent += chunk.count }
                return Data(chunk)
            }

            /// Whether it has sent what is granted, which it then notes.
            private func isParked(_ state: inout State) -> Bool {
                guard let end, let granted = state.granted, offset < plan.bytes.count, offset >= granted - begin else {
                    return false
                }
                state.parked[ObjectIdentifier(end)] = granted
                return true
            }
        }
    }
}
