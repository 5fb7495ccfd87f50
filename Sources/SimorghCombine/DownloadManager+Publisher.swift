// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore
public import SimorghDownloads
import SimorghSupport

extension DownloadManager {
    /// A publisher of the list of downloads: the current list and each change, on the client's callback queue.
    public var tasksPublisher: AnyPublisher<[DownloadTask], Never> {
        SequencePublisher(queue: core.client.configuration.callbackQueue, sequence: taskLists).eraseToAnyPublisher()
    }

    /// A publisher of the events after each subscription, on the client's callback queue.
    public var eventsPublisher: AnyPublisher<DownloadEvent, Never> {
        // Deferred, so that the sequence starts at the subscription, and no event before the first demand is lost.
        Deferred { SequencePublisher(queue: self.core.client.configuration.callbackQueue, sequence: self.events) }
            .eraseToAnyPublisher()
    }

    /// Returns a publisher of a download's progress, at most ten times per second; the last value has its final state.
    ///
    /// - Parameter id: The download.
    /// - Returns: The publisher, on the client's callback queue.
    public func progressPublisher(for id: UUID) -> AnyPublisher<DownloadProgress, Never> {
        Deferred {
            SequencePublisher(queue: self.core.client.configuration.callbackQueue, sequence: self.progress(for: id))
        }
        .eraseToAnyPublisher()
    }

    /// Returns a publisher of a download's state: the current state and each change; the last value is the final state.
    ///
    /// - Parameter id: The download.
    /// - Returns: The publisher, on the client's callback queue.
    public func statePublisher(for id: UUID) -> AnyPublisher<DownloadState, Never> {
        SequencePublisher(queue: core.client.configuration.callbackQueue, sequence: states(for: id))
            .eraseToAnyPublisher()
    }
}
