// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// An observer of calls that also sees requests, responses and bodies; called synchronously, in their order in a call.
package protocol CallObserver: AnyObject, Sendable {
    /// The redaction rules of the events.
    var rules: RedactionRules { get }
    /// A call begins with a request that no interceptor has changed.
    func didStart(_ request: TransportRequest, call: CallContext.ID)
    /// An attempt begins; its request may be changed to have a detailed ``WireRecord``.
    func willSend(_ request: inout TransportRequest, attempt: Int, call: CallContext.ID)
    /// The head of a response was received; returns the response, whose body may now be observed.
    func didReceive(_ response: TransportResponse, attempt: Int, call: CallContext.ID) -> TransportResponse
    /// An attempt ended without a response.
    func didFail(_ error: any Error, attempt: Int, call: CallContext.ID)
    /// An event was reported.
    func didReport(_ event: NetworkEvent)
}
