// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghSupport

extension Call {
    /// Makes the call: describes, sends, validates and decodes.
    ///
    /// - Parameter decoding: How the response is read: the call's own way or another.
    /// - Returns: The value, and the response it was read from.
    /// - Throws: ``NetworkError``.
    @concurrent
    package func execute<Value: Sendable>(
        _ decoding: ResponseDecoding<Value>
    ) async throws(NetworkError) -> CallResponse<Value> {
        let record = settings.record
        do throws(NetworkError) {
            // One variable: taken apart, the request would be copied.
            var made = try await makeRequest(accept: decoding.accept, watchedBy: record)
            if decoding.acceptsAnyStatus { made.request.options.keepsLargeErrorBodies(settings.configuration) }
            let response: CollectedResponse
            do {
                var answer: TransportResponse
                if let known = try answerAtOnce(&made.request, made.origin, made.deadline, record) {
                    answer = known
                } else {
                    answer = try await settings.pipeline.send(made.request)
                }
                if !answer.isWhole(upTo: settings.configuration.maximumCollectedBytes) {
                    answer = try await settings.bounded(answer, to: made.request, anyStatus: decoding.acceptsAnyStatus)
                }
                response = CollectedResponse(answer, body: answer.body.collectedBytes ?? Data(), to: made.request.head)
            } catch {
                throw settings.failure(error, made.request)
            }
            if !decoding.acceptsAnyStatus { try settings.validate(response, decodeError) }
            await made.request.options.progress?.finish()
            let value = try decode(response, by: decoding)
            record?.succeeded(
                status: response.statusCode, byteCount: Int64(response.body.count),
                redirects: response.redirects.count)
            return CallResponse(value: value, response: response)
        } catch {
            record?.failed(error)
            throw error
        }
    }

    /// Makes the request for the wire, in the client's scope.
    ///
    /// - Parameters:
    ///   - accept: The `Accept` field of a request that sets none; none for `nil`.
    ///   - isStream: True if the caller reads the body as it arrives. ``Timeouts/total`` then holds only if it was set.
    ///   - record: Watches the call.
    /// - Returns: The request, the origin that credentials are for, and the deadline of a call that has read files already.
    /// - Throws: ``NetworkError``.
    package func makeRequest(
        accept: String?, isStream: Bool = false, watchedBy record: CallRecord? = nil
    ) async throws(NetworkError) -> (request: TransportRequest, origin: CallContext.Base, deadline: Deadline?) {
        var description: CallDescription
        do {
            description = try describe(settings)
        } catch {
            throw NetworkError(error, method: "", url: settings.configuration.baseURL ?? "", limit: 0)
        }
        do {
            var deadline: Deadline?
            if description.lateBody != nil {
                let (timeouts, time) = (settings.options.timeouts, settings.configuration.time)
                let limit = isStream && !timeouts.isTotalSet ? nil : timeouts.total
                // The time that a slow disk takes is part of the call's.
                deadline = limit.map { time.deadline(after: $0) }
                try await description.readFiles(within: deadline, time, client.scope)
            }
            let base = settings.currentBase
            var request = try description.resolved(settings, base.url, accept: accept)
            guard !Task.isCancelled else { throw CancellationError() }
            if isStream {
                request.options.delivery = .streamed
                if !request.options.timeouts.isTotalSet { request.options.timeouts.total = nil }
            }
            request.options.scope = client.scope
            if let observe = uploadObserver(of: request, record) { request.options.progress = UploadMeter(observe) }
            if let observeInterim { request.options.informational = observeInterim }
            record?.started(request)
            if let deadline { request.options.timeouts.shorten(to: deadline.remaining) }
            return (request, base.origin, deadline)
        } catch {
            throw NetworkError(
                error, method: description.method.rawValue, url: description.intendedURL(settings), limit: 0)
        }
    }

    /// Answers a request from the memory of the cache; otherwise gives it the context that the steps need.
    ///
    /// The context comes second: it would cost a hit some 1,500 instructions. The steps report the hits of a watched call.
    func answerAtOnce(
        _ request: inout TransportRequest, _ origin: CallContext.Base, _ deadline: Deadline?, _ record: CallRecord?
    ) throws -> TransportResponse? {
        let pipeline = settings.pipeline
        if record == nil, let answer = try pipeline.answerAtOnce?(request) { return answer }
        guard !pipeline.isPlain || record != nil else { return nil }
        let deadline =
            deadline ?? request.options.timeouts.total.map { settings.configuration.time.deadline(after: $0) }
        request.options.call = settings.context(of: client, for: origin, until: deadline, watchedBy: record)
        return nil
    }

    /// The upload progress callback, which notifies the caller, the log, or both; `nil` if neither wants progress.
    private func uploadObserver(
        of request: TransportRequest, _ record: CallRecord?
    ) -> (@Sendable (UploadProgress) -> Void)? {
        guard let log = record?.uploadLog(request) else { return observeUpload }
        return { [observeUpload] progress in
            observeUpload?(progress)
            log.note(progress)
        }
    }

    private func decode<Value>(
        _ response: CollectedResponse, by decoding: ResponseDecoding<Value>
    ) throws(NetworkError) -> Value {
        do {
            return try decoding.decode(response, settings.decoder)
        } catch let error as NetworkError {
            throw error
        } catch let error as DecodingFailure {
            throw .decodingError(error)
        } catch {
            throw .decodingError(DecodingFailure(error, type: Value.self, response: response))
        }
    }
}

extension TransportOptions {
    /// Keeps the body of an error as the body of a success is kept, for a call that takes every status for a value.
    fileprivate mutating func keepsLargeErrorBodies(_ configuration: APIClient.Configuration) {
        errorBodyBytes = max(configuration.maximumErrorBodyBytes, configuration.maximumCollectedBytes)
    }
}
