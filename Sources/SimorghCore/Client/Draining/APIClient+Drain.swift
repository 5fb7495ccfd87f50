// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghSupport

extension APIClient {
    /// Takes no new calls, waits until the running ones have ended, and stops everything else, for a program that ends.
    ///
    /// This is final, and applies to the client and its views: each later call throws a ``NetworkError`` whose
    /// ``NetworkError/underlyingError`` is a ``ClientDrainedError``. Running calls and streams go on, with their
    /// waits, retries and hedged requests, also if they wait in a queue. A call that one of their interceptors makes,
    /// such as the refresh of a token, counts as part of the running call. Meanwhile
    /// - WebSockets and subscriptions that were opened through the client close with 1001; a subscription connection
    ///   waits for the answers to its one-shot requests first;
    /// - download managers that were created with the client close, so that the next manager of a folder resumes its
    ///   downloads;
    /// - event sources end, and can be resumed after the id of their last event. So do GraphQL subscriptions over HTTP,
    ///   without an id.
    ///
    /// Background refreshes of cached responses, and prewarming, are not part of a drain.
    ///
    /// At the end of the time this cancels all work that still runs, and returns without waiting for it. Cancelling the
    /// task ends the time at once. Several drains at the same time share one result; the shortest time applies. Do not
    /// wait for a drain within a call of the same client, which would wait for itself.
    ///
    /// - Parameter time: The longest wait. With zero or less, everything that runs is cancelled at once.
    /// - Returns: A report of the work that was stopped; empty if everything had ended by itself.
    @concurrent
    @discardableResult
    public func drain(within time: Duration) async -> DrainReport {
        let members = gate.begin()
        endlessScope.cancelAll()
        _ = await configuration.time.sleep(for: time, orUntil: { [gate] in await gate.untilEnded(members) })
        gate.end(members) {
            let running = scope
            cancelledRequests = running.requestMembers.map { member in
                let request = member.carried
                return FailureContext(
                    method: request.head.method.rawValue, url: request.urlString,
                    attempts: request.options.call?.attempts ?? 1)
            }
            running.cancelAll()
        }
        await gate.untilReported()
        return DrainReport(gate.outcome, requests: cancelledRequests)
    }

    /// True from the beginning of a drain on.
    public var isDraining: Bool { gate.isDraining }
}

extension Call {
    /// The scope that can cancel all calls of the client that begin now, or all of its event sources.
    var scope: CancellationScope { kind == .eventSource ? client.endlessScope : client.scope }

    /// Returns the error of a call that a draining client refuses, after reporting it to the observer.
    func refused(reportingTo reporter: CallReporter?) -> NetworkError {
        let description = try? describe(settings)
        let context = FailureContext(
            method: description?.method.rawValue ?? "",
            url: description?.intendedURL(settings) ?? settings.configuration.baseURL ?? "", attempts: 0)
        let error = NetworkError.responseError(ResponseError(ClientDrainedError(), context: context))
        reporter?.failed(error)
        return error
    }
}
