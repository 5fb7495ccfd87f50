// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
package import SimorghCore
import SimorghSupport

/// Sends recorded requests again.
package enum InspectorReplay {
    /// The number of the call that a request repeats; `nil` for other requests.
    ///
    /// The request carries it: calls of its interceptors, such as the refresh of a token, are not repetitions.
    package enum Number: UserInfo.Key {
        package static let defaultValue: Int? = nil
    }

    /// Sends the request of a call again, with the client's interceptors, credentials and cache.
    ///
    /// - Parameters:
    ///   - request: The request as the call described it.
    ///   - number: The number of the call.
    ///   - client: The client. The result is a call of its own in the inspector, also if it fails.
    package static func send(_ request: TransportRequest, repeating number: Int, over client: APIClient) async {
        var description = CallDescription(method: RequestMethod(rawValue: request.head.method.rawValue), path: "")
        description.absolute = try? BaseURL.absolute(request.urlString)
        for field in request.head.headerFields {
            let name = field.name.rawName
            description.headers[name] = description.headers[name].map { "\($0), \(field.value)" } ?? field.value
        }
        description.body = request.body
        let call = Call(client: client, decoding: .data) { [description] _ in description }
        _ = try? await call.with { $0.userInfo[Number.self] = number }.status()
    }
}
