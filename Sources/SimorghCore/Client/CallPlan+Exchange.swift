// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghSupport

extension CallPlan {
    /// Describes, sends, validates and decodes: the whole way of a collected call.
    ///
    /// - Parameters:
    ///   - decoding: How the answer is read.
    ///   - finish: Makes what is returned of the value and the response.
    /// - Returns: What was made.
    /// - Throws: ``NetworkError``.
    func exchange<Value: Sendable, Result: Sendable>(
        by decoding: ResponseDecoding<Value>, _ finish: (Value, CollectedResponse) -> Result
    ) async throws(NetworkError) -> Result {
        guard let record = settings.record else {
            return try await exchange(by: decoding, watchedBy: nil, finish)
        }
        do {
            return try await exchange(by: decoding, watchedBy: record, finish)
        } catch {
            record.failed(error)
            throw error
        }
    }

    private func exchange<Value: Sendable, Result: Sendable>(
        by decoding: ResponseDecoding<Value>, watchedBy record: CallRecord?,
        _ finish: (Value, CollectedResponse) -> Result
    ) async throws(NetworkError) -> Result {
        var request = try await request(accept: decoding.accept, watchedBy: record)
        if decoding.acceptsAnyStatus { request.options.keepsLargeErrorBodies(settings.configuration) }
        let chain = settings.chain(for: request)
        let response: CollectedResponse
        do {
            var answer = try await chain(request)
            if !answer.isWhole(upTo: settings.configuration.maximumCollectedBytes) {
                answer = try await bounded(answer, to: request, anyStatus: decoding.acceptsAnyStatus)
            }
            response = CollectedResponse(answer, body: answer.body.collectedBytes ?? Data(), to: request.head)
        } catch {
            throw failure(error, request)
        }
        try validate(response, anyStatus: decoding.acceptsAnyStatus)
        await request.options.progress?.finish()
        let value = try decode(response, by: decoding)
        record?.succeeded(
            status: response.statusCode, byteCount: Int64(response.body.count), redirects: response.redirects.count)
        return finish(value, response)
    }

    /// Returns a response with its body in memory: whole where its status is accepted, else as far as an error keeps it.
    ///
    /// - Parameters:
    ///   - answer: The response, whose body is cut off, larger than the client accepts, or made a stream by a step.
    ///   - request: The request.
    ///   - anyStatus: True if every status is accepted.
    /// - Returns: The response.
    /// - Throws: ``ResponseBody/TooLarge``, or what the transport throws.
    private func bounded(
        _ answer: TransportResponse, to request: TransportRequest, anyStatus: Bool
    ) async throws -> TransportResponse {
        let limit = settings.configuration.maximumCollectedBytes
        let status = answer.head.status.code
        guard !anyStatus, !settings.accepts(status), status >= 300 else {
            if let failure = answer.bodyFailure { throw failure }
            guard !answer.isBodyTruncated else { throw ResponseBody.TooLarge(limit: limit) }
            var answer = answer
            answer.body = ResponseBody(try await answer.body.collect(upTo: limit))
            return answer
        }
        return try await answer.gathered(for: request)
    }

    /// The request for the wire, in the client's scope.
    ///
    /// - Parameters:
    ///   - accept: The field `Accept`, where the call sets none.
    ///   - isStream: Whether it is held to the time of a whole exchange only where somebody set that.
    ///   - record: Who watches the call; `nil` for nobody.
    /// - Returns: The request.
    /// - Throws: ``NetworkError``.
    func request(
        accept: String?, isStream: Bool = false, watchedBy record: CallRecord? = nil
    ) async throws(NetworkError) -> TransportRequest {
        let description = try described()
        // Not through another function that may wait, which costs more than the question.
        if description.lateBody == nil { return try ready(description, accept, record) }
        return try await request(for: description, accept: accept, isStream: isStream, watchedBy: record)
    }

    private func described() throws(NetworkError) -> CallDescription {
        do {
            return try describe(settings)
        } catch {
            throw NetworkError(error, method: "", url: settings.configuration.baseURL ?? "", limit: 0)
        }
    }

    /// The request of a description that waits for no file.
    private func ready(
        _ description: CallDescription, _ accept: String?, _ record: CallRecord?
    ) throws(NetworkError) -> TransportRequest {
        do {
            return try request(for: description, accept, until: nil, record)
        } catch {
            throw failure(error, of: description)
        }
    }

    /// The request of a description that waits for a file.
    private func request(
        for description: CallDescription, accept: String?, isStream: Bool, watchedBy record: CallRecord?
    ) async throws(NetworkError) -> TransportRequest {
        do {
            var description = description
            let timeouts = settings.options.timeouts
            let limit = isStream && !timeouts.isTotalSet ? nil : timeouts.total
            // From here on, since a file may be far away: what it takes is not to be had again.
            let deadline = limit.map { settings.configuration.time.deadline(after: $0) }
            try await description.readFiles(within: deadline, settings.configuration.time, client.scope)
            return try request(for: description, accept, until: deadline, record)
        } catch {
            throw failure(error, of: description)
        }
    }

