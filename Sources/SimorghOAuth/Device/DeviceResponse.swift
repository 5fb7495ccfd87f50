// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghSupport

/// The response of a device authorization endpoint (RFC 8628, section 3.2).
struct DeviceResponse: Sendable, Equatable {
    private static let maximumCodeBytes = 8 * 1024
    /// The longest code for a user, in characters.
    private static let maximumUserCode = 64
    /// The longest lifetime of a code, in seconds: a day.
    private static let longestLifetime = 86_400.0
    /// The longest interval between two requests that a server can ask for, in seconds.
    private static let longestInterval = 300.0

    let deviceCode: String
    let userCode: String
    let verificationURL: String
    let completeURL: String?
    let lifetime: Duration
    let interval: Duration

    /// Reads a response.
    ///
    /// - Parameters:
    ///   - status: The status code.
    ///   - body: The body.
    ///   - secrets: The secrets of the request.
    ///   - allowsLoopback: True if the server is on this machine, so that its URLs can be, too.
    /// - Throws: The error of the server, or of a response that is not valid.
    init(status: Int, body: Data, secrets: [String], allowsLoopback: Bool) throws(OAuthError) {
        let body = (try? JSON(parsing: body)) ?? .null
        if let failure = EndpointErrorResponse(body, secrets: secrets) { throw failure.error(status: status) }
        guard status == 200 else { throw .unexplained(status) }
        guard let deviceCode = body["device_code"].string,
            (1...Self.maximumCodeBytes).contains(deviceCode.utf8.count)
        else { throw .invalidResponse("device_code is missing, or longer than 8 KiB", status: status) }
        // The code and the URLs are shown on a terminal, and the user enters the code with any keyboard.
        guard let userCode = body["user_code"].string, (1...Self.maximumUserCode).contains(userCode.utf8.count),
            userCode.utf8.allSatisfy({ (0x20...0x7E).contains($0) })
        else {
            throw .invalidResponse(
                "user_code is missing, is not printable ASCII, or is longer than 64 characters", status: status)
        }
        // The name of a draft, which some servers still use.
        guard let url = body["verification_uri"].string ?? body["verification_url"].string else {
            throw .invalidResponse("verification_uri is missing", status: status)
        }
        completeURL = body["verification_uri_complete"].string
        for url in [url, completeURL] {
            if let url { try EndpointURL.check(url, name: "verification URL", allowsLoopback: allowsLoopback) }
        }
        guard let lifetime = body["expires_in"].double, lifetime > 0 else {
            throw .invalidResponse("expires_in is not a number of seconds", status: status)
        }
        let interval = body["interval"].isNull ? 5 : body["interval"].double
        guard let interval, interval >= 0 else {
            throw .invalidResponse("interval is not a number of seconds", status: status)
        }
        self.deviceCode = deviceCode
        self.userCode = userCode
        verificationURL = url
        self.lifetime = .seconds(min(lifetime, Self.longestLifetime))
        self.interval = .seconds(min(max(interval, 1), Self.longestInterval))
    }
}
