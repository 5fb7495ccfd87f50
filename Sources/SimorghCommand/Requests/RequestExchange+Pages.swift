// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
import Simorgh
import SimorghREST
import SimorghSupport

extension RequestExchange {
    /// Sends the request, then requests the next pages that `Link` fields name, and prints all bodies.
    ///
    /// JSON arrays are printed as one array. A page of another origin is not requested.
    ///
    /// - Throws: ``CommandError``; ``OutputError``.
    package func runPages() async throws {
        try await run { client in
            let pages = Pages<CollectedResponse, Never>(try call(client).decoding(.response), by: .linkHeader) { _ in []
            }
            if let path = request.output, path != "-" {
                let file = try FileOutput(path)
                try await read(pages) { bytes, _ in try await file.write(bytes) }
                try await file.commit()
            } else {
                var printer: BodyPrinter?
                try await read(pages) { bytes, type in
                    var current =
                        printer.take()
                        ?? BodyPrinter(console, contentType: type, forcesRawOutput: request.output == "-")
                    try await current.write(bytes)
                    printer = current
                }
                try await printer?.finish()
            }
        }
    }

    private func read(
        _ pages: Pages<CollectedResponse, Never>, write: (Data, _ contentType: String?) async throws -> Void
    ) async throws {
        var join = PageJoin()
        do {
            for try await page in pages {
                await notes.settled()
                let response = page.response
                let type = response.headers[.contentType]
                if ProgramStatus(status: response.statusCode) != .success {
                    // Later, an array is open, which the body would make unreadable.
                    if page.number == 1 {
                        var printer = BodyPrinter(console, contentType: type, forcesRawOutput: request.output == "-")
                        try await printer.write(response.body)
                        try await printer.finish()
                    }
                    try checkStatus(response)
                }
                try await write(join.add(response.body, contentType: type), type)
            }
        } catch let error as NetworkError {
            throw CommandError(error)
        }
        try await write(join.end(), nil)
    }
}
#endif