    private func failure(_ error: any Error, of description: CallDescription) -> NetworkError {
        NetworkError(error, method: description.method.rawValue, url: description.intendedURL(settings), limit: 0)
    }

    private func request(
        for description: CallDescription, _ accept: String?, until deadline: Deadline?, _ record: CallRecord?
    ) throws -> TransportRequest {
        let base = settings.currentBase
        var request = try description.request(settings, base.url, accept: accept)
        guard !Task.isCancelled else { throw CancellationError() }
        request.options.scope = client.scope
        if let observe = observer(of: request, record) { request.options.progress = UploadMeter(observe) }
        if let observeInterim { request.options.informational = observeInterim }
        record?.started(request)
        if !settings.isPlain || record != nil {
            let limit = request.options.timeouts.total
            request.options.call = context(
                until: deadline ?? limit.map { settings.configuration.time.deadline(after: $0) }, base.origin, record)
        }
        if let deadline { request.options.timeouts.shorten(to: deadline.remaining) }
        return request
    }

    /// Whom to tell how far the body has come: the caller, the log, or both; `nil` for nobody.
    private func observer(
        of request: TransportRequest, _ record: CallRecord?
    ) -> (@Sendable (UploadProgress) -> Void)? {
        guard let log = record?.uploadLog(request) else { return observeUpload }
        return { [observeUpload] progress in
            observeUpload?(progress)
            log.note(progress)
        }
    }

    /// What the call's steps share from now on.
    package func context(
        until deadline: Deadline?, _ base: CallContext.Base, _ watcher: (any CallWatcher)? = nil
    ) -> CallContext {
        // Not through a copy of the configuration, which is large.
        CallContext(
            deadline: deadline,
            base: base,
            observe: watcher == nil ? settings.configuration.onEvent : nil,
            watcher: watcher,
            time: settings.configuration.time,
            random: settings.configuration.random,
            owner: client
        )
    }

    /// The error that users see.
    ///
    /// - Parameters:
    ///   - error: What was thrown.
    ///   - request: The request that the call began with.
    ///   - redirection: The last redirect that was followed, where its answer failed later.
    /// - Returns: The error.
    package func failure(
        _ error: any Error, _ request: TransportRequest, _ redirection: Redirection? = nil
    ) -> NetworkError {
        NetworkError(
            error,
            method: redirection?.method ?? request.head.method.rawValue,
            url: redirection?.to ?? request.head.urlString,
            limit: settings.configuration.maximumCollectedBytes,
            attempts: request.options.call?.attempts
        )
    }

    /// Refuses a status or a media type that the client does not accept, a status by the server's own error where
    /// somebody knows it.
    func validate(_ response: CollectedResponse, anyStatus: Bool) throws(NetworkError) {
        guard !anyStatus else { return }
        guard !settings.accepts(response.statusCode) else {
            // Asked here, too: most clients accept every type, and the closure of the second argument copies the response.
            guard settings.configuration.acceptableContentTypes != nil else { return }
            return try validateType(response, mayHaveBody: !response.body.isEmpty)
        }
        var refused = response
        if refused.body.count > settings.configuration.maximumErrorBodyBytes {
            refused.body = refused.body.prefix(max(0, settings.configuration.maximumErrorBodyBytes))
            refused.isBodyTruncated = true
        }
        guard let error = decodeError?(refused) ?? settings.configuration.errorDecoder?(refused) else {
            throw .customError(refused.statusCode, refused)
        }
        throw .responseError(ResponseFailure(error, context: context(refused), response: refused))
    }

    /// Throws if the response may have a body and its media type is not one of the client's `acceptableContentTypes`.
    func validateType(_ response: CollectedResponse, mayHaveBody: @autoclosure () -> Bool) throws(NetworkError) {
        guard let types = settings.configuration.acceptableContentTypes, mayHaveBody() else { return }
        guard let type = response.headers[.contentType] else {
            throw .validation(reason: "the body has no Content-Type, and one of \(types) is wanted", response)
        }
        guard types.contains(where: { MediaTypePattern.matches(type, $0) }) else {
            throw .validation(reason: "the body is \(type), and one of \(types) is wanted", response)
        }
    }

    private func decode<Value: Sendable>(
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

    func context(_ response: CollectedResponse) -> FailureContext {
        FailureContext(method: response.method, url: response.url, attempts: response.attempts)
    }
}

extension TransportOptions {
    /// Keeps the body of an error as the body of a success is kept, for a call that takes every status for a value.
    fileprivate mutating func keepsLargeErrorBodies(_ configuration: APIClient.Configuration) {
        errorBodyBytes = max(configuration.maximumErrorBodyBytes, configuration.maximumCollectedBytes)
    }
}
