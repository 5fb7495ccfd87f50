// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Crypto
import HTTPTypes
import SimorghCore
import SimorghSupport
import Synchronization

/// One run of a resumable upload: performs the actions of the state machine and reports the results to it.
struct ResumableUploadRunner {
    typealias Action = ResumableUploadStateMachine.Action

    /// The result of a request.
    enum Answer {
        case response(CollectedResponse)
        /// A transient network error.
        case lost(TransportError)
    }

    let client: APIClient
    let upload: ResumableUpload
    let reporter: UploadProgressReporter
    let dialect: ResumableUploadProtocol
    let endpoint: String
    let path: String
    let key: String

    private(set) var identity: FileIdentity
    var machine: ResumableUploadStateMachine
    /// The URL of the upload resource on the server.
    private(set) var resourceURL: String?
    /// The error of the last failed or rejected request.
    private(set) var failure: NetworkError?
    private(set) var last: CollectedResponse?
    private(set) var sent: Int64 = 0

    init(_ upload: ResumableUpload, site: Site, client: APIClient, reporter: UploadProgressReporter) async throws {
        self.client = client
        self.upload = upload
        self.reporter = reporter
        dialect = ResumableUploadProtocol(style: upload.style)
        (path, endpoint, key) = (site.path, site.endpoint, site.key.text)
        identity = try await FileIdentity.read(at: path)
        machine = ResumableUploadStateMachine(
            length: identity.size, chunkSize: upload.chunkSize, completesBySending: upload.style == .draft,
            retries: upload.retries, delay: upload.retryDelay, maximumDelay: upload.maximumRetryDelay)
        guard let record = try await upload.store.record(for: key) else { return }
        // Never mix the bytes of two files: for a changed file the upload resource of the server is useless.
        guard record.file == identity, Self.isAllowed(record.url, from: endpoint, upload: upload) else {
            try await upload.store.remove(key)
            return
        }
        resourceURL = record.url
        machine.didCreateResource(earlier: true)
    }

    static func isAllowed(_ url: String, from endpoint: String, upload: ResumableUpload) -> Bool {
        // A record without a valid URL is useless.
        guard let location = UploadLocation(url, from: endpoint), location.url == url else { return false }
        return location.isSameOrigin || upload.allowsOtherOrigins
    }

    mutating func run() async throws -> ResumableUpload.Receipt {
        var actions = [machine.start()]
        while !actions.isEmpty {
            switch actions.removeFirst() {
            case .create: actions += try await create()
            case .requestOffset: actions += try await requestOffset()
            case .send(let offset, let count): actions += try await send(count, from: offset)
            case .wait(let delay):
                // Jitter, so that not all clients retry at the same time.
                try await client.configuration.time.sleep(for: delay * Double.random(in: 0.75...1))
                actions.append(machine.didWait())
            case .forget:
                resourceURL = nil
                try await upload.store.remove(key)
            case .abandon: resourceURL = nil
            case .finish: return try await finish()
            case .fail: throw failure ?? .unknown
            }
        }
        throw failure ?? .unknown
    }

    private mutating func finish() async throws -> ResumableUpload.Receipt {
        guard let last else { throw NetworkError.unknown }
        try await upload.store.remove(key)
        await reporter.finish()
        return ResumableUpload.Receipt(url: resourceURL, length: machine.length, sent: sent, response: last)
    }

    // MARK: Steps

