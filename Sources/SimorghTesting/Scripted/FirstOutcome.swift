// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import Synchronization

/// The first of several outcomes; one waits for it, later ones are dropped.
final class FirstOutcome<Value: Sendable>: Sendable {
    typealias Outcome = Result<Value, TransportError>

    private enum State {
        case open
        case awaited(CheckedContinuation<Outcome, Never>)
        case settled(Outcome)
    }

    private let state = Mutex(State.open)

    func settle(_ outcome: Outcome) {
        let continuation: CheckedContinuation<Outcome, Never>? = state.withLock { state in
            switch state {
            case .settled: return nil
            case .open:
                state = .settled(outcome)
                return nil
            case .awaited(let continuation):
                state = .settled(outcome)
                return continuation
            }
        }
        continuation?.resume(returning: outcome)
    }

    var value: Outcome {
        get async {
            await withCheckedContinuation { continuation in
                let outcome: Outcome? = state.withLock { state in
                    if case .settled(let outcome) = state { return outcome }
                    state = .awaited(continuation)
                    return nil
                }
                if let outcome { continuation.resume(returning: outcome) }
            }
        }
    }
}
