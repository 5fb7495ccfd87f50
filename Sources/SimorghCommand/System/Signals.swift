// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
import Dispatch
import SimorghSupport
import Synchronization

/// The signals that ask the program to end, and the one that tells of a terminal's new size, received by one thread that
/// waits for nothing else.
package enum Signals {
    private static let first = Atomic<CInt>(0)
    private static let observers = Mutex<[Int: @Sendable () -> Void]>([:])

    /// Which signal came, as what the program then exits with.
    static var received: ProgramStatus? { ProgramStatus(rawValue: 128 + first.load(ordering: .acquiring)) }

    /// Keeps the signals from every thread that is made later; to be called before there are any.
    ///
    /// A write to a closed pipe becomes an error instead of a signal.
    package static func block() {
        signal(SIGPIPE, SIG_IGN)
        // One that is ignored might be dropped before anybody waits for it.
        signal(SIGWINCH) { _ in }
        var set = awaited
        pthread_sigmask(SIG_BLOCK, &set, nil)
    }

    /// Calls a function at the first signal, and ends the process at the second, or when the first had no effect.
    ///
    /// - Parameter handler: What to do at the first.
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
                // A write to a pipe that nobody reads cannot be cancelled.
                DispatchQueue.global().asyncAfter(deadline: .now() + 2) { [number] in _exit(128 + number) }
            }
        }
    }

    /// Calls a function whenever the terminal's size has changed.
    ///
    /// - Parameter handler: The function, which must not block.
    /// - Returns: What ``stopWatchingSize(_:)`` takes.
    static func watchSize(_ handler: @escaping @Sendable () -> Void) -> Int {
        observers.withLock { observers in
            let id = (observers.keys.max() ?? 0) + 1
            observers[id] = handler
            return id
        }
    }

    /// Calls a function of ``watchSize(_:)`` no longer.
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
