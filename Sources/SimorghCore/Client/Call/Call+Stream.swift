// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghSupport

extension Call {
    /// Makes the call and returns as soon as the head of an accepted response has arrived.
    ///
    /// ``Timeouts/total`` applies to a stream only if it was set explicitly; the timeout between chunks always applies.
    ///
    /// - Returns: The response; its body is still arriving.
    /// - Throws: ``NetworkError``. A rejected status is thrown with its body, limited to
    ///   ``APIClient/Configuration/maximumErrorBodyBytes``. If the body is larger,
    ///   ``StreamingError/errorPayloadTooLarge(limitBytes:)`` is the ``NetworkError/underlyingError``, and the response
    ///   keeps the bytes that were read.
    @concurrent
    public func stream() async throws -> StreamingResponse { try await openStream() }

    /// Does the same as ``stream()``, with a typed error.
    @concurrent
    package func openStream() async throws(NetworkError) -> StreamingResponse {
        let reporter = settings.reporter
        guard let pass = settings.state.gate.pass(kind) else {
            throw refused(reportingTo: reporter)
        }
        do throws(NetworkError) {
            let (request, known) = try await makeRequest(.streaming, accept: decoding.accept, reportingTo: reporter)
            do {
                let answer = if let known { known } else { try await settings.pipeline.send(request) }
                guard settings.accepts(answer.head.status.code) else { throw try await refusal(answer, to: request) }
                let head = CollectedResponse(answer, body: Data(), to: request.head, codecs: settings.validCodecs)
                try settings.validateType(head, mayHaveBody: answer.mayHaveBody(request.head.method))
                await request.options.progress?.finish()
                let failed: @Sendable (any Error) -> NetworkError = {
                    [settings, request, last = answer.redirects.last] in settings.failure($0, for: request, after: last)
                }
                let body = reporter?.observing(answer, failure: failed) ?? answer.body
                return StreamingResponse(
                    head: head, chunks: body.mapErrors(until: pass, failed), decoder: settings.decoder,
                    ending: answer.ending)
            } catch {
                throw settings.failure(error, for: request)
            }
        } catch {
            reporter?.failed(error)
            throw error
        }
    }

    /// Returns the error for a rejected stream, with the part of its body that an error may keep.
    private func refusal(_ answer: TransportResponse, to request: TransportRequest) async throws -> NetworkError {
        let limit = settings.configuration.maximumErrorBodyBytes
        let page = try await ErrorBodyReader.read(
            answer.body, upTo: limit, within: min(request.options.timeouts.head ?? .seconds(10), .seconds(10)),
            hasIdleTimeout: request.options.timeouts.idle != nil, time: settings.configuration.time)
        let isTooLarge = page.isTooLarge
        var response = CollectedResponse(answer, body: page.bytes, to: request.head, codecs: settings.validCodecs)
        response.isBodyTruncated = page.isTruncated || isTooLarge
        if isTooLarge {
            return .responseError(
                ResponseError(
                    StreamingError.errorPayloadTooLarge(limitBytes: limit), context: FailureContext(response),
                    response: response))
        }
        do {
            if !decoding.acceptsAnyStatus { try settings.validate(response, decodeError: decodeError) }
            return .customError(response.statusCode, response)
        } catch {
            return error
        }
    }
}

extension TransportResponse {
    /// Returns true if the response can have a body, and therefore a media type to validate.
    fileprivate func mayHaveBody(_ method: HTTPRequest.Method) -> Bool {
        method != .head && ![204, 205, 304].contains(head.status.code) && head.headerFields[.contentLength] != "0"
    }
}
