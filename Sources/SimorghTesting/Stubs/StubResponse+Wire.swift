// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import HTTPTypes
public import SimorghCore

extension StubResponse {
    /// Returns the response with delays.
    ///
    /// A ``MockServer`` and a ``StubServer`` use their own clock, which can be a ``TestClock``.
    ///
    /// - Parameters:
    ///   - head: The delay of the head after the end of the request.
    ///   - body: The delay of the body after the head.
    ///   - end: The delay of the end, including trailers, after the last byte of the body. Over HTTP/1.1 the body is
    ///     then sent in chunks, unless a `Content-Length` is set: then its last byte ends it.
    /// - Returns: The response.
    public func delayed(head: Duration = .zero, body: Duration = .zero, end: Duration = .zero) -> StubResponse {
        changed { ($0.headDelay, $0.bodyDelay, $0.endDelay) = (head, body, end) }
    }

    /// Returns the response with a delay before its head.
    ///
    /// - Parameter delay: The delay.
    /// - Returns: The response.
    public func delayed(by delay: Duration) -> StubResponse { changed { $0.headDelay = delay } }

    /// Returns the response with its body sent in small pieces with a pause between them.
    ///
    /// - Parameters:
    ///   - bytes: The size of a piece in bytes; at least 1.
    ///   - period: The duration of the pause; 1 second by default.
    /// - Returns: The response.
    public func throttled(to bytes: Int, every period: Duration = .seconds(1)) -> StubResponse {
        changed { $0.throttle = ResponseDelivery.Throttle(bytes: max(1, bytes), period: period) }
    }

    /// Returns the response with one more interim response before it, such as `103 Early Hints`.
    ///
    /// - Parameters:
    ///   - status: Its status, 100 to 199.
    ///   - headerFields: Its header fields.
    /// - Returns: The response.
    public func interim(_ status: HTTPResponse.Status, headerFields: HTTPFields = HTTPFields()) -> StubResponse {
        changed { $0.interim.append(HTTPResponse(status: status, headerFields: headerFields)) }
    }

    /// Returns the response with trailers.
    ///
    /// Over HTTP/1.1 the body is then sent in chunks.
    ///
    /// - Parameter fields: The trailers.
    /// - Returns: The response.
    public func trailers(_ fields: HTTPFields) -> StubResponse { changed { $0.trailers = fields } }

    /// Returns the response with a fault.
    ///
    /// In memory, a ``StubServer`` fails as a real transport would. A fault before the end of the request takes effect
    /// in time only if the response is known by then: one from a queue or from a rule without a handler.
    ///
    /// - Parameters:
    ///   - fault: The fault.
    ///   - point: The point at which it occurs; instead of the response's head by default.
    /// - Returns: The response.
    public func fault(_ fault: WireFault, at point: WireFault.Point = .responseHead) -> StubResponse {
        changed { $0.fault = (point, fault) }
    }

    /// Returns the response with connection details and timings for events, spans and HAR files.
    ///
    /// Only for in-memory transports; a ``MockServer`` has real connections.
    ///
    /// - Parameters:
    ///   - connection: The connection.
    ///   - timings: The reported duration of each phase, which is not waited for; unknown by default.
    /// - Returns: The response.
    public func carried(
        over connection: ConnectionInfo, timings: ExchangeTimings = ExchangeTimings()
    ) -> StubResponse {
        changed { ($0.connection, $0.timings) = (connection, timings) }
    }

    /// Returns the response, sent when the request's head has arrived, without reading the body, as servers reject
    /// large bodies.
    ///
    /// - Returns: The response. It has no effect in a rule with a handler.
    public func beforeBody() -> StubResponse { changed { $0.isEarly = true } }

    /// Returns the response with `{name}` in its text replaced by the matched segment of the rule's path.
    ///
    /// In JSON the replacement is escaped for a string. A body that is not UTF-8 stays as it is.
    ///
    /// - Returns: The response.
    public func replacingPlaceholders() -> StubResponse { changed { $0.replacesPlaceholders = true } }

    private func changed(_ change: (inout ResponseDelivery) -> Void) -> StubResponse {
        var response = self
        change(&response.wire)
        return response
    }
}
