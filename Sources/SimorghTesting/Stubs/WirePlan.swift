// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes
package import SimorghCore
import SimorghSupport

/// A response as a list of steps, the same for in-memory transports, HTTP/1.1 and HTTP/2.
package struct WirePlan: Sendable {
    package enum Step: Sendable {
        case wait(Duration)
        case gate(Gate)
        case interim(HTTPResponse)
        /// The head, with the length of its body if it is known. It determines the framing, whatever the fields say.
        case head(HTTPResponse, length: Int?)
        case bytes(Data)
        case end(HTTPFields)
        /// Any fault but a slow one, which is expressed as waits between bytes.
        case fault(WireFault)
        /// A failure instead of a response, or within the body.
        case fail(TransportError)
        case webSocket(WebSocketScript)
    }

    /// The maximum number of pieces of a throttled body.
    ///
    /// A larger body is sent in larger pieces with longer pauses.
    package static let maximumPieces = 100_000

    package private(set) var steps: [Step] = []

    /// Plans a response.
    ///
    /// - Parameters:
    ///   - answer: The response.
    ///   - method: The method of the request. A response to `HEAD` has no body.
    package init(_ answer: StubResponse, method: HTTPRequest.Method) {
        if let gate = answer.gate { steps.append(.gate(gate)) }
        wait(answer.wire.headDelay)
        steps += answer.wire.interim.map { .interim($0) }
        if let (point, fault) = answer.wire.fault, point <= .responseHead, fault.pace == nil {
            steps.append(.fault(fault))
            return
        }
        switch answer.content {
        case .failure(let error): steps.append(.fail(error))
        case .webSocket(let script): steps.append(.webSocket(script))
        case .steps(let body): plan(body, of: answer, method: method)
        case .generated: return
        }
    }

    private mutating func plan(_ body: [StubResponse.BodyStep], of answer: StubResponse, method: HTTPRequest.Method) {
        var head = HTTPResponse(status: answer.status, headerFields: answer.headerFields)
        head.headerFields[.transferEncoding] = nil
        let hasBody = answer.status.code != 204 && answer.status.code != 304
        let size = body.reduce(0) { size, step in
            if case .bytes(let bytes) = step { size + bytes.count } else { size }
        }
        let isWhole = body.allSatisfy { if case .bytes = $0 { true } else { false } }
        let promised = answer.headerFields[.contentLength].flatMap { Int($0) }
        // After the last byte of an announced length there is nothing to wait for: the client may be gone.
        let hasEnd = !answer.wire.trailers.isEmpty || answer.wire.endDelay > .zero
        let length = promised ?? (isWhole && !hasEnd ? size : nil)
        let (point, pace) = (answer.wire.fault?.point, answer.wire.fault?.fault.pace)
        // The status line and the empty line have 19 bytes, with "OK".
        if point == .responseHead, let pace { wait(pace.time(for: 19 + Self.size(of: head.headerFields))) }
        steps.append(.head(head, length: hasBody ? length : nil))
        if hasBody, method != .head {
            wait(answer.wire.bodyDelay)
            let cut = answer.wire.fault.flatMap { $0.point == .responseBody ? ($0.fault, size / 2) : nil }
            let slow = point == .responseHead ? pace : nil
            guard append(body, throttle: slow ?? answer.wire.throttle, cut: cut) else { return }
        }
        wait(answer.wire.endDelay)
        let trailers = hasBody && method != .head ? answer.wire.trailers : HTTPFields()
        if let point, point >= .responseHead, let pace { wait(pace.time(for: Self.size(of: trailers))) }
        steps.append(.end(trailers))
        if let (point, fault) = answer.wire.fault, point == .responseEnd, pace == nil { steps.append(.fault(fault)) }
    }

    /// Returns the size of fields in HTTP/1.1 format, in bytes.
    private static func size(of fields: HTTPFields) -> Int {
        fields.reduce(0) { $0 + $1.name.rawName.utf8.count + $1.value.utf8.count + 4 }
    }

    /// Appends the body up to its cut.
    ///
    /// Returns false if the body does not reach its end.
    private mutating func append(
        _ body: [StubResponse.BodyStep], throttle: ResponseDelivery.Throttle?, cut: (fault: WireFault, offset: Int)?
    ) -> Bool {
        var offset = 0
        var isCut = false
        var throttle = throttle
        // Pauses are between the pieces only: after the last one the client has everything and may be gone.
        var pause = Duration.zero
        for step in body {
            switch step {
            case .wait(let gate): steps.append(.gate(gate))
            case .fail(let error):
                steps.append(.fail(error))
                return false
            case .bytes(let bytes):
                let keptCount = cut.flatMap { isCut ? nil : min(bytes.count, $0.offset - offset) } ?? bytes.count
                append(bytes.prefix(max(0, keptCount)), throttle: throttle, behind: &pause)
                offset += keptCount
                guard keptCount < bytes.count, let cut, !isCut else { continue }
                if let pace = cut.fault.pace {
                    (throttle, pause) = (pace, pace.period)
                } else {
                    steps.append(.fault(cut.fault))
                    guard case .goAway = cut.fault else { return false }
                }
                // A slow fault, or GOAWAY, continues to the end of the body.
                isCut = true
                append(bytes.dropFirst(keptCount), throttle: throttle, behind: &pause)
            }
        }
        guard let cut, !isCut, cut.fault.pace == nil else { return true }
        // The middle of an empty body is its end.
        steps.append(.fault(cut.fault))
        if case .goAway = cut.fault { return true }
        return false
    }

    private mutating func append(_ bytes: Data, throttle: ResponseDelivery.Throttle?, behind pause: inout Duration) {
        guard let throttle, !bytes.isEmpty else {
            if !bytes.isEmpty { steps.append(.bytes(bytes)) }
            return
        }
        let size = max(throttle.bytes, bytes.count / Self.maximumPieces + 1)
        var rest = bytes
        while !rest.isEmpty {
            wait(pause)
            pause = size > throttle.bytes ? throttle.time(for: size) : throttle.period
            steps.append(.bytes(Data(rest.prefix(size))))
            rest = rest.dropFirst(size)
        }
    }

    private mutating func wait(_ duration: Duration) {
        if duration > .zero { steps.append(.wait(duration)) }
    }
}
