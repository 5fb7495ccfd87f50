// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore

extension NetworkMonitor {
    /// A publisher of the connectivity: the current value for each subscriber, and each change.
    ///
    /// It delivers on the main queue, and finishes when the monitor is released, which a subscription does not retain.
    /// On watchOS, where the network is unknown, it delivers nothing.
    public var status: AnyPublisher<Connectivity, Never> { statusPublisher() }

    /// A publisher of the whole network status: the current value for each subscriber, and each change.
    ///
    /// It delivers on the main queue, and finishes when the monitor is released, which a subscription does not retain.
    public var detailedStatus: AnyPublisher<NetworkStatus, Never> { detailedStatusPublisher() }

    /// Returns a publisher like ``status`` that delivers on a given queue.
    ///
    /// - Parameter queue: The queue that delivers the changes.
    /// - Returns: The publisher.
    public func statusPublisher(on queue: CallbackQueue = .main) -> AnyPublisher<Connectivity, Never> {
        Deferred { [weak self] in
            SequencePublisher(queue: queue, sequence: self?.statusStream() ?? .ended)
        }
        .eraseToAnyPublisher()
    }

    /// Returns a publisher like ``detailedStatus`` that delivers on a given queue.
    ///
    /// - Parameter queue: The queue that delivers the changes.
    /// - Returns: The publisher.
    public func detailedStatusPublisher(on queue: CallbackQueue = .main) -> AnyPublisher<NetworkStatus, Never> {
        Deferred { [weak self] in
            SequencePublisher(queue: queue, sequence: self?.detailedStatusStream() ?? .ended)
        }
        .eraseToAnyPublisher()
    }
}

extension AsyncStream {
    /// A finished stream, for a monitor that was released.
    fileprivate static var ended: AsyncStream { AsyncStream { $0.finish() } }
}
