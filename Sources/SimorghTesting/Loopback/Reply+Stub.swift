// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import NIOCore

extension Reply {
    /// The answer of a user's route.
    ///
    /// Its framing is ours to choose, unless it promises a length.
    package init(_ stub: StubResponse) {
        let given: [StubResponse.BodyStep]
        switch stub.content {
        case .failure:
            self = .wire([.close])
            return
        case .steps(let steps): given = steps
        }
        var promised: Int?
        var fields: [(name: String, value: String)] = []
        for field in stub.headerFields {
            switch field.name {
            case .contentLength: promised = Int(field.value)
            case .transferEncoding: continue
            default: fields.append((field.name.rawName, field.value))
            }
        }
        var whole: ByteBuffer? = ByteBuffer()
        let steps = given.map { step -> Step in
            switch step {
            case .bytes(let data):
                let bytes = ByteBuffer(bytes: data)
                whole?.writeImmutableBuffer(bytes)
                return .bytes(bytes)
            case .wait(let gate):
                whole = nil
                return .gate(gate)
            case .fail:
                whole = nil
                return .close
            }
        }
        let body: Body =
            if let whole, promised == nil || promised == whole.readableBytes {
                .bytes(whole)
            } else {
                .steps(length: promised, Steps(steps))
            }
        var message = Message(stub.status.code, fields, body)
        // Fewer or more bytes than promised leave a connection that nobody can read on.
        message.closes = whole != nil && promised != nil && promised != whole?.readableBytes
        self = .message(message)
    }
}
