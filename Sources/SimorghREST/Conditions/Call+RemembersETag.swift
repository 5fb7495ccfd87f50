// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
public import SimorghCore

extension Call {
    /// Returns the same call, which remembers the entity tag of what it reads, and sends it with the next write.
    ///
    /// ```swift
    /// let user: User = try await client.call(.get, "users/7").remembersETag().decode()
    /// try await client.call(.put, "users/7", body: .json(changed)).remembersETag().void()
    /// ```
    /// A `GET` or `HEAD` notes the `ETag` of its response, and a `PUT`, `PATCH` or `DELETE` of the same URL sends it as
    /// `If-Match`, unless the request has a condition of its own. If the resource has changed meanwhile, the write throws
    /// an error with ``SimorghCore/NetworkError/preconditionError``, until the resource is read again.
    ///
    /// - Only strong tags are remembered. To get one, a request asks for no compression, and a read asks the server even if
    ///   a cache has the response.
    /// - A tag belongs to a whole URL, and is never sent to another one. After a redirect, each request has the tag of its
    ///   own URL, or none.
    /// - A client and its views share the tags of up to 1,000 URLs, those used last; tags of more than 1,024 bytes are not
    ///   remembered. Two tasks that read the same resource share the tag that was read last: if both write, use
    ///   ``ifMatch(_:)`` or ``SimorghCore/APIClient/update(_:as:query:headers:by:attempts:_:)``.
    /// - Each user of a client has tags of their own, up to four for each URL. Another credential, cookie or client
    ///   certificate is another user. A write of a user without a response of their own, such as one whose token was
    ///   refreshed, has the tag of the latest read, unless `isRequired` is set: read the resource again then.
    /// - No tag is remembered of a request whose `Host` field names another host than its URL.
    /// - If the server's response to a write has no tag, the old tag stays, so that a further write fails and asks for a
    ///   new read. After a `DELETE` the tag is forgotten.
    ///
    /// - Parameter isRequired: True to throw ``EntityTagError`` for a write without a known tag. Default: false, such a
    ///   write has no condition.
    /// - Returns: The call.
    public func remembersETag(isRequired: Bool = false) -> Call {
        let store = settings.state.value(for: EntityTagStore.StateKey()) { EntityTagStore() }
        return with { configuration in
            if configuration.caching.strategy == .returnCacheDataElseLoad {
                configuration.caching.strategy = .useProtocolCachePolicy
            }
            configuration.interceptors.append(.notingETag(in: store, isRequired: isRequired))
            configuration.networkInterceptors.insert(.sendingETag, at: 0)
        }
    }
}

extension HTTPRequest.Method {
    /// True if a request reads a representation.
    fileprivate var reads: Bool { self == .get || self == .head }

    /// True if a request changes the resource of its URL.
    fileprivate var writes: Bool { self == .put || self == .patch || self == .delete }
}

extension HTTPFields {
    private static let conditions: [HTTPField.Name] = [
        .ifMatch, .ifNoneMatch, .ifModifiedSince, .ifUnmodifiedSince,
    ]

    /// True if a request has a condition.
    fileprivate var hasCondition: Bool { Self.conditions.contains { contains($0) } }
}

extension TransportRequest {
    /// Asks for a strong tag: of a response from the server, without a content coding.
    ///
    /// Servers that compress make a tag weak, or change it so that `If-Match` never matches.
    mutating func askForStrongTag() {
        askForNoCoding()
        if !head.headerFields.contains(.cacheControl) { head.headerFields[.cacheControl] = "max-age=0" }
    }

    /// Asks for a response without a content coding, unless the request names one.
    fileprivate mutating func askForNoCoding() {
        if !head.headerFields.contains(.acceptEncoding) { head.headerFields[.acceptEncoding] = "identity" }
    }
}

extension Interceptor {
    /// Returns a step around a call that notes the tag of the response that the caller gets.
    fileprivate static func notingETag(in store: EntityTagStore, isRequired: Bool) -> Interceptor {
        Interceptor { request, next in
            let exchange = EntityTagExchange(store: store, isRequired: isRequired)
            var request = request
            request.options.userInfo[EntityTagExchange.InfoKey.self] = exchange
            if request.head.method.reads { request.askForStrongTag() }
            if request.head.method.writes { request.askForNoCoding() }
            let response = try await next(request)
            let status = response.head.status.code
            // A cache that answers without the server has been asked not to; the tag that is known stays. So it does if the
            // URL does not name the resource.
            guard let (key, method) = exchange.answered else { return response }
            let tag = response.head.headerFields.strongTag
            switch (method, status) {
            case (.delete, 200..<300): store.forget(key)
            case (_, 200..<300) where method.reads:
                // The caller has a representation without a strong tag: an older tag would be of another one.
                if let tag { store.set(tag, for: key) } else { store.forget(key) }
            case (_, 200..<300) where method.writes, (_, 304):
                if let tag { store.set(tag, for: key) }
            default: break
            }
            return response
        }
    }

    /// A step around each attempt that sends the tag of its URL.
    fileprivate static let sendingETag = Interceptor { request, next in
        guard let exchange = request.options.userInfo[EntityTagExchange.InfoKey.self] else {
            return try await next(request)
        }
        let key = EntityTagStore.Key(request)
        var request = request
        if request.head.method.writes, !request.head.headerFields.hasCondition {
            if let tag = key.flatMap({ exchange.tag(for: $0) }) {
                request.head.headerFields[.ifMatch] = tag.description
            } else if exchange.isRequired {
                throw EntityTagError(.noStrongTag, url: request.head.urlString)
            } else if exchange.hasTag {
                // After a redirect the write would go on without its condition.
                throw EntityTagError(.anotherResource, url: request.head.urlString)
            }
        }
        let response = try await next(request)
        exchange.didAnswer(key, method: request.head.method)
        return response
    }
}
