// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if SIMORGH_TSAN
/// A replacement for `Mutex` in builds with ThreadSanitizer, which observes a pthread mutex, but not the standard
/// library's: on Linux that one locks inside a library that is not instrumented.
///
/// Unchecked, because `value` is a stored variable of any type. It is safe: `value` is private, only `withLock` accesses
/// it, and only between locking and unlocking, so two threads never do at once. The initial value, the `inout` value of
/// `body` and its result are `sending`, so no reference to the state is left outside of the lock.
package final class TracedMutex<Value>: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private var value: Value

    package init(_ value: consuming sending Value) {
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
        self.value = value
    }

    package func withLock<Result, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }
}

typealias Mutex = TracedMutex
#endif
