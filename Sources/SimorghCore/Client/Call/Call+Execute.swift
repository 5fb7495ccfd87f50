// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghSupport

extension Call {
    /// The use of a request.
    package enum Purpose: Sendable {
        /// The response body is collected. With `anyStatus`, a response with a rejected status is a value, too.
        case collecting(anyStatus: Bool)
        /// The caller reads the response body as it arrives.
        case streaming
        /// The request is only displayed, not sent.
        case showing
    }

    /// Makes the call: describes the request, sends it, then validates and decodes the response.
    ///
    /// - Parameter decoding: Decodes the response; the call's own decoding or another.
    /// - Returns: The value.
    /// - Throws: ``NetworkError``.
    @concurrent
    package func execute<Value: Sendable>(_ decoding: ResponseDecoding<Value>) async throws(NetworkError) -> Value {
        let reporter = settings.reporter
        let anyStatus = decoding.acceptsAnyStatus
        let gate = settings.state.gate
        guard gate.enter(.call) else { throw refused(reportingTo: reporter) }
        defer { gate.leave(.call) }
        do throws(NetworkError) {
            // One variable, whose parts are used in place: binding them to names of their own would copy both.
            var prepared = try await makeRequest(
                .collecting(anyStatus: anyStatus), accept: decoding.accept, reportingTo: reporter)
            let response: CollectedResponse
            do {
                var answer =
                    if let known = prepared.known.take() { known } else {
                        try await settings.pipeline.send(prepared.request)
                    }
                if !answer.isWhole(upTo: settings.configuration.maximumCollectedBytes) {
                    answer = try await settings.bounded(answer, to: prepared.request, anyStatus: anyStatus)
                }
                response = CollectedResponse(
                    answer, body: answer.body.collectedBytes ?? Data(), to: prepared.request.head,
                    codecs: settings.validCodecs)
            } catch {
                throw settings.failure(error, for: prepared.request)
            }
            if !anyStatus { try settings.validate(response, decodeError: decodeError) }
            await prepared.request.options.progress?.finish()
            let value = try response.decoded(by: decoding.decode, decoder: settings.decoder)
            reporter?.succeeded(
                status: response.statusCode, byteCount: Int64(response.body.count),
                redirects: response.redirects.count)
            return value
        } catch {
            reporter?.failed(error)
            throw error
        }
    }

    /// Makes the request for the network, in the client's scope, and looks up its response in the memory of the cache.
    ///
    /// - Parameters:
    ///   - purpose: The use of the request. For a stream ``Timeouts/total`` applies only if it was set.
    ///   - accept: The `Accept` field of a request that sets none; `nil` adds no field.
    ///   - reporter: The observer of the call.
    /// - Returns: The request, and its response if the cache has it in memory.
    /// - Throws: ``NetworkError``.
    package func makeRequest(
        _ purpose: Purpose, accept: AcceptedTypes?, reportingTo reporter: CallReporter? = nil
    ) async throws(NetworkError) -> (request: TransportRequest, known: TransportResponse?) {
        var description: CallDescription
        do {
            description = try describe(settings)
        } catch {
            throw NetworkError(error, method: "", url: settings.configuration.baseURL ?? "", limit: 0)
        }
        var request: TransportRequest
        let origin: CallContext.Base
        var deadline: Deadline?
        do {
            if description.deferredBody != nil {
                let (timeouts, time) = (settings.options.timeouts, settings.configuration.time)
                let limit =
                    if case .streaming = purpose, !timeouts.isTotalSet { nil as Duration? } else { timeouts.total }
                // The time that a slow disk takes counts towards the call's time limit.
                deadline = limit.map { time.deadline(after: $0) }
                try await description.readFiles(within: deadline, time: time, scope: scope)
            }
            let base = settings.currentBase
            let security = settings.configuration.transportSecurity
            origin = security?.upgraded(base.origin) ?? base.origin
            request = try description.resolved(settings, clientBase: base.url, accept: accept)
            if let security { request = security.upgraded(request) }
            guard !Task.isCancelled else { throw CancellationError() }
        } catch {
            throw NetworkError(
                error, method: description.method.rawValue, url: description.intendedURL(settings), limit: 0)
        }
        switch purpose {
        case .collecting(anyStatus: false), .showing: break
        case .collecting(anyStatus: true): request.options.raiseErrorBodyLimit(settings.configuration)
        case .streaming:
            request.options.delivery = .streamed
            if !request.options.timeouts.isTotalSet { request.options.timeouts.total = nil }
        }
        request.options.scope = scope
        if let observe = uploadObserver(of: request, reporter: reporter) {
            request.options.progress = UploadProgressReporter(observe)
        }
        if let observeInterim { request.options.informational = observeInterim }
        reporter?.started(request)
        if let deadline { request.options.timeouts.shorten(to: deadline.remaining) }
        var known: TransportResponse?
        switch purpose {
        case .showing: break
        default:
            known = try cachedResponseOrAddContext(to: &request, origin: origin, deadline: deadline, reporter: reporter)
        }
        return (request, known)
    }

