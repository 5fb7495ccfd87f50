// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCombine
import SimorghCompatibility
import SimorghCore
import Synchronization

/// The three ways to make a call.
enum Surface: CaseIterable, Sendable {
    case awaited
    case published
    case started

    /// Makes the call and returns its outcome.
    func outcome<Output>(of call: Call<Output>) async -> Result<Output, NetworkError> {
        switch self {
        case .awaited: return await call.result()
        case .published:
            let held = HeldSubscription()
            defer { held.release() }
            return await withCheckedContinuation { continuation in
                let value = Mutex<Output?>(nil)
                let subscription = call.publisher(on: .immediate).sink { @Sendable completion in
                    switch completion {
                    case .failure(let error): continuation.resume(returning: .failure(error))
                    case .finished:
                        let value = value.withLock { $0 }
                        continuation.resume(returning: value.map { .success($0) } ?? .failure(.unknown))
                    }
                } receiveValue: { @Sendable received in
                    value.withLock { $0 = received }
                }
                held.keep(subscription)
            }
        case .started:
            let held = Mutex<SmartTask?>(nil)
            defer { held.withLock { $0 = nil } }
            return await withCheckedContinuation { continuation in
                let task = call.start(on: .immediate) { continuation.resume(returning: $0) }
                held.withLock { $0 = task }
            }
        }
    }

    /// Starts the call and returns a function that cancels it.
    func begin<Output>(_ call: Call<Output>) -> @Sendable () -> Void {
        switch self {
        case .awaited:
            let task = Task { _ = try? await call.value() }
            return { task.cancel() }
        case .published:
            let held = HeldSubscription()
            held.keep(
                call.publisher(on: .immediate).sink { @Sendable _ in
                } receiveValue: { @Sendable _ in
                })
            return { held.release() }
        case .started:
            let task = Mutex<SmartTask?>(call.start(on: .immediate) { _ in })
            return { task.withLock { $0 = nil } }
        }
    }
}
