// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport
import Synchronization

/// An observer that logs a body as it is read, line by line.
final class StreamLogger: BodyObserver {
    private struct State {
        var lines: StreamLines
        var bytes = 0
    }

    private let log: NetworkLog
    private let redactor: Redactor
    private let call: CallContext.ID
    private let url: String
    private let state: Mutex<State>

    init(_ log: NetworkLog, redactor: Redactor, call: CallContext.ID, url: String) {
        self.log = log
        self.redactor = redactor
        self.call = call
        self.url = url
        state = Mutex(State(lines: StreamLines(redactor, upTo: log.limit)))
    }

    func didRead(_ chunk: Data) {
        let lines = state.withLock { state in
            state.bytes += chunk.count
            return state.lines.take(chunk)
        }
        for line in lines { write(line) }
    }

    func didEnd(_ end: Result<Void, any Error>?) {
        let (line, bytes) = state.withLock { ($0.lines.end(), $0.bytes) }
        if let line { write(line) }
        var entry = log.entry("stream end", call: call)
        entry.url = url
        entry.facts.append(("bytes", "\(bytes)"))
        switch end {
        case .success: break
        case .failure(let error): entry.facts.append(("error", redactor.text("\(error)")))
        case nil: entry.facts.append(("left", "true"))
        }
        log.write(entry)
    }

    private func write(_ line: RedactedBody) {
        var entry = log.entry("stream chunk", call: call)
        entry.url = url
        entry.body = line
        log.write(entry)
    }
}
