// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore
import SimorghSupport

/// A file for a variable of the type `Upload` (GraphQL multipart request specification).
///
/// ```swift
/// let cover = GraphQLUpload.file("/covers/zal.png", at: "cover")
/// let response: GraphQLResponse<JSON> = try await shop.mutate(
///     "mutation ($cover: Upload!) { setCover(cover: $cover) }", uploads: [cover])
/// ```
/// The file is sent in a multipart form beside the operation, and is read as it is sent.
public struct GraphQLUpload: Sendable {
    /// The variable, or the path in the variables such as `input.photos.0`, whose value becomes the file.
    ///
    /// A path has the names that are sent: with a `keyEncodingStrategy` of the client's encoder, those after it.
    public var variable: String
    private let field: @Sendable (_ name: String) -> MultipartFormField

    private init(_ variable: String, field: @escaping @Sendable (String) -> MultipartFormField) {
        self.variable = variable
        self.field = field
    }

    /// Creates an upload of a file.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - variable: The variable, or the path in the variables.
    ///   - fileName: The name to send. Default: the last component of the path.
    ///   - mimeType: The media type. Default: detected from the first bytes and the name.
    /// - Returns: The upload.
    public static func file(
        _ path: String, at variable: String, fileName: String? = nil, mimeType: String? = nil
    ) -> GraphQLUpload {
        GraphQLUpload(variable) { .filePath(name: $0, path: path, fileName: fileName, mimeType: mimeType) }
    }

    /// Creates an upload of bytes in memory.
    ///
    /// - Parameters:
    ///   - data: The bytes.
    ///   - variable: The variable, or the path in the variables.
    ///   - fileName: The name to send.
    ///   - mimeType: The media type. Default: detected from the first bytes and the name.
    /// - Returns: The upload.
    public static func data(
        _ data: Data, at variable: String, fileName: String, mimeType: String? = nil
    ) -> GraphQLUpload {
        GraphQLUpload(variable) { .file(name: $0, data: data, fileName: fileName, mimeType: mimeType) }
    }

    /// Creates an upload of any body, such as a stream.
    ///
    /// - Parameters:
    ///   - body: The body with its media type.
    ///   - variable: The variable, or the path in the variables.
    ///   - fileName: The name to send.
    /// - Returns: The upload.
    public static func body(_ body: RequestBody, at variable: String, fileName: String) -> GraphQLUpload {
        GraphQLUpload(variable) { .part(name: $0, body: body, fileName: fileName) }
    }
}

extension GraphQLUpload {
    /// The largest number of components of a path in the variables.
    private static let maximumDepth = 32

    /// Returns the fields of the form: the operation, the map, then the files in order.
    package static func form(
        _ uploads: [GraphQLUpload], _ content: GraphQLRequestContent, encoder: JSONEncoder
    ) throws(InvalidRequestError) -> [MultipartFormField] {
        let json = try content.variablesJSON(encoder) ?? Data()
        var variables = GraphQLVariablesText(json: json.isEmpty || json == Data("null".utf8) ? Data("{}".utf8) : json)
        var map: [String: JSON] = [:]
        var files: [MultipartFormField] = []
        var paths: Set<String> = []
        for (index, upload) in uploads.enumerated() {
            let path = upload.variable.split(separator: ".", omittingEmptySubsequences: false)
            guard path.count <= maximumDepth, !path.contains("") else {
                throw InvalidRequestError(.invalidJSON, message: "“\(upload.variable)” is not a path in the variables")
            }
            guard paths.insert(upload.variable).inserted else {
                throw InvalidRequestError(.invalidJSON, message: "two files are at “\(upload.variable)”")
            }
            guard variables.setNull(at: path) else {
                throw InvalidRequestError(
                    .invalidJSON, message: "a file cannot be inserted into the variables at “\(upload.variable)”")
            }
            map["\(index)"] = [.string("variables.\(upload.variable)")]
            files.append(upload.field("\(index)"))
        }
        var content = content
        content.variables = variables
        let operation = try content.json(.document, encoder: encoder)
        let list = try RequestBody.json(of: JSON.object(map), with: Coders.encoder)
        return [
            .text(name: "operations", value: String(decoding: operation, as: UTF8.self)),
            .text(name: "map", value: String(decoding: list, as: UTF8.self)),
        ] + files
    }
}
