// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore
import SimorghSupport

extension ResponseDecoding where Output == NetworkImage {
    /// Decodes an image of any format that is detected from its bytes.
    public static let image = ResponseDecoding(accept: "image/*") { response, _ in
        guard let image = NetworkImage(response.body) else {
            let message = "The body is not an image of a known format."
            let context = DecodingError.Context(codingPath: [], debugDescription: message)
            throw ResponseDecodingError(
                DecodingError.dataCorrupted(context), type: NetworkImage.self, response: response)
        }
        return image
    }
}

extension Call {
    /// Makes the call and returns the body as an image.
    ///
    /// - Returns: The image.
    /// - Throws: ``/SimorghCore/NetworkError``; if the body is not an image,
    ///   ``/SimorghCore/NetworkError/decodingError(_:)``.
    @concurrent
    public func image() async throws -> NetworkImage {
        try await execute(.image)
    }
}
