// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import Simorgh

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Sends one request and shows what comes back.
package struct RequestExchange: Sendable {
    let request: RequestDescription
    let console: Console

    package init(request: RequestDescription, console: Console) {
        self.request = request
        self.console = console
    }

    /// Prints the request as a curl command.
    package func printCurl() throws {
        let call: Call<Data>
        let wire: TransportRequest
        do {
            call = try self.call(certificates: [])
            wire = try call.request()
        } catch let error as NetworkError {
            throw CommandFailure(error)
        }
        try console.say(CurlCommand(request, wire).text)
    }

    /// Sends the request and shows the answer; a status that is no success is thrown after its body was shown.
    package func run() async throws {
        let roots = try request.certificates.map { [try CertificateFile.read($0)] } ?? []
        let call = try call(certificates: roots)
        let clock = ContinuousClock()
        let start = clock.now
        do {
            let response = try await call.stream()
            let log = ExchangeLog(console: console)
            if request.isVerbose { log.show(response) }
            let bodyStart = clock.now
            try await show(response)
            if request.isVerbose {
                log.showTimings(response, body: clock.now - bodyStart, total: clock.now - start)
            }
            try judge(response)
        } catch let error as NetworkError {
            throw CommandFailure(error)
        }
    }

    /// What the command calls itself.
    package static let userAgent = "simorgh/\(SimorghVersion.current)"

    private func call(certificates: [String]) throws -> Call<Data> {
        var configuration = APIClient.Configuration()
        configuration.acceptableStatusCodes = .any
        configuration.userAgent = nil
        configuration.redirects = .none
        configuration.tls.additionalRoots = certificates
        configuration.interceptors = [step]
        let body: RequestBody
        do {
            body = try request.requestBody()
        } catch {
            throw CommandFailure(.usage, error.message)
        }
        let headers = ["Accept": "*/*", "User-Agent": Self.userAgent]
        return APIClient(configuration: configuration)
            .call(request.method, request.url, query: QueryItems(request.query), headers: headers, body: body)
    }

    /// Sets what the command line says of the head and the time, and shows what goes out.
    private var step: Interceptor {
        Interceptor { [request, console] wire, next in
            var wire = wire
            request.apply(to: &wire.head)
            if let timeout = request.timeout {
                wire.options.timeouts.total = timeout
                // The user's limit is the only one that a slow answer meets.
                wire.options.timeouts.head = nil
                wire.options.timeouts.idle = nil
            }
            if request.isVerbose { ExchangeLog(console: console).show(wire) }
            return try await next(wire)
        }
    }

    private func show(_ response: StreamingResponse) async throws {
        if request.method == .head {
            for line in ExchangeLog.lines(of: response) { try console.say(line) }
        }
        let isSuccess = ProgramStatus(status: response.statusCode) == .success
        if isSuccess, let path = request.output, path != "-" {
            try await save(response, to: path)
        } else {
            var printer = BodyPrinter(
                console, contentType: response.headers[.contentType], insists: request.output == "-")
            try await forEachChunk(of: response) { chunk in try printer.write(chunk) }
            try printer.finish()
        }
    }

    private func save(_ response: StreamingResponse, to path: String) async throws {
        let file = try FileOutput(path)
        try await forEachChunk(of: response) { chunk in try file.write(chunk) }
        try file.commit()
    }

    private func forEachChunk(of response: StreamingResponse, _ use: (Data) throws -> Void) async throws {
        var chunks = response.chunks.makeAsyncIterator()
        while true {
            let chunk: Data?
            do {
                chunk = try await chunks.next()
            } catch {
                throw NetworkError(error, method: request.method.rawValue, url: request.url, limit: 0)
            }
            guard let chunk else { return }
            try use(chunk)
        }
    }

    private func judge(_ response: StreamingResponse) throws {
        let status = ProgramStatus(status: response.statusCode)
        guard status != .success else { return }
        var message = "the server answered \(StatusText.of(response.statusCode))"
        if status == .redirected, let location = response.headers[.location] {
            message += " and points to \(location); redirects are not followed"
        }
        throw CommandFailure(status, message)
    }
}

extension CommandFailure {
    /// What an error of a call ends the command with.
    package init(_ error: NetworkError) {
        let status = ProgramStatus(error)
        self.init(status, status == .interrupted ? nil : error.description)
    }
}
