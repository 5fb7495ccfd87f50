// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
import HTTPTypes
import Simorgh

extension RequestExchange {
    /// The content codings that a response's body is still in, though the command line asked for none.
    ///
    /// - Parameter response: The response.
    /// - Returns: The codings as they are shown; `nil` for none, and if a field of the command line asked for them.
    func unaskedCodings(of response: StreamingResponse) -> String? {
        let isAsked = request.fields.contains { $0.name == .acceptEncoding }
        guard !isAsked, let list = response.headers[.contentEncoding] else { return nil }
        let codings = ContentCodings.codings(in: list)
        return codings.isEmpty ? nil : DisplayText.oneLine(codings.joined(separator: ", "))
    }

    /// Says that a body is written as it came.
    func warn(of codings: String) async {
        await notes.note(
            "simorgh: the body has the content coding \(codings), which was not asked for and is not decoded here; "
                + "it is written as it came")
        await notes.settled()
    }
}

extension CommandFailure {
    /// The error for an encoded body that was to be shown on a terminal, or to be read as a stream of records.
    static func unaskedCodings(_ codings: String) -> CommandFailure {
        CommandFailure(
            .brokenResponse,
            "the body has the content coding \(codings), which was not asked for and is not decoded here; "
                + "`simorgh get --output FILE` saves it as it came")
    }
}
#endif
