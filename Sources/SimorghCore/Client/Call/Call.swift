// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import HTTPTypes
package import SimorghSupport

/// A call that is described but not yet made: a client, an endpoint, settings, and a decoding.
///
/// A call is cold: nothing happens until it is awaited, subscribed or started, and each time it makes a new exchange.
/// It is a value that can be kept, sent to another task, and changed into another call.
/// ```swift
/// let profile = client.call(GetProfile())
/// let city = try await profile.decode(String.self, at: "data.address.city")
/// profile.start(Profile.self) { result in print(result) }.detach()
/// ```
public struct Call<Output: Sendable>: Sendable {
    package let client: APIClient
    package var settings: APIClient.Settings
    package var decoding: ResponseDecoding<Output>
    /// Describes the endpoint; called each time the call is made.
    package var describe: @Sendable (APIClient.Settings) throws(InvalidRequestError) -> CallDescription
    /// Decodes the endpoint's own error from a rejected response.
    var decodeError: (@Sendable (CollectedResponse) -> (any Error)?)?
    /// Notified of the progress of the request's body.
    var observeUpload: (@Sendable (UploadProgress) -> Void)?
    /// Notified of interim responses, on the connection's event loop.
    package var observeInterim: (@Sendable (HTTPResponse) -> Void)?
    /// The kind of operation that a drain of the client sees in a stream of the call.
    package var kind = DrainStateMachine.Kind.stream

    package init(
        client: APIClient,
        decoding: ResponseDecoding<Output>,
        describe: @escaping @Sendable (APIClient.Settings) throws(InvalidRequestError) -> CallDescription
    ) {
        self.client = client
        settings = client.settings
        self.decoding = decoding
        self.describe = describe
    }

    /// Returns the same call with other settings, for this call only.
    ///
    /// - Parameter change: Changes a copy of the client's configuration.
    /// - Returns: The call.
    public func with(_ change: (inout APIClient.Configuration) throws -> Void) rethrows -> Call {
        var configuration = settings.configuration
        try change(&configuration)
        var copy = self
        copy.settings = settings.with(configuration)
        return copy
    }

    /// Returns the same call with another decoding.
    ///
    /// - Parameter decoding: The decoding of the response.
    /// - Returns: The call.
    public func decoding<Other: Sendable>(_ decoding: ResponseDecoding<Other>) -> Call<Other> {
        var call = Call<Other>(client: client, decoding: decoding, describe: describe)
        (call.settings, call.kind) = (settings, kind)
        (call.decodeError, call.observeUpload, call.observeInterim) = (decodeError, observeUpload, observeInterim)
        return call
    }

    /// Returns the same call with the value `nil` for a body that cannot be decoded.
    ///
    /// Other failures are still thrown.
    ///
    /// - Returns: The call.
    public func optional() -> Call<Output?> { decoding(decoding.optional()) }

    /// Makes the call and waits for its value.
    ///
    /// The body is encoded and decoded off the event loop and off the main actor.
    ///
    /// - Returns: The value.
    /// - Throws: ``NetworkError``; a cancelled task throws ``NetworkError/cancelled(_:)`` at once.
    @concurrent
    public func value() async throws -> Output {
        try await execute(decoding)
    }

    /// Makes the call and returns its value or its error, for code that needs a typed error.
    ///
    /// ```swift
    /// switch await client.call(.get, "me").decoding(.decodable(Profile.self)).result() {
    /// case .success(let profile): print(profile)
    /// case .failure(let error): print(error.statusCode ?? 0)
    /// }
    /// ```
    /// - Returns: The value or the error; ``NetworkError/cancelled(_:)`` for a cancelled task.
    @concurrent
    public func result() async -> Result<Output, NetworkError> {
        do throws(NetworkError) {
            return .success(try await execute(decoding))
        } catch {
            return .failure(error)
        }
    }

    /// Makes the call and returns its decoded JSON or its error.
    ///
    /// - Parameters:
    ///   - type: The model.
    ///   - keyPath: The path to the value. Default: the whole body.
    /// - Returns: The value or the error.
    @concurrent
    public func result<Model: Decodable & Sendable>(
        _ type: Model.Type, at keyPath: DecodableKeyPath = []
    ) async -> Result<Model, NetworkError> {
        await decoding(.decodable(type, at: keyPath)).result()
    }

    /// Makes the call and returns its value with the response: status, header fields, timings.
    ///
    /// - Returns: The value and the response.
    /// - Throws: ``NetworkError``.
    @concurrent
    public func response() async throws -> CallResponse<Output> {
        try await execute(decoding.withResponse)
    }
}

/// A value with the response it was read from.
public struct CallResponse<Value: Sendable>: Sendable {
    /// The value.
    public let value: Value
    /// The response: status, header fields, body, timings.
    public let response: CollectedResponse
    /// The status code, such as 200.
    public var statusCode: Int { response.statusCode }
    /// The header fields of the response.
    public var headers: HTTPFields { response.headers }
    /// The URL that responded; the last one if redirects were followed.
    public var url: String { response.url }
}
