// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore

extension Call {
    /// A task that makes the call once and hands its result to a closure, not yet started.
    ///
    /// - Parameters:
    ///   - queue: Where the closure is called; the client's ``/SimorghCore/APIClient/Configuration/callbackQueue`` by default.
    ///   - completion: Gets the result, once; never when the task is let go before.
    /// - Returns: The task: start it, and keep it or detach it.
    public func complete(
        on queue: CallbackQueue? = nil,
        _ completion: @escaping @Sendable (Result<Output, NetworkError>) -> Void
    ) -> SmartTask {
        SmartTask(on: queue ?? settings.configuration.callbackQueue) {
            await result()
        } cancelled: {
            .failure(.cancelled(intendedContext))
        } completion: {
            completion($0)
        }
    }

    /// Starts the call and hands its result to a closure.
    ///
    /// - Parameters:
    ///   - queue: Where the closure is called; the client's ``/SimorghCore/APIClient/Configuration/callbackQueue`` by default.
    ///   - completion: Gets the result, once; never when the task is let go before.
    /// - Returns: The running task: keep it, or detach it. Letting it go cancels the call.
    public func start(
        on queue: CallbackQueue? = nil,
        _ completion: @escaping @Sendable (Result<Output, NetworkError>) -> Void
    ) -> SmartTask {
        complete(on: queue, completion).start()
    }

    /// Starts the call and hands its decoded JSON to a closure.
    ///
    /// - Parameters:
    ///   - type: The model.
    ///   - keyPath: The way to the value; the whole body by default.
    ///   - queue: Where the closure is called; the client's ``/SimorghCore/APIClient/Configuration/callbackQueue`` by default.
    ///   - completion: Gets the result, once; never when the task is let go before.
    /// - Returns: The running task: keep it, or detach it. Letting it go cancels the call.
    public func start<Model: Decodable & Sendable>(
        _ type: Model.Type,
        at keyPath: DecodableKeyPath = [],
        on queue: CallbackQueue? = nil,
        _ completion: @escaping @Sendable (Result<Model, NetworkError>) -> Void
    ) -> SmartTask {
        decoding(.decodable(type, at: keyPath)).start(on: queue, completion)
    }
}

extension Call {
    /// What can be told of a call that may never have begun.
    private var intendedContext: FailureContext {
        let description = try? describe(settings)
        return FailureContext(
            method: description?.method.rawValue ?? "", url: description?.intendedURL(settings) ?? "", attempts: 0)
    }
}
