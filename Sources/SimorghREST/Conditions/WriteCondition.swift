// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import SimorghSupport
import Synchronization

/// The condition of one request: the origin that its tag belongs to, and its method.
struct WriteCondition: Sendable {
    let origin: String
    let method: HTTPRequest.Method
    let outcome: WriteOutcome?

    /// The condition of a request; `nil` without one.
    enum Key: UserInfo.Key {
        static let defaultValue: WriteCondition? = nil
    }

    /// The fields of the conditions that this module sets.
    private static let fields: [HTTPField.Name] = [.ifMatch, .ifNoneMatch]

    /// A step that notes the origin of a conditional request, below the user's interceptors, which may change it.
    static let note = Interceptor { request, next in
        let isBound = fields.contains { name in
            // The asterisk means the same at every server.
            request.head.headerFields.contains(name) && request.head.headerFields[values: name] != ["*"]
        }
        guard isBound else { return try await next(request) }
        var request = request
        request.options.userInfo[Key.self] = WriteCondition(
            origin: request.head.origin, method: request.head.method,
            outcome: request.options.userInfo[WriteOutcome.Key.self])
        do {
            return try await next(request)
        } catch let error as TransportError {
            // The redirect step refuses a write that would lose its condition.
            guard let refused = error.underlying as? RedirectError, refused.reason == .conditionForAnotherOrigin else {
                throw error
            }
            let target = URLReference(refused.location).resolved(against: URLReference(refused.from))
            throw EntityTagError(.anotherOrigin, url: target.description)
        }
    }

    /// A step around each attempt that sends no condition to another origin.
    ///
    /// Without its condition the write would go on as an unconditional one, so it is refused instead. A redirect that
    /// changes the method to GET leaves the write behind, and the condition with it.
    static let guardOrigin = Interceptor { request, next in
        guard let condition = request.options.userInfo[Key.self] else { return try await next(request) }
        guard request.head.method == condition.method else {
            var request = request
            for name in fields { request.head.headerFields[name] = nil }
            return try await next(request)
        }
        guard
            request.head.origin == condition.origin
                || WebOrigin.isUpgrade(of: condition.origin, to: request.head.origin)
        else {
            throw EntityTagError(.anotherOrigin, url: request.head.urlString)
        }
        guard let outcome = condition.outcome else { return try await next(request) }
        guard outcome.allows(request.shownURL) else {
            throw EntityTagError(.anotherResource, url: request.head.urlString)
        }
        return try await outcome.observe { try await next(request) }
    }
}

/// The outcome of the attempts of one write of an update.
final class WriteOutcome: Sendable {
    enum Key: UserInfo.Key {
        static let defaultValue: WriteOutcome? = nil
    }

    private let isUncertainFlag = Atomic(false)
    /// The URL to which a redirect led the read; `nil` without one.
    private let readURL: String?
    /// The URL of the first attempt.
    private let firstURL = Mutex<String?>(nil)

    /// Creates the outcome of a write that was not sent yet.
    ///
    /// - Parameter read: The response with the tag of the condition.
    init(after read: TransportResponse) {
        readURL = read.redirects.last.map { String($0.to.prefix { $0 != "#" }) }
    }

    /// Returns true for the URL of the first attempt, and for the one that answered the read.
    ///
    /// The tag is that of the resource that was read. Another one on the same origin may have an equal tag, for example
    /// the number of its version.
    func allows(_ url: String) -> Bool {
        let first = firstURL.withLock { first in
            if first == nil { first = url }
            return first
        }
        return url == first || url == readURL
    }

    /// True if an attempt may have been applied although it seemed to fail, so that a later 412 may be due to it.
    var isUncertain: Bool { isUncertainFlag.load(ordering: .acquiring) }

    /// Sends one attempt.
    func observe(_ send: () async throws -> TransportResponse) async throws -> TransportResponse {
        do {
            let response = try await send()
            let status = response.head.status.code
            // The transport itself sends a request again if a reused connection turns out to be dead.
            if response.attempts > 1 || status >= 500 || status == 408 { noteUncertain() }
            return response
        } catch {
            if (error as? TransportError)?.requestMayHaveBeenSent != false { noteUncertain() }
            throw error
        }
    }

    private func noteUncertain() { isUncertainFlag.store(true, ordering: .releasing) }
}
