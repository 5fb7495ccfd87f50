// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore

#if canImport(Combine)
public import Combine
#else
public import OpenCombine
#endif

extension NetworkMonitor {
    /// Whether there is a way to the internet, and through what: for each subscriber as it is now, and then each change.
    ///
    /// It is delivered on the main queue, and ends when the monitor goes: a subscription does not keep that.
    public var status: AnyPublisher<Connectivity, Never> { statusPublisher() }

    /// All that is known: for each subscriber as it is now, and then at each change of anything.
    ///
    /// It is delivered on the main queue, and ends when the monitor goes: a subscription does not keep that.
    public var detailedStatus: AnyPublisher<NetworkStatus, Never> { detailedStatusPublisher() }

    /// Whether there is a way to the internet, and through what, as ``status``, on a queue of the caller's.
    ///
    /// - Parameter queue: Where changes are delivered.
    /// - Returns: The publisher.
    public func statusPublisher(on queue: CallbackQueue = .main) -> AnyPublisher<Connectivity, Never> {
        Deferred { [weak self] in
            SequencePublisher(queue: queue, sequence: self?.statusStream() ?? .ended)
        }
        .eraseToAnyPublisher()
    }

    /// All that is known, as ``detailedStatus``, on a queue of the caller's.
    ///
    /// - Parameter queue: Where changes are delivered.
    /// - Returns: The publisher.
    public func detailedStatusPublisher(on queue: CallbackQueue = .main) -> AnyPublisher<NetworkStatus, Never> {
        Deferred { [weak self] in
            SequencePublisher(queue: queue, sequence: self?.detailedStatusStream() ?? .ended)
        }
        .eraseToAnyPublisher()
    }
}

extension AsyncStream {
    /// Nothing, as of a monitor that is gone.
    fileprivate static var ended: AsyncStream { AsyncStream { $0.finish() } }
}
