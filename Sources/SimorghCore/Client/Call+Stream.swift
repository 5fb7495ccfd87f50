// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import HTTPTypes

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A response whose body is still arriving.
///
/// Leaving the loop over ``chunks``, letting the response go, or cancelling the task closes the exchange at once.
public struct StreamingResponse: Sendable {
    /// The status code.
    public let statusCode: Int
    /// The header fields.
    public let headers: HTTPFields
    /// The URL that answered, which is the last one where redirects were followed.
    public let url: String
    /// The redirects that were followed to it, in their order.
    public let redirects: [Redirection]
    /// The body as it arrives, read from the network only as fast as it is taken; it can be iterated once.
    ///
    /// What goes wrong on the way is thrown as ``NetworkError``.
    public let chunks: ResponseBody
    /// How long each phase took, up to the head.
    public let timings: ExchangeTimings
    /// The connection it comes over.
    public let connection: ConnectionInfo?
}

extension Call {
    /// Makes the call and returns as soon as the head of an accepted response has arrived.
    ///
    /// ``Timeouts/total`` does not hold for a stream unless somebody set it; the timeout between chunks does.
    ///
    /// - Returns: The response, its body still arriving.
    /// - Throws: ``NetworkError``; a status that is not accepted is thrown with its body, read up to
    ///   ``APIClient/Configuration/maximumErrorBodyBytes``.
    @concurrent
    public func stream() async throws(NetworkError) -> StreamingResponse {
        var request = try await request(isStream: true)
        request.options.delivery = .streamed
        if !request.options.timeouts.isTotalSet {
            request.options.timeouts.total = nil
            if let call = request.options.call { request.options.call = context(until: nil, call.base) }
        }
        do {
            let answer = try await settings.chain(request)
            guard settings.configuration.acceptableStatusCodes.contains(answer.head.status.code) else {
                throw try await refusal(answer, request)
            }
            if let types = settings.configuration.acceptableContentTypes {
                try validate(CollectedResponse(answer, body: Data(), to: request.head), types)
            }
            request.options.progress?.finish()
            return StreamingResponse(
                statusCode: answer.head.status.code,
                headers: answer.head.headerFields,
                url: answer.redirects.last?.to ?? request.urlString,
                redirects: answer.redirects,
                chunks: answer.body.mapErrors { [request, last = answer.redirects.last] in failure($0, request, last) },
                timings: answer.timings,
                connection: answer.connection
            )
        } catch {
            throw failure(error, request)
        }
    }

    /// The error of a refused stream, with as much of its body as an error may keep.
    private func refusal(_ answer: TransportResponse, _ request: TransportRequest) async throws -> NetworkError {
        let limit = settings.configuration.maximumErrorBodyBytes
        var body = Data()
        var isTruncated = false
        do {
            for try await chunk in answer.body {
                let room = max(0, limit - body.count)
                body.append(chunk.prefix(room))
                isTruncated = chunk.count > room
                if isTruncated { break }
            }
        } catch  where !error.isCancellation && !Task.isCancelled {
            // The status says more than that its page broke off.
            isTruncated = true
        }
        var response = CollectedResponse(answer, body: body, to: request.head)
        response.isBodyTruncated = isTruncated
        do {
            try validate(response)
            return .customError(response.statusCode, response)
        } catch {
            return error
        }
    }
}
