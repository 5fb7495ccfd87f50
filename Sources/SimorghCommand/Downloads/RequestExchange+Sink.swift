// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
import Simorgh
import SimorghSupport

extension RequestExchange {
    /// Downloads a file to standard output or a device, over one connection and without resuming.
    ///
    /// - Parameters:
    ///   - job: The download.
    ///   - sink: The destination.
    /// - Throws: ``CommandError`` if the file is not complete and valid. The body of an unsuccessful response is not
    ///   written.
    package func runDownload(_ job: DownloadJob, to sink: DownloadJob.Sink) async throws {
        try await run { client in
            let client = client.with { configuration in
                configuration.headers["Accept-Encoding"] = "identity"
                configuration.headers["Cache-Control"] = "no-transform"
                configuration.timeouts.total = nil
                (configuration.timeouts.head, configuration.timeouts.idle) = (.seconds(60), .seconds(60))
            }
            let isMixed = sink == .standardOutput && console.isOutputTerminal
            let bar = ProgressBar(console: console, isShown: console.showsPictures && !isMixed)
            do {
                let response = try await call(client).stream()
                let entity = try whole(response)
                switch sink {
                case .standardOutput:
                    let output = ConsoleQueue(console)
                    try await copyBody(response, entity: entity, job: job, bar: bar) { chunk in
                        try await output.write { console throws(OutputError) in try console.output.write(chunk) }
                    }
                case .device(let path):
                    let file = try FileOutput(path)
                    try await copyBody(response, entity: entity, job: job, bar: bar) { chunk in
                        try await file.write(chunk)
                    }
                    try await file.commit()
                }
            } catch {
                await bar.finish()
                guard let error = error as? NetworkError else { throw error }
                throw CommandError(error)
            }
            await bar.finish()
        }
    }

    /// Returns the file that the response carries, or throws if it carries none.
    private func whole(_ response: StreamingResponse) throws -> RemoteFileVersion {
        let decision = ResumeDecision(
            .init(), status: response.statusCode, fields: response.headers, url: response.url, now: Date())
        switch decision {
        case .restart(let entity): return entity
        case .fail(let error): throw CommandError(error)
        case .wait(let status, let delay):
            let hint = DownloadBackoff(DownloadRetryPolicy()).refusal(of: delay).map { "; " + $0 } ?? ""
            throw CommandError(
                ProgramStatus(status: status), message: "the server answered \(StatusText.of(status))\(hint)")
        default: throw CommandError(DownloadError.httpStatus(response.statusCode))
        }
    }

    private func copyBody(
        _ response: StreamingResponse, entity: RemoteFileVersion, job: DownloadJob, bar: ProgressBar,
        write: (Data) async throws -> Void
    ) async throws {
        let wanted = (job.digest.map { [$0] } ?? []) + (entity.coding == nil ? entity.digests : [])
        var hasher = FileHasher(Set(wanted.map(\.algorithm)))
        var budget = ByteTokenBucket(bytesPerSecond: job.bytesPerSecond)
        let start = ContinuousClock.now
        // A body that is decoded here has another length than `Content-Length`.
        let total = entity.coding == nil ? entity.total : nil
        var count: Int64 = 0
        var chunks = response.chunks.makeAsyncIterator()
        while true {
            let chunk: Data?
            do {
                chunk = try await chunks.next()
            } catch {
                throw NetworkError(error, method: request.method.rawValue, url: request.url, limit: 0)
            }
            guard let chunk else { break }
            count += Int64(chunk.count)
            chunk.withUnsafeBytes { hasher.update($0) }
            try await write(chunk)
            bar.show(sent: count, total: total)
            let delay = budget.take(chunk.count, at: ContinuousClock.now - start)
            if delay > .zero { try await Task.sleep(for: delay) }
        }
        for expected in wanted {
            guard let found = hasher.digests.first(where: { $0.algorithm == expected.algorithm }), found != expected
            else { continue }
            throw CommandError(DownloadError.digestMismatch(expected: expected, found: found))
        }
    }
}
#endif
