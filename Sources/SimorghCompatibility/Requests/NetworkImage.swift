// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghMimeTypes
public import SimorghSupport

/// An undecoded image: its bytes, format and size.
///
/// It works the same on every platform; `UIImage(data: image.data)` and similar initializers decode it.
public struct NetworkImage: Sendable, Hashable {
    /// The width and height of an image in pixels, as stored in the file; an EXIF orientation is ignored.
    public struct PixelSize: Sendable, Hashable {
        /// The width.
        public var width: Int
        /// The height.
        public var height: Int

        /// Creates a size.
        ///
        /// - Parameters:
        ///   - width: The width.
        ///   - height: The height.
        public init(width: Int, height: Int) {
            self.width = width
            self.height = height
        }
    }

    /// The bytes.
    public let data: Data
    /// The format, detected from the bytes.
    public let type: MimeType
    /// The size; `nil` for formats other than PNG, GIF, JPEG, WebP and BMP.
    public let pixelSize: PixelSize?

    /// Creates an image from bytes; returns `nil` if their format is unknown.
    ///
    /// - Parameter data: The bytes.
    public init?(_ data: Data) {
        guard let type = MimeTypeDetector.detectMimeType(from: data), type.mime.hasPrefix("image/") else { return nil }
        self.data = data
        self.type = type
        pixelSize = ImageHeader.size(of: data, type: type.mime)
    }
}
