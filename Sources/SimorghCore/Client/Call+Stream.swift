// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghSupport

extension Call {
    /// Makes the call and returns as soon as the head of an accepted response has arrived.
    ///
    /// ``Timeouts/total`` does not hold for a stream unless somebody set it; the timeout between chunks does.
    ///
    /// - Returns: The response, its body still arriving.
    /// - Throws: ``NetworkError``; a status that is not accepted is thrown with its body, read up to
    ///   ``APIClient/Configuration/maximumErrorBodyBytes``; past that ``StreamingError/errorPayloadTooLarge(limitBytes:)``
    ///   is the ``NetworkError/underlyingError``, and the response keeps what was read.
    @concurrent
    public func stream() async throws -> StreamingResponse { try await openStream() }

    /// As ``stream()``, with the type of the error.
    @concurrent
    package func openStream() async throws(NetworkError) -> StreamingResponse {
        guard let record = settings.record else { return try await stream(watchedBy: nil) }
        do {
            return try await stream(watchedBy: record)
        } catch {
            record.failed(error)
            throw error
        }
    }

    private func stream(watchedBy record: CallRecord?) async throws(NetworkError) -> StreamingResponse {
        var request = try await request(isStream: true, watchedBy: record)
        request.options.delivery = .streamed
        if !request.options.timeouts.isTotalSet {
            request.options.timeouts.total = nil
            if let call = request.options.call { request.options.call = plan.context(until: nil, call.base, record) }
        }
        let chain = settings.chain(for: request)
        do {
            let answer = try await chain(request)
            guard settings.accepts(answer.head.status.code) else {
                throw try await refusal(answer, request)
            }
            let head = CollectedResponse(answer, body: Data(), to: request.head)
            try plan.validateType(head, mayHaveBody: answer.mayHaveBody(request.head.method))
            await request.options.progress?.finish()
            let failed: @Sendable (any Error) -> NetworkError = { [request, last = answer.redirects.last] in
                plan.failure($0, request, last)
            }
            let body = record?.watching(answer, failure: failed) ?? answer.body
            return StreamingResponse(
                head: head,
                chunks: body.mapErrors(failed),
                decoder: settings.decoder,
                ending: answer.ending
            )
        } catch {
            throw plan.failure(error, request)
        }
    }

    /// The error of a refused stream, with as much of its body as an error may keep.
    private func refusal(_ answer: TransportResponse, _ request: TransportRequest) async throws -> NetworkError {
        let limit = settings.configuration.maximumErrorBodyBytes
        let page = try await RefusedPage.read(
            answer.body, upTo: limit, within: min(request.options.timeouts.head ?? .seconds(10), .seconds(10)),
            isSilenceBounded: request.options.timeouts.idle != nil, settings.configuration.time)
        let isTooLarge = page.isTooLarge
        var response = CollectedResponse(answer, body: page.bytes, to: request.head)
        response.isBodyTruncated = page.isTruncated || isTooLarge
        if isTooLarge {
            return .responseError(
                ResponseFailure(
                    StreamingError.errorPayloadTooLarge(limitBytes: limit), context: plan.context(response),
                    response: response))
        }
        do {
            try plan.validate(response, anyStatus: decoding.acceptsAnyStatus)
            return .customError(response.statusCode, response)
        } catch {
            return error
        }
    }
}

extension TransportResponse {
    /// Whether there may be a body for a media type to be told of.
    fileprivate func mayHaveBody(_ method: HTTPRequest.Method) -> Bool {
        method != .head && ![204, 205, 304].contains(head.status.code) && head.headerFields[.contentLength] != "0"
    }
}
