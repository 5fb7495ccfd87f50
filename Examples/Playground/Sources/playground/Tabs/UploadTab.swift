// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import Simorgh

// shown: begin
struct UploadFile: NetworkRouter {
    let baseURLString: String
    var path: String { "/upload" }
    var method: RequestMethod? { .post }
}

/// A multipart form with a file, and its progress.
struct UploadTab: Sendable {
    let client = APIClient()

    func upload(_ file: URL, named name: String, note: String, to base: String) -> AsyncThrowingStream<Step, any Error>
    {
        feed { send in
            let call = client.upload(
                UploadFile(baseURLString: base),
                formFields: [
                    .fileURL(name: "file", url: file, fileName: name),
                    .text(name: "note", value: note),
                ])
            for try await event in call.uploadEvents() {
                switch event {
                case .progress(let progress): send(Step(fraction: progress.fraction))
                case .value(let answer): send(Step(fraction: 1, answer: String(decoding: answer, as: UTF8.self)))
                }
            }
        }
    }
}
// shown: end

extension UploadTab {
    struct Step: Encodable, Sendable {
        let fraction: Double
        var answer: String?
    }
}
