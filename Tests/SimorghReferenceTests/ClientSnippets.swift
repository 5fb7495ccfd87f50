// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import Simorgh
import SimorghTesting
import SimorghURLSession
import Synchronization
import Testing

@Suite("Reference: the client", .timeLimit(.minutes(5)))
struct ClientSnippets {
    struct PhotoEndpoint: NetworkRouter {
        var baseURLString: String { "https://api.example.com" }
        var path: String { "/photos" }
        var method: RequestMethod? { .post }
    }

    @Test("APIClient accepts the documented arguments")
    func configured() {
        let client = APIClient(
            configuration: .default,  // URLSessionConfiguration
            configurationDelegate: nil,  // optional URLSessionDelegate
            qos: .userInitiated,
            logLevel: .standard,
            defaultCacheStrategy: .useProtocolCachePolicy,
            decoder: JSONDecoder(),
            retryHandler: DefaultRetryHandler(numberOfRetries: 3)
        )
        #expect(client.configuration.logLevel == .standard)
        #expect(client.configuration.cacheStrategy == .useProtocolCachePolicy)
        #expect(client.configuration.retryHandler?.numberOfRetries == 3)
    }

    @Test("cancelAllRequests cancels active requests")
    func cancelled() async throws {
        let gate = Gate()
        let (client, transport) = Reference.client { _ in .status(.ok).held(by: gate) }
        let call = Task { try await client.call(PhotoEndpoint()).data() }
        _ = try await transport.request(at: 0)
        client.cancelAllRequests()
        let error = await #expect(throws: NetworkError.self) { try await call.value }
        #expect(error?.isCancelled == true)
    }

    private static let png = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 0x0D]) + Data("IHDR".utf8)

    @Test("uploadRequest uploads data with progress and a detected media type")
    func upload() async throws {
        let (client, transport) = Reference.client { _ in .json(UploadResponse(ok: true)) }
        let endpoint = PhotoEndpoint()
        let imageData = Self.png
        let shown = Shown()
        let print = { @Sendable (value: Any) in shown(value) }
        // Async/Await
        let response: UploadResponse = try await client.uploadRequest(
            endpoint, withName: "photo", data: imageData
        ) { progress in print("\(Int(progress * 100))%") }
        #expect(response.ok)
        #expect(shown.all.last == "100%")
        let body = String(decoding: transport.requests[0].body, as: UTF8.self)
        #expect(body.contains("name=\"photo\""))
        #expect(body.contains("Content-Type: image/png"))

        // Combine
        var cancellables = Set<AnyCancellable>()
        let published = Shown()
        client.uploadRequest(endpoint, withName: "photo", data: imageData) { shown($0) }
            .sink(receiveCompletion: { published($0) }, receiveValue: { (value: UploadResponse) in published(value) })
            .store(in: &cancellables)
        try await published.wait(for: 2)
        #expect(published.all == ["\(UploadResponse(ok: true))", "finished"])
    }

    @Test("uploadRequest uploads a form with a file and fields")
    func form() async throws {
        let (client, transport) = Reference.client { _ in .json(UploadResponse(ok: true)) }
        let endpoint = PhotoEndpoint()
        let fileData = Data("PK".utf8)
        let shown = Shown()
        let print = { @Sendable (value: Any) in shown(value) }
        let fields: [MultipartFormField] = [
            .file(name: "file", data: fileData, fileName: "archive.zip", mimeType: "application/zip"),
            .text(name: "checksum", value: "abc123"),
            .text(name: "type", value: "document"),
            .text(name: "date", value: "2025-01-01"),
        ]
        // Async/Await
        let response: UploadResponse = try await client.uploadRequest(endpoint, formFields: fields) {
            print("\(Int($0 * 100))%")
        }
        #expect(response.ok)
        let body = String(decoding: transport.requests[0].body, as: UTF8.self)
        for text in [
            "name=\"file\"; filename=\"archive.zip\"", "Content-Type: application/zip", "name=\"checksum\"", "abc123",
            "document", "2025-01-01",
        ] {
            #expect(body.contains(text), "\(text)")
        }
        #expect(
            transport.requests[0].header(.contentType)?.hasPrefix("multipart/form-data; boundary=") == true)

        // Combine
        var cancellables = Set<AnyCancellable>()
        let published = Shown()
        client.uploadRequest(endpoint, formFields: fields) { shown($0) }
            .sink(receiveCompletion: { _ in }, receiveValue: { (value: UploadResponse) in published(value) })
            .store(in: &cancellables)
        try await published.wait(for: 1)
        #expect(published.all == ["\(UploadResponse(ok: true))"])
    }

    @Test("updateConfiguration changes a session's configuration at run time")
    func updated() async throws {
        let client = APIClient(configuration: .default)
        let newConfig = URLSessionConfiguration.default
        newConfig.timeoutIntervalForRequest = 30
        client.updateConfiguration(newConfig)
        #expect(client.configuration.timeouts.head == .seconds(30))
        // The same for the engine, which has no session.
        let engine = APIClient()
        engine.updateConfiguration(newConfig)
        #expect(engine.configuration.timeouts.head == .seconds(30))
    }

    struct StreamEndpoint: NetworkRouter {
        var baseURLString: String { "https://api.example.com" }
        var path: String { "/stream" }
    }

    @Test("A stream is delivered chunk by chunk")
    func stream() async throws {
        let (client, _) = Reference.client { _ in .text("{\"n\":1}\n{\"n\":2}\n") }
        let shown = Shown()
        let render = { @Sendable (chunk: DataChunk) in shown(chunk.n) }
        // Async/Await
        for try await chunk: DataChunk in client.asyncStreamRequest(StreamEndpoint()) {
            render(chunk)
        }
        #expect(shown.all == ["1", "2"])

        // Combine
        var cancellables = Set<AnyCancellable>()
        client.streamRequest(StreamEndpoint())
            .sink(receiveCompletion: { _ in }, receiveValue: { (chunk: DataChunk) in render(chunk) })
            .store(in: &cancellables)
        try await shown.wait(for: 4)
        #expect(shown.all == ["1", "2", "1", "2"])
    }
}