    private mutating func create() async throws -> [Action] {
        let withBytes = upload.style == .draft || upload.createsWithUpload
        let count = withBytes ? machine.count(from: 0) : nil
        let name = String(path.utf8.split(separator: UInt8(ascii: "/")).last ?? path.utf8[...]) ?? path
        let type = await contentType()
        let message = dialect.creation(
            of: upload, length: machine.length, count: count, type: type ?? "application/octet-stream", fileName: name)
        var call = call(
            .post, url: nil, headers: message.headers,
            body: body(from: 0, count: count ?? 0, type: message.contentType, isEmpty: count == nil))
        let (answer, savedURL) = try await savingLocations(&call)
        if let savedURL { useResource(at: savedURL) }
        switch answer {
        case .lost(let error):
            // Without an upload resource, it is unknown if the server accepted the whole file, and it must not get it
            // twice.
            if resourceURL == nil, count == machine.length, error.requestMayHaveBeenSent {
                throw NetworkError.urlError(error)
            }
            return try await lost(error)
        case .response(let response):
            last = response
            guard (200..<300).contains(response.statusCode) else {
                if resourceURL == nil, count == machine.length, mayHaveProcessed(response) {
                    throw NetworkError.customError(response.statusCode, response)
                }
                return try await handleRejection(response)
            }
            if upload.style == .draft, count != machine.length, savedURL == nil,
                !dialect.isSupported(in: response.headers)
            {
                throw refused(
                    "the server does not support resumable uploads and treated the first part as the whole file",
                    response: response)
            }
            sent += min(count ?? 0, dialect.number("Upload-Offset", in: response.headers) ?? count ?? 0)
            if upload.style == .draft, count == machine.length, dialect.isComplete(response.headers) != false {
                return try await checked(machine.didComplete())
            }
            if let location = ResumableUploadProtocol.location(response.headers) {
                try await saveLocation(location, response: response)
            }
            guard resourceURL != nil else {
                throw refused("the response to the creation of the upload has no Location", response: response)
            }
            try applyLimits(response.headers, response: response)
            let offset = dialect.number("Upload-Offset", in: response.headers) ?? (upload.style == .draft ? count : nil)
            failure = refused("the server has \(offset ?? 0) bytes of \(machine.length)", response: response)
            // The server reports more bytes than it was sent: ask for the offset again.
            if let offset, offset > count ?? 0 { return machine.didConflict() }
            return try await checked(machine.didReportOffset(offset ?? 0))
        }
    }

    private mutating func requestOffset() async throws -> [Action] {
        switch try await perform(call(.head, url: resourceURL, headers: dialect.plain, body: .empty)) {
        case .lost(let error): return try await lost(error)
        case .response(let response):
            last = response
            guard (200..<300).contains(response.statusCode) else {
                if isMissing(response) {
                    failure = .customError(response.statusCode, response)
                    return machine.didLoseResource(isCertain: false)
                }
                return try await handleRejection(response)
            }
            if let length = dialect.number("Upload-Length", in: response.headers), length != machine.length {
                failure = refused("the server's upload has \(length) bytes, not \(machine.length)", response: response)
                return machine.didLoseResource()
            }
            if dialect.isComplete(response.headers) == true { return try await checked(machine.didComplete()) }
            guard let offset = dialect.number("Upload-Offset", in: response.headers) else {
                throw refused("the response has no Upload-Offset", response: response)
            }
            try applyLimits(response.headers, response: response)
            failure = refused("the server has \(offset) bytes of \(machine.length)", response: response)
            let action = machine.didReportOffset(offset)
            if case .send = action { reporter.sent(offset, of: machine.length) }
            return try await checked(action)
        }
    }

    private mutating func send(_ count: Int64, from offset: Int64) async throws -> [Action] {
        let isLast = offset + count == machine.length
        var message = dialect.chunk(at: offset, isLast: isLast)
        if upload.style == .tus, upload.sendsChecksums {
            message.headers["Upload-Checksum"] = "sha1 \(Base64.text(try await checksum(from: offset, count: count)))"
        }
        let body = body(from: offset, count: count, type: message.contentType, isEmpty: false)
        switch try await perform(call(.patch, url: resourceURL, headers: message.headers, body: body)) {
        case .lost(let error): return try await lost(error)
        case .response(let response):
            last = response
            guard (200..<300).contains(response.statusCode) else { return try await handleRejection(response) }
            let reached = dialect.number("Upload-Offset", in: response.headers) ?? offset + count
            guard reached <= offset + count else {
                failure = refused("the server reports \(reached) bytes, more than were sent", response: response)
                return machine.didConflict()
            }
            sent += max(0, min(count, reached - offset))
            if upload.style == .draft, isLast, dialect.isComplete(response.headers) != false {
                return try await checked(machine.didComplete())
            }
            failure = refused(
                "the server has \(reached) bytes of \(machine.length) and accepted no more", response: response)
            return try await checked(machine.didAccept(upTo: reached))
        }
    }

