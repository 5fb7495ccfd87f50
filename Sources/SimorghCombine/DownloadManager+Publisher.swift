// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore
public import SimorghDownloads
import SimorghSupport

#if canImport(Combine)
public import Combine
#else
public import OpenCombine
#endif

extension DownloadManager {
    /// The list of downloads, now and whenever it is another, on the client's callback queue.
    public var tasksPublisher: AnyPublisher<[DownloadTask], Never> {
        SequencePublisher(queue: core.client.configuration.callbackQueue, sequence: taskLists).eraseToAnyPublisher()
    }

    /// What happens from each subscription on, on the client's callback queue.
    public var eventsPublisher: AnyPublisher<DownloadEvent, Never> {
        // Begun where it is subscribed to, so that nothing is missed between this and the first demand.
        Deferred { SequencePublisher(queue: self.core.client.configuration.callbackQueue, sequence: self.events) }
            .eraseToAnyPublisher()
    }

    /// How far a download is, now and then at most ten times a second; the last says how it ended.
    ///
    /// - Parameter id: The download.
    /// - Returns: The publisher, on the client's callback queue.
    public func progressPublisher(for id: UUID) -> AnyPublisher<DownloadProgress, Never> {
        Deferred {
            SequencePublisher(queue: self.core.client.configuration.callbackQueue, sequence: self.progress(for: id))
        }
        .eraseToAnyPublisher()
    }

    /// How a download stands, now and whenever that changes; the last is how it ended.
    ///
    /// - Parameter id: The download.
    /// - Returns: The publisher, on the client's callback queue.
    public func statePublisher(for id: UUID) -> AnyPublisher<DownloadState, Never> {
        SequencePublisher(queue: core.client.configuration.callbackQueue, sequence: states(for: id))
            .eraseToAnyPublisher()
    }
}
