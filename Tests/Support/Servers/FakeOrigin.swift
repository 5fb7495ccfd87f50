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

/// An in-process server of one file that misbehaves as configured.
package final class FakeOrigin: Transport, Sendable {
    /// The validator that distinguishes the versions of the file.
    package enum Validator: Sendable, CaseIterable { case strong, weak, date, none }

    /// The fault of the server.
    package enum Fault: Sendable, Equatable {
        case nothing
        /// Ignores Range and sends the whole file.
        case ignoresRange
        /// Never accepts `If-Range`, and sends the whole file.
        case neverMatchesIfRange
        /// Serves the first connection, and answers concurrent range requests with a status and a page.
        case refusesOthers(Int)
        /// Redirects each request to a signed URL.
        case redirects
        /// Redirects each request to a signed URL of another host.
        case redirectsAway
        /// The body ends with its connection, a number of bytes early; only HEAD has a Content-Length, if at all.
        case closes(early: Int, sendsContentLength: Bool)
        /// Ignores `If-Range` and sends the part.
        case ignoresIfRange
        case wrongStart
        case noContentRange
        /// Sends a part of the requested part, with a matching Content-Range.
        case shortParts
        /// The same, with an unknown total length.
        case shortPartsOfUnknown
        /// Sends more than the part in its Content-Range.
        case longParts
        /// Sends a Content-Digest that does not match the part.
        case wrongContentDigest
        case multipart
        /// Answers 416 with a page, without Content-Range.
        case plainUnsatisfiable
        /// Answers once with a status and a page, then correctly.
        case once(Int)
        /// Always answers with a status and a page.
        case always(Int)
        /// Sends a Content-Encoding that was not requested.
        case encodes
        /// The whole file is sent without Content-Length.
        case chunked
        /// The body is shorter than its Content-Length.
        case shortBody
    }

    /// The treatment of requests for HTTP/1.1.
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
        /// The number of bytes after which the connection breaks; `nil` to send all.
        package var breaksAfter: Int?
        /// The number of requests after which another version of the file is served.
        package var changesAfter: (requests: Int, to: Version)?
        package var fields: HTTPFields = [:]
        /// The trailers of each body.
        package var trailers: HTTPFields = [:]
        package var sendsContentDigests = false
        package var requests: [HTTPFields] = []
        package var methods: [String] = []
        package var paths: [String] = []
        package var sent = 0
        package var active = 0
        package var maximumActive = 0
        /// True if the responses are streams of one HTTP/2 connection, except for requests for HTTP/1.1.
        package var speaksHTTP2 = false
        /// The treatment of requests for HTTP/1.1.
        package var http1 = HTTP1.works
        /// The HTTP version that each request asked for.
        package var versions: [TransportOptions.HTTPVersion] = []
        /// The networks that each request may use.
        package var access: [NetworkAccess] = []
        /// True for each request that presents a client certificate.
        package var presentsIdentity: [Bool] = []
        /// The number of bytes that a body may have sent in all if it began at zero; `nil` for no limit.
        package var granted: Int?
        /// For each waiting body whose bytes were all taken: the number of bytes granted at that time.
        package var parked: [ObjectIdentifier: Int] = [:]
        /// True if bodies are held back.
        package var isHeld = false
    }

    package let state: Mutex<State>
    package let signal = AsyncSignal()

    package init(_ bytes: [UInt8]) { state = Mutex(State(version: Version(bytes: bytes))) }

    package func change(_ body: (inout State) -> Void) {
        state.withLock { body(&$0) }
        signal.ring()
    }

    package var requests: [HTTPFields] { state.withLock { $0.requests } }
    package var sent: Int { state.withLock { $0.sent } }

    /// Returns a connection on which the end may delimit a body.
    private static func connection(_ applicationProtocol: String) -> ConnectionInfo {
        ConnectionInfo(
            id: 1, applicationProtocol: applicationProtocol, localAddress: nil, remoteAddress: nil, tlsVersion: nil)
    }

    private struct Plan: Sendable {
        var head: HTTPResponse
        var bytes: [UInt8]
        var breaks: Bool
        /// True if the body will be read.
        var isRead = true
        var isCounted: Bool { head.status.code < 300 && isRead }
    }

    package func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        let wantsHTTP1 = request.options.httpVersion == .http1Only
        let (plan, fails) = state.withLock { state -> (Plan, Bool) in
            state.versions.append(request.options.httpVersion)
            state.access.append(request.options.access)
            state.presentsIdentity.append(request.options.tls.identity != nil)
            guard wantsHTTP1 else { return (answer(request.head, state: &state), false) }
            return (answerOverHTTP1(request.head, state: &state), state.http1 == .noConnection)
        }
        if fails { throw TransportError(.secureConnectionFailed, phase: .tls, message: "no common protocol") }
        guard request.head.method != .head else { return TransportResponse(head: plan.head) }
        let (trailers, fault) = state.withLock { state in
            // An error page is not read.
            if plan.isCounted { state.active += 1 }
            state.maximumActive = max(state.maximumActive, state.active)
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

    private func answerOverHTTP1(_ request: HTTPRequest, state: inout State) -> Plan {
        var request = request
        switch state.http1 {
        case .status(let status):
            _ = answer(request, state: &state)
            return page(status)
        case .breaks(let count):
            let (breaksAfter, plan) = (state.breaksAfter, answer(request, state: &state))
            state.breaksAfter = count
            defer { state.breaksAfter = breaksAfter }
            return cut(plan, state: state)
        case .otherVersion:
            let version = state.version
            state.version.number += 1
            defer { state.version = version }
            var plan = answer(request, state: &state)
            plan.isRead = false
            return plan
        case .whole:
            request.headerFields[.range] = nil
            var plan = answer(request, state: &state)
            plan.isRead = false
            return plan
        case .works, .noConnection: return answer(request, state: &state)
        }
    }

    private func answer(_ request: HTTPRequest, state: inout State) -> Plan {
        state.requests.append(request.headerFields)
        state.methods.append(request.method.rawValue)
        state.paths.append(request.path ?? "")
        if let change = state.changesAfter, state.requests.count > change.requests {
            state.version = change.to
            state.changesAfter = nil
        }
        let isSigned = request.path?.contains("signed") == true
        switch state.fault {
        case .once(let status):
            state.fault = .nothing
            return page(status)
        case .always(let status): return page(status)
        case .refusesOthers(let status) where request.headerFields[.range] != nil && state.active > 0:
            return page(status)
        case .redirects where !isSigned, .redirectsAway where !isSigned:
            var plan = page(302)
            let host = state.fault == .redirectsAway ? "https://files.test" : ""
            plan.head.headerFields[.location] = "\(host)\(request.path ?? "/")?signed=\(state.requests.count)"
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
                || state.fault != .neverMatchesIfRange
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
            if case .closes(let early, let sendsContentLength) = state.fault {
                if request.method == .head, sendsContentLength { fields[.contentLength] = "\(whole.count)" }
                let head = HTTPResponse(status: .ok, headerFields: fields)
                return Plan(head: head, bytes: Array(whole.dropLast(early)), breaks: false)
            }
            if state.fault != .chunked { fields[.contentLength] = "\(whole.count)" }
            let bytes = state.fault == .shortBody ? Array(whole.dropLast(100)) : whole
            return cut(
                Plan(head: HTTPResponse(status: .ok, headerFields: fields), bytes: bytes, breaks: false), state: state)
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
        if let name = HTTPField.Name("Content-Digest"), state.sendsContentDigests {
            fields[name] = Self.digest(Array(whole[part]), isWrong: state.fault == .wrongContentDigest)
        }
        fields[.contentLength] = "\(part.count)"
        let bytes = state.fault == .shortBody ? Array(whole[part].dropLast(100)) : Array(whole[part])
        return cut(
            Plan(head: HTTPResponse(status: .partialContent, headerFields: fields), bytes: bytes, breaks: false),
            state: state)
    }

    /// Returns the hash of bytes in the format of `Content-Digest`.
    package static func digest(_ bytes: [UInt8], isWrong: Bool = false) -> String {
        var hasher = FileHasher([.sha256])
        (isWrong ? bytes + [0] : bytes).withUnsafeBytes { hasher.update($0) }
        return "sha-256=:\(Data(hasher.digests[0].bytes).base64EncodedString()):"
    }

    private func cut(_ plan: Plan, state: State) -> Plan {
        guard let limit = state.breaksAfter, limit < plan.bytes.count else { return plan }
        return Plan(head: plan.head, bytes: Array(plan.bytes.prefix(limit)), breaks: true)
    }

    private func page(_ status: Int) -> Plan {
        Plan(
            head: HTTPResponse(status: .init(code: status), headerFields: [.contentType: "text/html"]),
            bytes: Array("<html>no file</html>".utf8), breaks: false)
    }

    /// A body in chunks of 16 KiB that breaks off if configured.
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

        /// Counts the bodies being read.
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
            /// The number of bytes granted when the body began.
            let begin: Int
            var offset = 0

            mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> Data? {
                try Task.checkCancellation()
                while true {
                    let count = origin.signal.count
                    guard origin.state.withLock({ $0.isHeld && offset > 0 || isParked(&$0) }) else { break }
                    try await origin.signal.wait(after: count)
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

            /// Returns true if all granted bytes were sent, and records that.
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