    // MARK: Responses

    /// Returns the action of the state machine, unless the file has changed: then the upload starts again.
    private mutating func checked(_ action: Action) async throws -> [Action] {
        guard await !identity.matchesMetadata(path) else { return [action] }
        identity = try await FileIdentity.read(at: path)
        failure = .invalidRequest(
            InvalidRequestError(.unreadableFile, message: "\(path) changed during the upload"),
            FailureContext(method: "POST", url: endpoint, attempts: 1))
        return machine.didChangeFile(length: identity.size)
    }

    private mutating func lost(_ error: TransportError) async throws -> [Action] {
        failure = .urlError(error)
        return try await checked(machine.didFail())
    }

    /// Returns the actions for a response that is not a success.
    private mutating func handleRejection(_ response: CollectedResponse) async throws -> [Action] {
        failure = .customError(response.statusCode, response)
        switch response.statusCode {
        case 409 where resourceURL != nil, 460 where resourceURL != nil: return machine.didConflict()
        case 404 where resourceURL != nil, 410 where resourceURL != nil: return machine.didLoseResource()
        case 408, 423, 425, 429,
            500...599 where response.statusCode != 501 && response.statusCode != 505:
            return try await checked(machine.didFail(after: retryAfter(response)))
        default: throw NetworkError.customError(response.statusCode, response)
        }
    }

    /// Returns true for a 403 to HEAD, which can mean that the server does not have the upload.
    ///
    /// See tus 1.0, "Core Protocol".
    ///
    /// It can also mean that the credentials are invalid. Then the creation is rejected, too, and the record is kept
    /// for the time when the credentials are valid again.
    private func isMissing(_ response: CollectedResponse) -> Bool {
        upload.style == .tus && response.statusCode == 403
            && dialect.number("Upload-Offset", in: response.headers) == nil
    }

    /// Returns true if a request that failed with this response may have been processed anyway.
    private func mayHaveProcessed(_ response: CollectedResponse) -> Bool {
        response.statusCode == 408 || (500..<600).contains(response.statusCode) && response.statusCode != 503
    }

    private func retryAfter(_ response: CollectedResponse) -> Duration? {
        response.headers[.retryAfter].flatMap { RetryAfter.delay($0, now: client.configuration.time.now) }
    }

    private func refused(_ reason: String, response: CollectedResponse) -> NetworkError {
        .validation(reason: reason, response)
    }

    private mutating func applyLimits(_ fields: HTTPFields, response: CollectedResponse) throws {
        if let maximum = dialect.limit("max-size", in: fields), maximum < machine.length {
            throw refused(
                "the server accepts at most \(maximum) bytes, but the file has \(machine.length)", response: response)
        }
        if let maximum = dialect.limit("max-append-size", in: fields), maximum > 0 {
            machine.chunkSize = min(machine.chunkSize ?? maximum, maximum)
        }
        if let minimum = dialect.limit("min-append-size", in: fields), let size = machine.chunkSize {
            machine.chunkSize = max(size, minimum)
        }
    }

    // MARK: Upload resources

    private mutating func useResource(at url: String) {
        resourceURL = url
        machine.didCreateResource()
    }

