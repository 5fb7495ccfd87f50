// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import HTTPTypes
public import SimorghCore

extension StubResponse {
    /// The same answer, later.
    ///
    /// A ``MockServer`` and a ``StubServer`` take the time from their own clock, so that a ``TestClock`` moves it.
    ///
    /// - Parameters:
    ///   - head: How long its head is waited for, behind the request's end.
    ///   - body: How long its body is waited for, behind the head.
    ///   - end: How long what ends it is waited for, trailers where there are any, behind the last byte of the body.
    ///     HTTP/1.1 sends it in chunks for that, unless a `Content-Length` is set: then its last byte ends it.
    /// - Returns: The answer.
    public func delayed(head: Duration = .zero, body: Duration = .zero, end: Duration = .zero) -> StubResponse {
        changed { ($0.headDelay, $0.bodyDelay, $0.endDelay) = (head, body, end) }
    }

    /// The same answer, its whole later.
    ///
    /// - Parameter delay: How long its head is waited for.
    /// - Returns: The answer.
    public func delayed(by delay: Duration) -> StubResponse { changed { $0.headDelay = delay } }

    /// The same answer, its body in small pieces with a pause between them.
    ///
    /// - Parameters:
    ///   - bytes: How many bytes a piece has; at least one.
    ///   - period: How long the pause is; a second by default.
    /// - Returns: The answer.
    public func throttled(to bytes: Int, every period: Duration = .seconds(1)) -> StubResponse {
        changed { $0.throttle = WireScript.Throttle(bytes: max(1, bytes), period: period) }
    }

    /// The same answer with one more response before it, such as `103 Early Hints`.
    ///
    /// - Parameters:
    ///   - status: Its status, 100 to 199.
    ///   - headerFields: Its header fields.
    /// - Returns: The answer.
    public func interim(_ status: HTTPResponse.Status, _ headerFields: HTTPFields = HTTPFields()) -> StubResponse {
        changed { $0.interim.append(HTTPResponse(status: status, headerFields: headerFields)) }
    }

    /// The same answer with fields behind its body; HTTP/1.1 sends it in chunks for that.
    ///
    /// - Parameter fields: The fields.
    /// - Returns: The answer.
    public func trailers(_ fields: HTTPFields) -> StubResponse { changed { $0.trailers = fields } }

    /// The same answer with something wrong.
    ///
    /// In memory, a ``StubServer`` fails as a real transport would. A fault before the
    /// request's end comes in time only where the answer is known by then: one of a queue or a rule without a handler.
    ///
    /// - Parameters:
    ///   - fault: What goes wrong.
    ///   - point: Where; in the place of the answer's head by default.
    /// - Returns: The answer.
    public func fault(_ fault: WireFault, at point: WireFault.Point = .responseHead) -> StubResponse {
        changed { $0.fault = (point, fault) }
    }

    /// The same answer, as though a connection had brought it: what events, spans and HAR files tell of one.
    ///
    /// In memory; a ``MockServer`` has connections of its own.
    ///
    /// - Parameters:
    ///   - connection: The connection.
    ///   - timings: How long each phase took, though nobody waits for it; by default nothing is known of any.
    /// - Returns: The answer.
    public func carried(
        over connection: ConnectionInfo, timings: ExchangeTimings = ExchangeTimings()
    ) -> StubResponse {
        changed { ($0.connection, $0.timings) = (connection, timings) }
    }

    /// The same answer, given when the head of the request has come, its body unread, as servers refuse what is too large.
    ///
    /// - Returns: The answer; a rule with a handler gives it no sooner than others.
    public func beforeBody() -> StubResponse { changed { $0.isEarly = true } }

    /// The same answer, `{name}` in its text replaced by what stood in that place of the rule's path.
    ///
    /// In JSON what is put in is escaped as the inside of a string. A body that is not text in UTF-8 stays as it is.
    ///
    /// - Returns: The answer.
    public func fillingPlaces() -> StubResponse { changed { $0.fillsPlaces = true } }

    private func changed(_ change: (inout WireScript) -> Void) -> StubResponse {
        var response = self
        change(&response.wire)
        return response
    }
}
