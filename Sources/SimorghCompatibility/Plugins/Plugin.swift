// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore

/// Something that accompanies every call: changes its request, watches it, judges its response.
///
/// An actor conforms as well as a value. Where an ``/SimorghCore/Interceptor`` is one function around the rest of the chain, a plugin
/// has a place by number and a name, so that a call can replace the client's. Its hooks run once for a call, whatever
/// the steps below do: a retry or a redirect is theirs alone.
///
/// In order: ``prepare(_:)`` of each, ``willSend(_:)`` of each, the exchange, ``didReceive(_:to:)`` of each,
/// ``verify(_:of:)`` of each, and at the end ``didFinish(_:of:)`` of each, or ``wasCancelled(_:)`` of each.
public protocol Plugin: Sendable {
    /// Tells plugins apart; of those with one name the call's own runs, and of several the first.
    nonisolated var id: String { get }
    /// Where it stands among the others.
    nonisolated var priority: PluginPriority { get }

    /// Changes the request before anything is sent.
    ///
    /// - Parameter request: The request.
    /// - Throws: Anything; the call ends with it, and nothing is sent.
    func prepare(_ request: inout TransportRequest) async throws

    /// Told of the request as all plugins have prepared it.
    ///
    /// - Parameter request: The request.
    func willSend(_ request: TransportRequest) async

    /// Told of a response, whatever its status; not called where none came.
    ///
    /// - Parameters:
    ///   - response: The response; the body of a stream must be left alone.
    ///   - request: The request.
    func didReceive(_ response: TransportResponse, to request: TransportRequest) async

    /// Judges the outcome: a response, or an error that the exchange or a plugin before this one threw.
    ///
    /// - Parameters:
    ///   - outcome: The outcome so far.
    ///   - request: The request.
    /// - Throws: Anything; the call ends with it, unless a plugin after this one throws another.
    func verify(_ outcome: Result<TransportResponse, any Error>, of request: TransportRequest) async throws

    /// Told of the end.
    ///
    /// - Parameters:
    ///   - outcome: What the rest of the chain is given.
    ///   - request: The request.
    func didFinish(_ outcome: Result<TransportResponse, any Error>, of request: TransportRequest) async

    /// Told that the call was cancelled, instead of ``didFinish(_:of:)``.
    ///
    /// - Parameter request: The request.
    func wasCancelled(_ request: TransportRequest) async
}

extension Plugin {
    /// Leaves the request as it is.
    public func prepare(_ request: inout TransportRequest) async throws {}

    /// Does nothing.
    public func willSend(_ request: TransportRequest) async {}

    /// Does nothing.
    public func didReceive(_ response: TransportResponse, to request: TransportRequest) async {}

    /// Accepts the outcome.
    public func verify(_ outcome: Result<TransportResponse, any Error>, of request: TransportRequest) async throws {}

    /// Does nothing.
    public func didFinish(_ outcome: Result<TransportResponse, any Error>, of request: TransportRequest) async {}

    /// Does nothing.
    public func wasCancelled(_ request: TransportRequest) async {}
}

/// The plugins that the library brings.
public enum Plugins {}