    private mutating func saveLocation(_ location: String, response: CollectedResponse) async throws {
        guard let found = found(location, at: response.url) else {
            throw refused("the server's Location is not a valid URL", response: response)
        }
        guard found.isSameOrigin || upload.allowsOtherOrigins else {
            throw refused(
                "the server's Location is on another origin, which this upload does not allow", response: response)
        }
        guard found.url != resourceURL else { return }
        try await upload.store.save(UploadRecord(url: found.url, file: identity), for: key)
        useResource(at: found.url)
    }

    /// Resolves a `Location` against the URL of its response, and compares its origin with the endpoint's.
    private func found(_ location: String, at url: String) -> UploadLocation? {
        UploadLocation(location, from: url).flatMap { UploadLocation($0.url, from: endpoint) }
    }

    /// Makes a call, and saves the URL of the upload resource as soon as an interim response contains it.
    private func savingLocations(
        _ call: inout Call<CollectedResponse>
    ) async throws -> (Answer, url: String?) {
        guard upload.style == .draft else { return (try await perform(call), nil) }
        let (locations, continuation) = AsyncStream.makeStream(
            of: UploadLocation?.self, bufferingPolicy: .bufferingOldest(4))
        // An interim response does not name its request. Requests are sequential, so it belongs to the latest one.
        let latest = LatestRequest(endpoint)
        call = call.with { configuration in
            configuration.networkInterceptors.append(
                Interceptor { request, next in
                    latest.url.withLock { $0 = request.urlString }
                    return try await next(request)
                })
        }
        call.observeInterim = { [self] response in
            guard response.status.code == 104, let location = ResumableUploadProtocol.location(response.headerFields)
            else { return }
            continuation.yield(found(location, at: latest.url.withLock { $0 }))
        }
        async let savedURL = save(locations)
        let answer: Answer
        do {
            answer = try await perform(call)
        } catch {
            continuation.finish()
            _ = try await savedURL
            throw error
        }
        continuation.finish()
        return (answer, try await savedURL)
    }

    private func save(_ locations: AsyncStream<UploadLocation?>) async throws -> String? {
        var last: String?
        for await found in locations {
            guard let found, found.isSameOrigin || upload.allowsOtherOrigins else { continue }
            try await upload.store.save(UploadRecord(url: found.url, file: identity), for: key)
            last = found.url
        }
        return last
    }

    /// The URL of the latest request.
    private final class LatestRequest: Sendable {
        let url: Mutex<String>

        init(_ url: String) { self.url = Mutex(url) }
    }

    // MARK: Requests

    private func contentType() async -> String? {
        if let type = upload.contentType { return type }
        let path = path
        return await FileQueue.run { MimeTypeDetector.detectMimeType(fromFile: path)?.mime }
    }

    private func body(from offset: Int64, count: Int64, type: String?, isEmpty: Bool) -> RequestBody {
        guard !isEmpty else { return .empty }
        let path = path
        let body = RequestBody(
            content: .chunks { FileChunks(path: path, offset: offset, length: count).makeAsyncIterator() },
            contentType: type, length: count, replayability: .seekable)
        return body.counted(by: reporter, from: offset, total: machine.length)
    }

    private func checksum(from offset: Int64, count: Int64) async throws -> [UInt8] {
        // tus uses SHA-1 to detect accidental damage, not attacks.
        var hash = Insecure.SHA1()
        for try await chunk in FileChunks(path: path, offset: offset, length: count) { hash.update(data: chunk) }
        return Array(hash.finalize())
    }

    private func call(
        _ method: RequestMethod, url: String?, headers: [String: String], body: RequestBody
    ) -> Call<CollectedResponse> {
        client.call(of: upload, method: method, url: url, headers: headers, body: body)
    }

    private func perform(_ call: Call<CollectedResponse>) async throws(NetworkError) -> Answer {
        do throws(NetworkError) {
            return .response(try await call.result().get())
        } catch {
            guard case .urlError(let cause) = error, error.isRetryable || cause.code == .requestBodyStreamExhausted
            else {
                throw error
            }
            return .lost(cause)
        }
    }
}
