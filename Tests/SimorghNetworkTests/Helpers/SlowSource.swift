// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Dispatch
import SimorghNetwork
import SimorghSupport
import Synchronization
import TestSupport

/// A source whose first answer is late.
final class SlowSource: NetworkSource {
    private let questions = Mutex(0)
    private let isAnswered = DispatchSemaphore(value: 0)

    var asked: Int { questions.withLock { $0 } }

    func answer() { isAnswered.signal() }

    func current() -> NetworkStatus {
        let number = questions.withLock { questions in
            questions += 1
            return questions
        }
        guard number == 1 else { return NetworkStatus(.connected(.ethernet)) }
        isAnswered.wait()
        return NetworkStatus(.disconnected)
    }

    func watch(_ tell: @escaping @Sendable (NetworkStatus) -> Void) -> @Sendable () -> Void { {} }
}
