// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
package import Simorgh

extension ProgramStatus {
    /// Creates the exit status for an error of a call.
    ///
    /// - Parameter error: The error.
    package init(_ error: NetworkError) {
        switch error {
        case .invalidRequest: self = .usage
        case .cancelled: self = .interrupted
        case .customError(let status, _): self = ProgramStatus(status: status)
        case .urlError(let error): self = ProgramStatus(error)
        case .responseError(let failure) where failure.underlying is StreamingError: self = .brokenResponse
        case .bodyTooLarge, .decodingError, .emptyResponse, .validation: self = .brokenResponse
        default: self = .failure
        }
    }

    private init(_ error: TransportError) {
        switch error.code {
        case _ where error.underlying is TLSOptionsError || error.underlying is InvalidRouteError:
            // The arguments are wrong, such as a file that does not exist; nothing was sent.
            self = .usage
        case .timedOut:
            self = .timeout
        case .httpTooManyRedirects:
            self = .redirected
        case .badURL, .unsupportedURL:
            self = .usage
        case .cannotFindHost, .dnsLookupFailed, .cannotConnectToHost, .notConnectedToInternet:
            self = .connection
        case .badServerResponse, .cannotParseResponse, .cannotDecodeContentData, .dataLengthExceedsMaximum:
            self = .brokenResponse
        case .networkConnectionLost:
            self = error.phase < .request ? .connection : .brokenResponse
        case let code where (-1299 ... -1200).contains(code.rawValue):
            self = .tls
        default:
            self = error.phase == .tls ? .tls : error.phase == .connect ? .connection : .failure
        }
    }
}

extension TransportError.Phase {
    /// Returns true if the left phase comes before the right one in an exchange.
    fileprivate static func < (left: Self, right: Self) -> Bool {
        guard let left = allCases.firstIndex(of: left), let right = allCases.firstIndex(of: right) else { return false }
        return left < right
    }
}
#endif
