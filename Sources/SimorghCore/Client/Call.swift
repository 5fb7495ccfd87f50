// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes

/// One call, described and not yet made: a client, an endpoint, settings, and how to read the answer.
///
/// A call is cold: nothing happens until it is awaited, subscribed or started, and each of these is an exchange of its
/// own. It is a value: keep it, send it to another task, derive another from it.
/// ```swift
/// let profile = client.call(GetProfile())
/// let city = try await profile.decode(String.self, at: "data.address.city")
/// let task = profile.start(Profile.self) { result in print(result) }
/// ```
public struct Call<Output: Sendable>: Sendable {
    package let client: APIClient
    package var settings: APIClient.Settings
    package var describe: @Sendable (APIClient.Settings) throws(InvalidRequest) -> CallDescription
    package var decoding: ResponseDecoding<Output>
    /// The endpoint's own reading of a refused response.
    package var decodeError: (@Sendable (CollectedResponse) -> (any Error)?)?
    /// Who wants to know how far the body of the request has come.
    package var observeUpload: (@Sendable (UploadProgress) -> Void)?
    /// Who wants to know of interim responses; called on the connection's loop.
    package var observeInterim: (@Sendable (HTTPResponse) -> Void)?

    package init(
        client: APIClient,
        decoding: ResponseDecoding<Output>,
        describe: @escaping @Sendable (APIClient.Settings) throws(InvalidRequest) -> CallDescription
    ) {
        self.client = client
        self.settings = client.settings
        self.decoding = decoding
        self.describe = describe
    }

    /// The same call as another one, read in another way.
    private init<Other: Sendable>(_ other: Call<Other>, decoding: ResponseDecoding<Output>) {
        client = other.client
        settings = other.settings
        describe = other.describe
        self.decoding = decoding
        decodeError = other.decodeError
        observeUpload = other.observeUpload
        observeInterim = other.observeInterim
    }

    /// The same call with other settings, for this call alone.
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

    /// The same call with more plugins; one with the id of a plugin that is there already takes its place.
    ///
    /// - Parameter plugins: The plugins.
    /// - Returns: The call.
    public func plugins(_ plugins: [any Plugin]) -> Call { with { $0.plugins = plugins + $0.plugins } }

    /// The same call, read in another way.
    ///
    /// - Parameter decoding: How to read the response.
    /// - Returns: The call.
    public func decoding<Other: Sendable>(_ decoding: ResponseDecoding<Other>) -> Call<Other> {
        Call<Other>(self, decoding: decoding)
    }

    /// The same call, where a body that cannot be decoded gives `nil`; every other failure stays one.
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
    public func value() async throws(NetworkError) -> Output {
        try await exchange { response, _ in response }
    }

    /// Makes the call and waits for its value, with the response it was read from: status, fields, timings.
    ///
    /// - Returns: The value and the response.
    /// - Throws: ``NetworkError``.
    @concurrent
    public func response() async throws(NetworkError) -> CallResponse<Output> {
        try await exchange { value, response in CallResponse(value: value, response: response) }
    }
}

/// A value with the response it was read from.
public struct CallResponse<Value: Sendable>: Sendable {
    /// The value.
    public let value: Value
    /// The response: status, header fields, body, timings.
    public let response: CollectedResponse
}
