// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import SimorghSupport

extension Route {
    /// Routes that answer with what was asked, in httpbin's shape.
    package static let echoes: [Route] =
        ["GET", "POST", "PUT", "PATCH", "DELETE"].map { method in
            Route(method, "/\(method.lowercased())", intake: .kept) { .json(echo($0, withBody: method != "GET")) }
        } + [
            Route(nil, "/anything", intake: .kept) { .json(anything($0)) },
            Route(nil, "/anything/*", intake: .kept) { .json(anything($0)) },
            Route("GET", "/headers") { .json(.object([("headers", headers(of: $0))])) },
            Route("GET", "/ip") { .json(.object([("origin", .string($0.origin))])) },
            Route("GET", "/user-agent") {
                .json(.object([("user-agent", $0.field("user-agent").map { .string($0) } ?? .null)]))
            },
        ]

    static func anything(_ request: LoopbackRequest) -> EchoJSON {
        guard case .object(let members) = echo(request, withBody: true) else { return .null }
        return .object(members + [("method", .string(request.method))])
    }

    static func headers(of request: LoopbackRequest) -> EchoJSON {
        // One spelling for every client's: each word of a name begins with a capital, as httpbin has it.
        var joined: [(name: String, value: String)] = []
        for field in request.fields {
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

    /// What came, sorted as httpbin does: what is a form under `form`, files under `files`, the rest under `data`.
    private static func echo(_ request: LoopbackRequest, withBody: Bool) -> EchoJSON {
        var members: [(String, EchoJSON)] = [
            ("args", .grouped(request.query)), ("headers", headers(of: request)), ("origin", .string(request.origin)),
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

        init(_ request: LoopbackRequest) {
            let type = request.field("content-type") ?? ""
            switch HeaderParameters(type)?.value.lowercased() {
            case "application/x-www-form-urlencoded":
                form = FormURLEncoded.parse(request.body.readableBytesView).map { ($0.name, $0.value) }
            case "multipart/form-data":
                guard readParts(request.body, type) else { fallthrough }
            default:
                data = Self.text(of: request.body.readableBytesView)
                if isJSON(request.body.readableBytesView) { json = .verbatim(data) }
            }
        }

        private mutating func readParts(_ body: ByteBuffer, _ type: String) -> Bool {
            guard let boundary = try? MultipartParser.boundary(of: type) else { return false }
            var parser = MultipartParser(boundary: boundary)
            guard let events = try? parser.read(body.readableBytesView), parser.isComplete else { return false }
            var head = MultipartParser.Head()
            var bytes: [UInt8] = []
            for event in events {
                switch event {
                case .began(let began): (head, bytes) = (began, [])
                case .bytes(let more): bytes += more
                case .ended:
                    let item = (name: head.name ?? "", value: Self.text(of: bytes))
                    if head.filename == nil { form.append(item) } else { files.append(item) }
                }
            }
            return true
        }

        /// Text as it is; what is no UTF-8 as a data URL, so that no byte of it is lost.
        private static func text(of bytes: some Collection<UInt8>) -> String {
            String(validating: bytes, as: UTF8.self)
                ?? "data:application/octet-stream;base64,\(Data(bytes).base64EncodedString())"
        }

        private func isJSON(_ bytes: some Collection<UInt8>) -> Bool {
            !bytes.isEmpty && (try? JSONDecoder().decode(AnyJSON.self, from: Data(bytes))) != nil
        }
    }

    /// Decodes from any JSON, all of which it looks at and none of which it keeps.
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
