// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Who watches one call for those who want to know of it: the log, the events, the user's function.
package protocol CallWatcher: AnyObject, Sendable {
    /// The call's number.
    var id: CallContext.ID { get }

    /// Told what a step decided.
    ///
    /// - Parameter event: Makes the event for an observer who may see as much as the rules let him.
    func report(_ event: (RedactionRules) -> NetworkEvent)

    /// Told that a request goes to the transport, as it is with all that the steps have added.
    func willSend(_ request: TransportRequest, attempt: Int)

    /// Told of the head of a response; its body may be watched from now on.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - request: The request.
    ///   - attempt: Which attempt it was.
    /// - Returns: The response, its body as before.
    func didReceive(_ response: TransportResponse, to request: TransportRequest, attempt: Int) -> TransportResponse

    /// Told of an attempt without an answer.
    func didFail(_ error: any Error, _ request: TransportRequest, attempt: Int)
}
