// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore

/// An extension of every call: it may change the request, observe the exchange and verify the response.
///
/// Actors can conform as well as values. An ``/SimorghCore/Interceptor`` is one function around the rest of the pipeline;
/// a plugin has a numeric priority and an id, so that a call can replace the client's plugin. Its methods run once per
/// call, not for each retry or redirect.
///
/// The order: ``prepare(_:)`` of each plugin, ``willSend(_:)`` of each, the exchange, ``didReceive(_:to:)`` of each,
/// ``verify(_:of:)`` of each, and finally ``didFinish(_:of:)`` of each, or ``wasCancelled(_:)`` of each.
public protocol Plugin: Sendable {
    /// The plugin's identifier; among plugins with the same id, the call's own runs, or else the first.
    nonisolated var id: String { get }
    /// The plugin's position in the order of plugins.
    nonisolated var priority: PluginPriority { get }

    /// Changes the request before anything is sent.
    ///
    /// - Parameter request: The request.
    /// - Throws: Any error; the call fails with it, and nothing is sent.
    func prepare(_ request: inout TransportRequest) async throws

    /// Notifies the plugin of the request after all plugins have prepared it.
    ///
    /// - Parameter request: The request.
    func willSend(_ request: TransportRequest) async

    /// Notifies the plugin of a response with any status; not called if there is no response.
    ///
    /// - Parameters:
    ///   - response: The response. A plugin must not read the body of a stream.
    ///   - request: The request.
    func didReceive(_ response: TransportResponse, to request: TransportRequest) async

    /// Verifies the outcome: a response, or an error thrown by the exchange or by an earlier plugin.
    ///
    /// - Parameters:
    ///   - outcome: The outcome so far.
    ///   - request: The request.
    /// - Throws: Any error; the call fails with it, unless a later plugin throws another.
    func verify(_ outcome: Result<TransportResponse, any Error>, of request: TransportRequest) async throws

    /// Notifies the plugin of the final outcome.
    ///
    /// - Parameters:
    ///   - outcome: The outcome that the rest of the pipeline gets.
    ///   - request: The request.
    func didFinish(_ outcome: Result<TransportResponse, any Error>, of request: TransportRequest) async

    /// Notifies the plugin that the call was cancelled, instead of ``didFinish(_:of:)``.
    ///
    /// - Parameter request: The request.
    func wasCancelled(_ request: TransportRequest) async
}

extension Plugin {
    /// Leaves the request unchanged.
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

/// The built-in plugins.
public enum Plugins {}
