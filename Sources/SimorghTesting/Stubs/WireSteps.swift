// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes
import SimorghSupport

/// The steps of a response, generated one at a time when the connection has accepted the previous one.
///
/// A body of a gigabyte therefore takes no memory, and is sent only as fast as the client reads.
package struct WireSteps: Sendable, ExpressibleByArrayLiteral {
    package let make: @Sendable () -> AnyIterator<WirePlan.Step>

    package init(_ make: @escaping @Sendable () -> (() -> WirePlan.Step?)) { self.make = { AnyIterator(make()) } }

    package init(_ steps: [WirePlan.Step]) {
        self.init {
            var rest = steps[...]
            return { rest.popFirst() }
        }
    }

    package init(arrayLiteral steps: WirePlan.Step...) { self.init(steps) }

    package static func + (left: WireSteps, right: WireSteps) -> WireSteps {
        WireSteps {
            let (first, second) = (left.make(), right.make())
            return { first.next() ?? second.next() }
        }
    }
}

extension WirePlan.Step {
    package static func text(_ text: String) -> WirePlan.Step { .bytes(Data(text.utf8)) }
}

extension StubResponse {
    /// Creates a response with a body that is generated while it is sent; only a ``MockServer`` sends it.
    ///
    /// - Parameters:
    ///   - request: The request. A response to `HEAD` has no body.
    ///   - status: The status.
    ///   - headerFields: The header fields.
    ///   - length: The `Content-Length`, even if the steps do not match it; `nil` sends the body in chunks.
    ///   - delay: The delay before the head.
    ///   - body: The steps after the head.
    /// - Returns: The response.
    package static func generated(
        for request: RecordedRequest, status: HTTPResponse.Status = .ok, headerFields: HTTPFields = .octets,
        length: Int?, after delay: Duration = .zero, body: WireSteps
    ) -> StubResponse {
        let pause: WireSteps = delay > .zero ? [.wait(delay)] : []
        let head: WireSteps = [.head(HTTPResponse(status: status, headerFields: headerFields), length: length)]
        return .raw(pause + head + (request.method == .head ? [] : body) + [.end([:])])
    }

    /// Creates a response of unmodified steps, without a head unless one is among them.
    ///
    /// Bytes before a head are not framed.
    package static func raw(_ steps: WireSteps) -> StubResponse {
        var response = StubResponse()
        response.content = .generated(steps)
        return response
    }
}

extension HTTPFields {
    package static let octets: HTTPFields = [.contentType: "application/octet-stream"]
}
