// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import SimorghSupport

/// Reads the response to an upgrade request from the bytes of a stream.
struct UpgradeResponseReading {
    /// The response of a server that refuses, with the received part of its body.
    struct Refusal {
        let head: HTTPResponse
        let body: Data
    }

    enum Progress {
        /// More bytes are needed.
        case more
        /// The server refuses; its body follows, and is read no longer than this time.
        case body(atMost: Duration)
        case refused(Refusal)
        /// The server switches protocols; the bytes after its response belong to the new one.
        case switched(HTTPResponse, rest: Data)
    }

    private var parser = ResponseParser()
    private var machine = UpgradeResponseStateMachine()
    private var unread = Data()
    private var head = HTTPResponse(status: .ok)
    private var body = Data()
    private let bodyLimit: Int

    init(_ options: TransportOptions) {
        parser.begin(isHead: false, limits: options.limits)
        bodyLimit = UpgradeResponseStateMachine.bodyLimit(options)
    }

    /// Reads received bytes.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - report: Called with each interim response.
    /// - Returns: The progress.
    /// - Throws: `TransportError` for an invalid response.
    mutating func received(
        _ bytes: Data, reportingTo report: ((HTTPResponse) -> Void)? = nil
    ) throws(TransportError) -> Progress {
        unread.append(bytes)
        var progress = Progress.more
        while machine.isWaiting {
            var consumed = 0
            let step: ResponseParser.Step?
            do throws(ResponseParser.ParseError) {
                let result = unread.withUnsafeBytes { bytes in
                    Result { () throws(ResponseParser.ParseError) in try parser.next(bytes, consumed: &consumed) }
                }
                step = try result.get()
            } catch {
                return .refused(try refusal(machine.failed(error)))
            }
            let taken = unread.prefix(consumed)
            unread = Data(unread.dropFirst(consumed))
            switch step {
            case nil: return progress
            case .head(let head):
                self.head = head.response
                switch machine.received(head) {
                case .report(let response): report?(response)
                case .readBody(let limit): progress = .body(atMost: limit)
                case .switchProtocols: return .switched(head.response, rest: unread)
                case .fail(let error): throw error
                case .wait, .refuse: break
                }
            case .body(let count):
                body += taken.suffix(count).prefix(bodyLimit - body.count)
                if body.count >= bodyLimit { return .refused(try refusal(machine.bodyEnded())) }
            case .end: return .refused(try refusal(machine.bodyEnded()))
            }
        }
        return progress
    }

    /// Handles the end of the connection.
    ///
    /// - Parameter error: The error if there is no response.
    /// - Returns: The response of a server that refused.
    /// - Throws: The error.
    mutating func ended(_ error: TransportError) throws(TransportError) -> Refusal {
        try refusal(machine.ended(error))
    }

    private func refusal(_ action: UpgradeResponseStateMachine.Action) throws(TransportError) -> Refusal {
        if case .fail(let error) = action { throw error }
        return Refusal(head: head, body: body)
    }
}
