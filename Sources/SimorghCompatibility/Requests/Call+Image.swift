// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore
import SimorghSupport

extension ResponseDecoding where Output == NetworkImage {
    /// An image of any format that is known by its bytes.
    public static let image = ResponseDecoding(accept: "image/*") { response, _ in
        guard let image = NetworkImage(response.body) else {
            let message = "The bytes are no image that is known."
            let context = DecodingError.Context(codingPath: [], debugDescription: message)
            throw DecodingFailure(DecodingError.dataCorrupted(context), type: NetworkImage.self, response: response)
        }
        return image
    }
}

extension Call {
    /// Makes the call and gives the body as an image.
    ///
    /// - Returns: The image.
    /// - Throws: ``/SimorghCore/NetworkError``; what is no image is a ``/SimorghCore/NetworkError/decodingError(_:)``.
    @concurrent
    public func image() async throws -> NetworkImage {
        try await execute(.image)
    }
}
