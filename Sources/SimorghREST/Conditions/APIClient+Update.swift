// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
public import SimorghCore

/// The request that writes a changed value.
@nonexhaustive
public enum UpdateMethod: Sendable, Hashable {
    /// `PUT` with the whole value, in the format that it was read in. Members that the type lacks are removed from the resource.
    case put
    /// `PATCH` with the difference as a ``MergePatch``. Members that the type lacks stay.
    case mergePatch
    /// `PATCH` with the difference as a ``JSONPatch``. Members that the type lacks stay.
    case jsonPatch

    var requestMethod: RequestMethod {
        switch self {
        case .put: .put
        case .mergePatch, .jsonPatch: .patch
        }
    }
}

extension APIClient {
    /// Returns a call that reads a resource, changes it, and writes it unless it has changed meanwhile.
    ///
    /// ```swift
    /// let user = try await client.update("users/7", as: User.self) { user in
    ///     user.visits += 1
    /// }.value()
    /// ```
    /// The call reads the resource, and sends the changed value with the read `ETag` as `If-Match`. If the server refuses
    /// it with 412, because another client was faster, the call reads the resource again and repeats the change.
    ///
    /// - After the last attempt it throws the server's 412, with ``SimorghCore/NetworkError/preconditionError``.
    /// - It also throws a 412 after an attempt whose outcome is not known, because that attempt may itself have made the
    ///   change, which must not be made twice.
    /// - A resource without a strong `ETag` is not changed: the call throws ``EntityTagError`` as the cause. The same holds
    ///   for a redirect to another origin, and for a redirect of the write to another URL than the one that was read.
    /// - A change that leaves the value as it is writes nothing. Numbers are compared by up to 38 digits, and texts by their
    ///   bytes. A patch whose number needs more digits than a `Double` has, or that only changes the Unicode normalization
    ///   of a text, throws ``/SimorghCore/NetworkError/invalidRequest(_:_:)``; ``UpdateMethod/put`` writes both as they are.
    /// - Each write by PATCH gets an idempotency key of its own (``/SimorghCore/RetryPolicy/idempotencyKey``), which its
    ///   retries share; PUT needs none. With more than one attempt, a key in the header fields throws ``/SimorghCore/NetworkError/invalidRequest(_:_:)``
    ///   before anything is sent.
    /// - The timeout ``/SimorghCore/Timeouts/total`` is that of all requests together. Retries are those of the client, for
    ///   each request.
    ///
    /// - Parameters:
    ///   - path: The path below the base URL, or an absolute URL if the client has no base URL.
    ///   - type: The type of the value.
    ///   - query: The query items of all requests.
    ///   - headers: The header fields of all requests. A `Content-Type` selects the codec of a PUT, which otherwise is that
    ///     of the response that was read, and is only sent with the PUT.
    ///   - method: The request that writes the value.
    ///   - attempts: The largest number of writes. Default: 5.
    ///   - change: Changes the value. It runs again for each attempt. An error that it throws ends the call.
    /// - Returns: The call. Its value is the server's response, or the written value if the response has no body.
    public func update<Value: Codable & Sendable>(
        _ path: String,
        as type: Value.Type = Value.self,
        query: QueryItems = QueryItems(),
        headers: [String: String] = [:],
        by method: UpdateMethod = .put,
        attempts: Int = 5,
        _ change: @escaping @Sendable (inout Value) async throws -> Void
    ) -> Call<Value> {
        call(method.requestMethod, path, query: query, headers: headers)
            .decoding(.decodable(type))
            .refusingFixedKey(for: attempts)
            .conditionGuarded()
            .with { configuration in
                // After a 412 the cache's response would be the one that is outdated.
                if configuration.caching.strategy == .returnCacheDataElseLoad {
                    configuration.caching.strategy = .useProtocolCachePolicy
                }
                let exchange = UpdateExchange(
                    method: method, attempts: attempts, coding: configuration.coding,
                    limit: configuration.maximumCollectedBytes, keyFields: configuration.idempotencyFields,
                    change: change)
                // Outermost, so that each request passes all steps of the client.
                configuration.interceptors.insert(
                    Interceptor { request, next in try await exchange.run(request, next: next) }, at: 0)
            }
    }
}

extension APIClient.Configuration {
    /// The names of the fields that may hold an idempotency key.
    fileprivate var idempotencyFields: [HTTPField.Name] {
        ["Idempotency-Key", retry?.idempotencyKey?.header].compactMap { $0.flatMap { HTTPField.Name($0) } }
    }
}

extension Call {
    /// Returns the same call, which refuses an idempotency key of the caller if there may be several writes.
    ///
    /// A server that recognizes the key would take the second write, with another body, for a misuse or for a repetition.
    fileprivate func refusingFixedKey(for attempts: Int) -> Call {
        guard attempts > 1 else { return self }
        var call = self
        let describe = describe
        call.describe = { settings throws(InvalidRequestError) in
            let description = try describe(settings)
            let names = Set(settings.configuration.idempotencyFields.map(\.canonicalName))
            for fields in [description.headers, settings.configuration.headers] {
                guard let name = fields.keys.first(where: { names.contains($0.lowercased()) }) else { continue }
                throw InvalidRequestError(
                    .invalidHeader,
                    message: "\(name) is one key for several writes with different bodies: use "
                        + "RetryPolicy.idempotencyKey, which makes one for each, or attempts: 1")
            }
            return description
        }
        return call
    }
}
