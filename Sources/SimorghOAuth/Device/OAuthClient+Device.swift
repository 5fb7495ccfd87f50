// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore
import SimorghSupport

extension OAuthClient {
    /// Begins a sign-in that the user completes on another device.
    ///
    /// ```swift
    /// let device = try await oauth.authorizeDevice(scopes: ["birds"])
    /// print("Open \(device.verificationURL) and enter \(device.userCode)")
    /// let token = try await oauth.token(for: device)
    /// ```
    /// - Parameters:
    ///   - scopes: The requested scopes.
    ///   - parameters: Further fields, such as the `audience` of some servers.
    /// - Returns: The code and the URL to show to the user.
    /// - Throws: ``OAuthError``; a cancelled task throws `CancellationError`.
    public func authorizeDevice(scopes: [String] = [], parameters: [QueryItem] = []) async throws -> DeviceAuthorization
    {
        guard let url = deviceAuthorizationEndpoint else {
            throw OAuthError.unsupported("the server has no endpoint for signing in on another device")
        }
        let scope = OAuthGrant.text(scopes).map { [QueryItem(name: "scope", value: $0)] } ?? []
        let now = time.now
        // The lifetime begins before the request, so that the code is never considered valid for too long.
        let stopwatch = time.stopwatch()
        let (response, secrets) = try await send(url, fields: scope + parameters)
        let answer = try DeviceResponse(
            status: response.statusCode, body: response.body, secrets: secrets,
            allowsLoopback: EndpointURL.isLoopback(url))
        return DeviceAuthorization(
            userCode: answer.userCode, verificationURL: answer.verificationURL,
            completeVerificationURL: answer.completeURL,
            expiration: now.addingTimeInterval(answer.lifetime / .seconds(1)), deviceCode: answer.deviceCode,
            interval: answer.interval, deadline: time.deadline(after: max(.zero, answer.lifetime - stopwatch.elapsed)))
    }

    /// Waits until the user has completed the sign-in.
    ///
    /// The server is asked at its interval, less often if it asks for that (`slow_down`), with increasing pauses while it
    /// cannot be reached, and a last time when the code expires.
    ///
    /// - Parameter device: The sign-in.
    /// - Returns: The tokens.
    /// - Throws: ``OAuthError`` if the user denied access, or the code has expired; a cancelled task throws
    ///   `CancellationError`.
    public func token(for device: DeviceAuthorization) async throws -> OAuthToken {
        var polling = DevicePolling(interval: device.interval)
        var event: DevicePolling.Event?
        while true {
            switch polling.action(after: event, remaining: device.deadline.remaining) {
            case .expire:
                throw OAuthError(.expired, message: "the sign-in was not completed in time; begin again")
            case .wait(let pause): try await time.sleep(for: pause)
            }
            do {
                return try await token(for: .deviceCode(device.deviceCode))
            } catch let error as OAuthError {
                guard let next = DevicePolling.Event(error) else { throw error }
                event = next
            }
        }
    }
}

extension DevicePolling.Event {
    /// Creates the event for an error; `nil` if it ends the sign-in.
    init?(_ error: OAuthError) {
        switch (error.reason, error.code) {
        case (.rejected, "authorization_pending"): self = .pending
        case (.rejected, "slow_down"): self = .slowDown
        case (.unreachable, _):
            guard (error.underlying as? NetworkError)?.isRetryable == true else { return nil }
            self = .unreachable
        case (.invalidResponse, _) where error.statusCode.map { $0 == 429 || $0 >= 500 } ?? false: self = .unreachable
        default: return nil
        }
    }
}
