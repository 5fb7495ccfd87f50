// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes

/// What a ``Call`` is but for how its answer is read: a client, an endpoint and settings.
///
/// On its own, so that to read an answer in another way makes no other call, and what all calls have in common is
/// compiled once.
package struct CallPlan: Sendable {
    package let client: APIClient
    package var settings: APIClient.Settings
    package var describe: @Sendable (APIClient.Settings) throws(InvalidRequest) -> CallDescription
    /// The endpoint's own reading of a refused response.
    package var decodeError: (@Sendable (CollectedResponse) -> (any Error)?)?
    /// Who wants to know how far the body of the request has come.
    package var observeUpload: (@Sendable (UploadProgress) -> Void)?
    /// Who wants to know of interim responses; called on the connection's loop.
    package var observeInterim: (@Sendable (HTTPResponse) -> Void)?

    init(
        client: APIClient,
        settings: APIClient.Settings,
        describe: @escaping @Sendable (APIClient.Settings) throws(InvalidRequest) -> CallDescription
    ) {
        self.client = client
        self.settings = settings
        self.describe = describe
    }
}
