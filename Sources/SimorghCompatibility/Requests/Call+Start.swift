// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore

extension Call {
    /// Returns a task that makes the call once and passes its result to a closure; it is not started yet.
    ///
    /// - Parameters:
    ///   - queue: The queue that calls the closure. Default: the client's
    ///     ``/SimorghCore/APIClient/Configuration/callbackQueue``.
    ///   - completion: Called with the result, once; not called if the task is released before.
    /// - Returns: The task: start it, and keep or detach it.
    public func complete(
        on queue: CallbackQueue? = nil,
        _ completion: @escaping @Sendable (Result<Output, NetworkError>) -> Void
    ) -> SmartTask {
        SmartTask(on: queue ?? settings.configuration.callbackQueue) {
            await result()
        } cancelled: {
            .failure(.cancelled(unsentContext))
        } completion: {
            completion($0)
        }
    }

    /// Starts the call and passes its result to a closure.
    ///
    /// - Parameters:
    ///   - queue: The queue that calls the closure. Default: the client's
    ///     ``/SimorghCore/APIClient/Configuration/callbackQueue``.
    ///   - completion: Called with the result, once; not called if the task is released before.
    /// - Returns: The running task: keep or detach it. Releasing it cancels the call.
    public func start(
        on queue: CallbackQueue? = nil,
        completion: @escaping @Sendable (Result<Output, NetworkError>) -> Void
    ) -> SmartTask {
        complete(on: queue, completion).start()
    }

    /// Starts the call and passes its decoded JSON to a closure.
    ///
    /// - Parameters:
    ///   - type: The model.
    ///   - keyPath: The key path of the value. Default: the whole body.
    ///   - queue: The queue that calls the closure. Default: the client's
    ///     ``/SimorghCore/APIClient/Configuration/callbackQueue``.
    ///   - completion: Called with the result, once; not called if the task is released before.
    /// - Returns: The running task: keep or detach it. Releasing it cancels the call.
    public func start<Model: Decodable & Sendable>(
        _ type: Model.Type,
        at keyPath: DecodableKeyPath = [],
        on queue: CallbackQueue? = nil,
        completion: @escaping @Sendable (Result<Model, NetworkError>) -> Void
    ) -> SmartTask {
        decoding(.decodable(type, at: keyPath)).start(on: queue, completion: completion)
    }
}

extension Call {
    /// The failure context of a call that may never have started.
    package var unsentContext: FailureContext {
        let description = try? describe(settings)
        return FailureContext(
            method: description?.method.rawValue ?? "", url: description?.intendedURL(settings) ?? "", attempts: 0)
    }
}
