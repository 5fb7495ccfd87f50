// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghMimeTypes
public import SimorghSupport

/// An image as it came: its bytes, its format, and how large it is.
///
/// Nothing is drawn, so it is the same on every system; `UIImage(data: image.data)` and its like take it from here.
public struct NetworkImage: Sendable, Hashable {
    /// How wide and how high an image is, in pixels, as its file says: a camera's wish to have it turned is not looked at.
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
    /// The format, told by the bytes.
    public let type: MimeType
    /// The size; `nil` for formats other than PNG, GIF, JPEG, WebP and BMP.
    public let pixelSize: PixelSize?

    /// Looks at an image.
    ///
    /// - Parameter data: The bytes; `nil` is given back for those of no known format.
    public init?(_ data: Data) {
        guard let type = MimeTypeDetector.detectMimeType(from: data), type.mime.hasPrefix("image/") else { return nil }
        self.data = data
        self.type = type
        pixelSize = ImageHeader.size(of: data, type: type.mime)
    }
}
