// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
import Dispatch
import SimorghSupport
import Synchronization

/// Receives SIGINT, SIGTERM and SIGWINCH on a dedicated thread.
package enum Signals {
    private static let first = Atomic<CInt>(0)
    private static let observers = Mutex<[Int: @Sendable () -> Void]>([:])

    /// The received signal as an exit status.
    static var received: ProgramStatus? { ProgramStatus(rawValue: 128 + first.load(ordering: .acquiring)) }

    /// Blocks the signals in every thread created later; must be called before any other thread exists.
    ///
    /// A write to a closed pipe becomes an error instead of a signal.
    package static func block() {
        signal(SIGPIPE, SIG_IGN)
        // An ignored signal might be discarded before `sigwait` is called.
        signal(SIGWINCH) { _ in }
        var set = awaited
        pthread_sigmask(SIG_BLOCK, &set, nil)
    }

    /// Calls a function at the first signal; a second one, or two more seconds, end the process.
    ///
    /// - Parameter handler: Called at the first signal.
    static func watch(_ handler: @escaping @Sendable () -> Void) {
        DispatchQueue(label: "simorgh.signals").async {
            while true {
                var set = awaited
                var number: CInt = 0
                guard sigwait(&set, &number) == 0 else { return }
                guard number != SIGWINCH else {
                    for observer in observers.withLock({ Array($0.values) }) { observer() }
                    continue
                }
                let isFirst = first.compareExchange(
                    expected: 0, desired: number, ordering: .acquiringAndReleasing
                ).exchanged
                guard isFirst else { _exit(128 + number) }
                handler()
                // A blocked write to a pipe without a reader cannot be cancelled.
                DispatchQueue.global().asyncAfter(deadline: .now() + 2) { [number] in _exit(128 + number) }
            }
        }
    }

    /// Suspends until the task is cancelled, as the first signal does.
    static func untilCancelled() async {
        let (nothing, end) = AsyncStream<Never>.makeStream()
        for await _ in nothing {}
        end.finish()
    }

    /// Calls a function whenever the terminal's size has changed.
    ///
    /// - Parameter handler: The function, which must not block.
    /// - Returns: The id for ``stopWatchingSize(_:)``.
    static func watchSize(_ handler: @escaping @Sendable () -> Void) -> Int {
        observers.withLock { observers in
            let id = (observers.keys.max() ?? 0) + 1
            observers[id] = handler
            return id
        }
    }

    /// Stops calling a function of ``watchSize(_:)``.
    static func stopWatchingSize(_ id: Int) { observers.withLock { $0[id] = nil } }

    private static var awaited: sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, SIGINT)
        sigaddset(&set, SIGTERM)
        sigaddset(&set, SIGWINCH)
        return set
    }
}
#endif
