// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes

/// One step of the pipeline: it may change the request, answer it, or call `next` more than once.
///
/// ```swift
/// let stamp = Interceptor { request, next in
///     var request = request
///     request.head.headerFields[.userAgent] = "tour/1.0"
///     return try await next(request)
/// }
/// ```
/// The first step of a list is the outermost: it sees the request first and the response last. A step may throw any
/// error; the call turns it into a ``NetworkError`` and keeps it as the cause.
public struct Interceptor: Sendable {
    /// The rest of the pipeline after this step.
    public typealias Next = @Sendable (TransportRequest) async throws -> TransportResponse

    package let handle: @Sendable (TransportRequest, _ next: @escaping Next) async throws -> TransportResponse
    /// True if the step neither waits nor answers a request itself, so that a call needs no ``CallContext`` for it.
    let isPlain: Bool
    /// True if the step passes a cached response through unchanged, so that the cache may answer before this step runs.
    let isTransparentToCacheHits: Bool
    /// Answers a request with these header fields from memory, as the step would; `nil` if the step never can.
    let answerFromMemory: (@Sendable (TransportRequest, HTTPFields) -> TransportResponse?)?

    /// Creates a step from a function of the request and the rest of the pipeline.
    ///
    /// - Parameter handle: The function. It is called from many tasks at once.
    public init(
        _ handle:
            @escaping @Sendable (
                _ request: TransportRequest, _ next: @escaping Next
            ) async throws -> TransportResponse
    ) {
        self.init(isPlain: false, handle)
    }

    /// Creates a step that the pipeline may skip for some calls.
    init(
        isPlain: Bool = false, isTransparentToCacheHits: Bool? = nil,
        answerFromMemory: (@Sendable (TransportRequest, HTTPFields) -> TransportResponse?)? = nil,
        _ handle: @escaping @Sendable (TransportRequest, _ next: @escaping Next) async throws -> TransportResponse
    ) {
        self.handle = handle
        self.isPlain = isPlain
        self.isTransparentToCacheHits = isTransparentToCacheHits ?? isPlain
        self.answerFromMemory = answerFromMemory
    }
}

extension [Interceptor] {
    /// Returns the pipeline as one function, with the first step outermost.
    package func around(_ end: @escaping Interceptor.Next) -> Interceptor.Next {
        // A loop instead of `reduce`: through its generic result each link would cost two thunks per request.
        var next = end
        for step in reversed() { next = Self.link(step.handle, to: next) }
        return next
    }

    /// Links one step to the rest of the pipeline, which is a parameter: a captured variable would cost a thunk, too.
    private static func link(
        _ handle:
            @escaping @Sendable (TransportRequest, _ next: @escaping Interceptor.Next) async throws ->
            TransportResponse,
        to next: @escaping Interceptor.Next
    ) -> Interceptor.Next {
        { request in try await handle(request, next) }
    }
}
