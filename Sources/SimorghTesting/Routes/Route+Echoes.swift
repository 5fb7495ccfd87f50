// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghSupport

extension Route {
    /// Routes that echo the request in the format of httpbin.
    package static let echoes: [Route] =
        [HTTPRequest.Method.get, .post, .put, .patch, .delete].map { method in
            Route(method, path: "/\(method.rawValue.lowercased())") { .json(echo($0, withBody: method != .get)) }
        } + [
            Route(nil, path: "/anything") { .json(anything($0)) },
            Route(nil, path: "/anything/*") { .json(anything($0)) },
            Route(.get, path: "/headers") { .json(.object([("headers", headers(of: $0))])) },
            Route(.get, path: "/ip") { _ in .json(.object([("origin", origin)])) },
            Route(.get, path: "/user-agent") {
                .json(.object([("user-agent", $0.header(.userAgent).map { .string($0) } ?? .null)]))
            },
        ]

    /// The client's address: the server listens on 127.0.0.1 only.
    static let origin = EchoJSON.string("127.0.0.1")

    static func anything(_ request: RecordedRequest) -> EchoJSON {
        guard case .object(let members) = echo(request, withBody: true) else { return .null }
        return .object(members + [("method", .string(request.method.rawValue))])
    }

    static func headers(of request: RecordedRequest) -> EchoJSON {
        let host = request.head.authority.map { [(name: "Host", value: $0)] } ?? []
        // Normalizes the names of all clients like httpbin: each word begins with a capital letter.
        var joined: [(name: String, value: String)] = []
        for field in host + request.head.headerFields.map({ (name: $0.name.rawName, value: $0.value) }) {
            let name = field.name.split(separator: "-", omittingEmptySubsequences: false)
                .map { $0.prefix(1).uppercased() + $0.dropFirst().lowercased() }.joined(separator: "-")
            if let index = joined.firstIndex(where: { $0.name == name }) {
                joined[index].value += ",\(field.value)"
            } else {
                joined.append((name, field.value))
            }
        }
        return .object(joined.sorted { $0.name < $1.name }.map { ($0.name, .string($0.value)) })
    }

    /// Returns the request in the format of httpbin: forms under `form`, files under `files`, other bodies under
    /// `data`.
    private static func echo(_ request: RecordedRequest, withBody: Bool) -> EchoJSON {
        var members: [(String, EchoJSON)] = [
            ("args", .grouped(request.query)), ("headers", headers(of: request)), ("origin", origin),
            ("url", .string(request.url)),
        ]
        guard withBody else { return .object(members) }
        let body = Body(request)
        members += [
            ("data", .string(body.data)), ("files", .grouped(body.files)), ("form", .grouped(body.form)),
            ("json", body.json),
        ]
        return .object(members)
    }

    private struct Body {
        var data = ""
        var form: [(name: String, value: String)] = []
        var files: [(name: String, value: String)] = []
        var json = EchoJSON.null

        init(_ request: RecordedRequest) {
            let type = request.header(.contentType) ?? ""
            switch HeaderParameters(type)?.value.lowercased() {
            case "application/x-www-form-urlencoded":
                form = FormURLEncoded.parse(request.body).map { ($0.name, $0.value) }
            case "multipart/form-data":
                guard let parts = try? MultipartParser.parts(of: request.body, contentType: type) else { fallthrough }
                for part in parts {
                    let item = (name: part.head.name ?? "", value: Self.text(of: part.bytes))
                    if part.head.filename == nil { form.append(item) } else { files.append(item) }
                }
            default:
                data = Self.text(of: request.body)
                if isJSON(request.body) { json = .verbatim(data) }
            }
        }

        /// Returns UTF-8 text as it is, and other bytes as a data URL, so that no byte is lost.
        private static func text(of bytes: some Collection<UInt8>) -> String {
            String(validating: bytes, as: UTF8.self)
                ?? "data:application/octet-stream;base64,\(Data(bytes).base64EncodedString())"
        }

        private func isJSON(_ bytes: Data) -> Bool {
            !bytes.isEmpty && (try? JSONDecoder().decode(AnyJSON.self, from: bytes)) != nil
        }
    }

    /// Decodes any JSON completely and keeps nothing, to validate it.
    private struct AnyJSON: Decodable {
        init(from decoder: any Decoder) throws {
            if let object = try? decoder.container(keyedBy: Key.self) {
                for key in object.allKeys { _ = try object.decode(AnyJSON.self, forKey: key) }
            } else if var list = try? decoder.unkeyedContainer() {
                while !list.isAtEnd { _ = try list.decode(AnyJSON.self) }
            } else {
                let value = try decoder.singleValueContainer()
                if value.decodeNil() || (try? value.decode(Bool.self)) != nil { return }
                if (try? value.decode(String.self)) == nil { _ = try value.decode(Double.self) }
            }
        }

        private struct Key: CodingKey {
            let stringValue: String
            var intValue: Int? { nil }

            init(stringValue: String) { self.stringValue = stringValue }

            init?(intValue: Int) { nil }
        }
    }
}