    /// Returns the response from the memory of the cache, or adds the context that the interceptors need.
    ///
    /// Performance: the context is added last because it would cost a cache hit about 1,500 instructions. For an
    /// observed call the interceptors report cache hits.
    private func cachedResponseOrAddContext(
        to request: inout TransportRequest, origin: CallContext.Base, deadline: Deadline?, reporter: CallReporter?
    ) throws(NetworkError) -> TransportResponse? {
        let pipeline = settings.pipeline
        if reporter == nil {
            do {
                if let known = try pipeline.answerFromMemory?(request) { return known }
            } catch {
                throw settings.failure(error, for: request)
            }
            if pipeline.isPlain { return nil }
        }
        let deadline =
            deadline ?? request.options.timeouts.total.map { settings.configuration.time.deadline(after: $0) }
        request.options.call = settings.context(of: client, for: origin, until: deadline, reportingTo: reporter)
        return nil
    }

    /// The upload progress callback, which notifies the caller, the log, or both; `nil` if neither wants progress.
    private func uploadObserver(
        of request: TransportRequest, reporter: CallReporter?
    ) -> (@Sendable (UploadProgress) -> Void)? {
        guard let log = reporter?.uploadLog(request) else { return observeUpload }
        return { [observeUpload] progress in
            observeUpload?(progress)
            log.note(progress)
        }
    }
}

extension ResponseDecoding {
    /// A decoding that also returns the response that the value was decoded from.
    package var withResponse: ResponseDecoding<CallResponse<Output>> {
        var copy = ResponseDecoding<CallResponse<Output>> { response, decoder in
            CallResponse(value: try response.decoded(by: decode, decoder: decoder), response: response)
        }
        (copy.accept, copy.acceptsAnyStatus) = (accept, acceptsAnyStatus)
        return copy
    }
}

extension CollectedResponse {
    /// Decodes the value of the response and throws every failure as a ``NetworkError``.
    fileprivate func decoded<Value>(
        by decode: (CollectedResponse, JSONDecoder) throws -> Value, decoder: JSONDecoder
    ) throws(NetworkError) -> Value {
        do {
            return try decode(self, decoder)
        } catch let error as NetworkError {
            throw error
        } catch let error as ResponseDecodingError {
            throw .decodingError(error)
        } catch {
            throw .decodingError(ResponseDecodingError(error, type: Value.self, response: self))
        }
    }
}

extension TransportOptions {
    /// Raises the limit for error bodies to the limit for success bodies, for a call that accepts every status.
    fileprivate mutating func raiseErrorBodyLimit(_ configuration: APIClient.Configuration) {
        errorBodyBytes = max(configuration.maximumErrorBodyBytes, configuration.maximumCollectedBytes)
    }
}
