// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
package import Simorgh
import SimorghNIO
import SimorghSupport

/// Sends one request and prints the response.
package struct RequestExchange: Sendable {
    let request: RequestDescription
    let console: Console
    /// The queue for standard error, which keeps the order of events.
    let notes: ConsoleQueue

    package init(request: RequestDescription, console: Console) {
        self.request = request
        self.console = console
        notes = ConsoleQueue(console)
    }

    /// Prints the request as a curl command.
    ///
    /// - Parameter accept: The media types to ask for.
    /// - Throws: ``CommandError``.
    package func printCurl(accept: String? = "*/*") async throws {
        let call: Call<Data>
        let wire: TransportRequest
        do {
            call = try self.call(client(certificates: []), accept: accept)
            wire = try await call.makeRequest(.showing, accept: call.decoding.accept).request
        } catch let error as NetworkError {
            throw CommandError(error)
        }
        try console.say(CurlCommand(request, transportRequest: wire).text)
    }

    /// Sends the request and prints the response; throws for an unsuccessful status after printing the body.
    package func run() async throws {
        try await run { client in try await withBar { bar in try await exchange(call(client), bar: bar) } }
    }

    /// Uploads a file so that a later run can resume an interrupted upload.
    ///
    /// - Parameter file: The file's path.
    /// - Throws: ``CommandError``.
    package func runResumable(file: String) async throws {
        try await run { client in
            // The upload sets the header fields itself, because its protocol has fields of its own.
            let client = client.with { $0.interceptors = [] }
            var upload = ResumableUpload(file: file, to: try await wholeURL(client))
            upload.headers = Dictionary(request.fields.map { ($0.name.rawName, $0.value) }) { $1 }
            try await withBar { bar in
                do {
                    let receipt = try await client.upload(upload) { bar.show(sent: $0.sent, total: $0.total) }
                    await bar.finish()
                    if let url = receipt.url { try await ConsoleQueue(console).say(DisplayText.oneLine(url)) }
                } catch let error as NetworkError {
                    throw CommandError(error)
                }
            }
        }
    }

    /// Performs work with a progress bar, which ends even if the work throws.
    private func withBar(_ work: (ProgressBar) async throws -> Void) async throws {
        let bar = ProgressBar(console: console)
        do {
            try await work(bar)
        } catch {
            await bar.finish()
            throw error
        }
        await bar.finish()
    }

    /// Returns the URL with its query.
    private func wholeURL(_ client: APIClient) async throws -> String {
        do {
            return try await call(client).makeRequest(.showing, accept: nil).request.urlString
        } catch let error as NetworkError {
            throw CommandError(error)
        }
    }

    func run(_ work: (APIClient) async throws -> Void) async throws {
        let roots = try request.certificates.map { [try CertificateFile.read($0)] } ?? []
        let files = try await SessionFiles(request, notes: notes)
        let transport = try transport(certificates: roots)
        do {
            let client = client(certificates: roots, files: files, transport: transport)
            try await work(files.oauth.map { try $0.signedIn(client, url: request.url, notes: notes) } ?? client)
        } catch {
            await notes.settled()
            try await files.save()
            throw error
        }
        await notes.settled()
        try await files.save()
    }

    private func exchange(_ call: Call<Data>, bar: ProgressBar) async throws {
        var call = call
        if case .upload = request.body {
            call = call.uploadProgress { bar.show(sent: $0.sent, total: $0.total) }
        }
        let clock = ContinuousClock()
        let start = clock.now
        do {
            let response = try await call.stream()
            await bar.finish()
            await notes.settled()
            let log = ExchangeLog(output: notes)
            if request.cache != nil { await log.showCache(response) }
            let bodyStart = clock.now
            let (count, problem) = try await show(response)
            let end = clock.now
            try await saveETag(of: response)
            if request.isVerbose {
                await log.showBytes(response, body: count)
                await log.showTimings(response, body: end - bodyStart, total: end - start)
            }
            try checkStatus(response.head, problem: problem)
        } catch let error as NetworkError {
            throw CommandError(error)
        }
    }

    /// The command's `User-Agent`.
    package static let userAgent = "simorgh/\(SimorghVersion.current)"

    /// Returns the transport, which resolves names as the command line says.
    private func transport(certificates: [String]) throws -> NIOTransport {
        guard let url = request.connection.dnsOverHTTPS else { return .shared }
        var options = DNSOverHTTPSResolver.Options()
        if !certificates.isEmpty { options.tls.trust = .only(certificates.map { .text($0) }) }
        // As curl does. The pins and the client certificate belong to the host that the command line names.
        options.route = request.connection.route(ProcessInfo.processInfo.environment)
        options.route.unixSocket = nil
        var configuration = NIOTransport.Configuration()
        configuration.resolver = try DNSOverHTTPSResolver(url: url, transport: NIOTransport.shared, options: options)
        return NIOTransport(configuration: configuration)
    }

    private func client(
        certificates: [String], files: SessionFiles = SessionFiles(), transport: NIOTransport = .shared
    ) -> APIClient {
        var configuration = APIClient.Configuration()
        configuration.validation.statusCodes = .any
        configuration.userAgent = nil
        configuration.redirects = .none
        if !certificates.isEmpty { configuration.tls.trust = .only(certificates.map { .text($0) }) }
        configuration.httpVersion = request.httpVersion
        request.connection.apply(to: &configuration.tls)
        configuration.route = request.connection.route(ProcessInfo.processInfo.environment)
        configuration.interceptors = [step] + (files.netrc.map { [files.note(about: $0, to: notes)] } ?? [])
        if request.isVerbose { configuration.networkInterceptors = [log] }
        configuration.cookies = files.cookies
        configuration.hsts = files.hsts
        configuration.caching.httpCache = request.cache?.open()
        if let timeout = request.timeout {
            configuration.timeouts.total = timeout
            // --timeout replaces the other limits.
            configuration.timeouts.head = nil
            configuration.timeouts.idle = nil
        }
        set(&configuration)
        if let netrc = files.netrc { configuration.authentication = .netrc(netrc) }
        return APIClient(configuration: configuration, transport: transport)
    }

    func call(_ client: APIClient, accept: String? = "*/*") throws -> Call<Data> {
        let body: RequestBody
        do {
            body = try request.requestBody()
        } catch {
            throw CommandError(.usage, message: error.message)
        }
        var headers = ["User-Agent": Self.userAgent]
        headers["Accept"] = accept
        return
            client
            .call(request.method, request.url, query: QueryItems(request.query), headers: headers, body: body)
    }

    /// An interceptor that sets the header fields of the command line.
    private var step: Interceptor {
        Interceptor { [request] wire, next in
            var wire = wire
            request.apply(to: &wire.head)
            return try await next(wire)
        }
    }

    /// An interceptor that shows the heads of each attempt as sent and received.
    private var log: Interceptor {
        let log = ExchangeLog(output: notes)
        return Interceptor { wire, next in
            let shown = wire.withUpgradeFields
            await log.show(shown)
            let response: TransportResponse
            do {
                response = try await next(wire)
            } catch let error as TransportError {
                await log.show(error)
                throw error
            }
            await log.showConnection(of: response)
            await log.show(response, to: shown)
            return response
        }
    }

    /// Sets the credentials, retries and redirects of the command line.
    private func set(_ configuration: inout APIClient.Configuration) {
        switch request.credential {
        case .basic(let username, let password):
            configuration.authentication = .basic(username: username, password: password)
        case .digest(let username, let password):
            configuration.authentication = .digest(username: username, password: password)
        case .bearer(let token): configuration.authentication = .bearer(token)
        case .sigV4(let signature): configuration.authentication = signature.authentication
        case nil: break
        }
        if request.retries > 0 {
            var policy = RetryPolicy()
            policy.maximumRetries = request.retries
            configuration.retry = policy
            configuration.logging.onEvent = { [notes] event in
                guard case .retryDecision(let decision) = event, let wait = decision.delay else {
                    return
                }
                notes.noteLater("simorgh: \(decision.reason); trying again in \(wait.shown)")
            }
        }
        configuration.redirects = request.followsRedirects ? .follow : .none
    }

    /// Prints the body.
    ///
    /// - Returns: The number of decoded bytes, and the problem that the body describes.
    private func show(_ response: StreamingResponse) async throws -> (count: Int, problem: ProblemDetails?) {
        if request.method == .head {
            let output = ConsoleQueue(console)
            for line in ExchangeLog.lines(of: response.statusCode, fields: response.headers) {
                try await output.say(line)
            }
        }
        let isSuccess = ProgramStatus(status: response.statusCode) == .success
        let codings = unrequestedCodings(of: response)
        if isSuccess, let path = request.output, path != "-" {
            return (try await save(response, codings: codings, to: path), nil)
        }
        var head = response.head
        let forcesRawOutput = request.output == "-"
        var printer = BodyPrinter(
            console, contentType: response.headers[.contentType], forcesRawOutput: forcesRawOutput)
        let count = try await forEachChunk(of: response, in: codings, isForReading: !forcesRawOutput) { chunk in
            if !isSuccess, head.body.count <= Self.maximumProblemBytes { head.body.append(chunk) }
            try await printer.write(chunk)
        }
        try await printer.finish()
        return (count, isSuccess ? nil : ProblemDetails(head))
    }

    /// The largest body that is searched for problem details, in bytes.
    private static let maximumProblemBytes = 64 * 1024

    private func save(_ response: StreamingResponse, codings: String?, to path: String) async throws -> Int {
        let file = try FileOutput(path)
        let count = try await forEachChunk(of: response, in: codings, isForReading: false) { chunk in
            try await file.write(chunk)
        }
        try await file.commit()
        return count
    }

    /// Passes each chunk of a body to a function.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - codings: The content codings that were not requested and are not decoded.
    ///   - isForReading: True if a terminal should show the body as readable text.
    ///   - use: Takes each chunk.
    /// - Returns: The number of bytes.
    /// - Throws: `CommandError`, `NetworkError`, or an error of `use`.
    private func forEachChunk(
        of response: StreamingResponse, in codings: String?, isForReading: Bool, use: (Data) async throws -> Void
    ) async throws -> Int {
        var chunks = response.chunks.makeAsyncIterator()
        var count = 0
        while true {
            let chunk: Data?
            do {
                chunk = try await chunks.next()
            } catch {
                throw NetworkError(error, method: request.method.rawValue, url: request.url, limit: 0)
            }
            guard let chunk else { return count }
            // A response without a body, such as that to HEAD, may still have `Content-Encoding`.
            if count == 0, !chunk.isEmpty, let codings {
                if isForReading, console.isOutputTerminal {
                    // For an unsuccessful response, the status is the more useful error.
                    try checkStatus(response.head)
                    throw CommandError.unrequestedCodings(codings)
                }
                await warn(of: codings)
            }
            count += chunk.count
            try await use(chunk)
        }
    }

    /// Throws for an unsuccessful status.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - problem: The problem that its body describes. Default: `nil`, the response has its whole body.
    /// - Throws: ``CommandError``.
    func checkStatus(_ response: CollectedResponse, problem: ProblemDetails? = nil) throws(CommandError) {
        let status = ProgramStatus(status: response.statusCode)
        guard status != .success, !(request.comparesETag && response.statusCode == 304) else { return }
        var message = "the server answered \(StatusText.of(response.statusCode))"
        if let problem = problem ?? ProblemDetails(response), !problem.description.isEmpty { message += ": \(problem)" }
        if status == .redirected, let location = response.headers[fields: .location].first?.urlText {
            message += " and points to \(DisplayText.oneLine(Redaction.shown(url: location)))"
            if !request.followsRedirects { message += "; --location follows it" }
        }
        throw CommandError(status, message: message)
    }
}

extension CommandError {
    /// Creates the failure for an error of a call.
    package init(_ error: NetworkError) {
        let status = ProgramStatus(error)
        self.init(status, message: status == .interrupted ? nil : Self.message(of: error))
    }

    /// Returns the description of an error; for a timeout with the option that sets it, instead of the library's
    /// setting.
    private static func message(of error: NetworkError) -> String {
        guard case .urlError(let cause) = error, cause.code == .timedOut, cause.limit != nil else {
            return error.description
        }
        let hint = cause.phase == .total ? " (--timeout)" : "; --timeout sets another limit, for all phases in total"
        return error.description.replacing(cause.phase.setting, with: hint)
    }
}

/// Reads a file of CA certificates.
private enum CertificateFile {
    static func read(_ path: String) throws(CommandError) -> String {
        let text = try TextFile.read(path, of: "--cacert", upTo: 4 * 1024 * 1024)
        guard text.contains("-----BEGIN CERTIFICATE-----") else {
            throw .usage("--cacert \(path): the file contains no PEM certificate")
        }
        return text
    }
}
#endif
