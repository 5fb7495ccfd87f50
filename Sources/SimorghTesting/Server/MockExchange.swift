// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import NIOCore
import SimorghCore
import SimorghSupport

/// A request over HTTP/1.1 or HTTP/2 as it arrives, until its response begins.
struct MockExchange {
    /// The point at which the response begins.
    enum Moment {
        case atHead
        case atBody
        case atEnd
    }

    let head: HTTPRequest
    private(set) var moment: Moment
    /// The throttle for the rest of the request; `nil` for none.
    let pace: ResponseDelivery.Throttle?
    private(set) var body = ByteBuffer()
    private(set) var isTooLarge: Bool
    private var arrival: RecordedRequest.Arrival
    /// The time that the last bytes of the request should still have taken.
    private var remainingDelay = Duration.zero
    private let limit: Int
    /// The reserved response.
    ///
    /// It is returned to the queue if the connection ends before the request is complete.
    private let reservation: ReservedResponse

    init(_ head: HTTPRequest, arrival: RecordedRequest.Arrival, state: MockServerState) {
        self.head = head
        self.arrival = arrival
        limit = state.configuration.maximumBodyBytes
        let announced = head.headerFields[.contentLength].flatMap { Int($0) } ?? 0
        isTooLarge = announced > limit
        var recorded = RecordedRequest(index: 0, head: head, body: Data())
        recorded.arrival = arrival
        reservation = state.reserve(recorded)
        let wire = reservation.expectedResponse?.wire
        let pace = wire?.fault.flatMap { $0.point <= .requestBody ? $0.fault.pace : nil }
        self.pace = pace
        let point = pace == nil ? wire?.fault?.point : nil
        moment =
            if isTooLarge || wire?.isEarly == true || point == .requestHead {
                .atHead
            } else if point == .requestBody {
                .atBody
            } else {
                .atEnd
            }
    }

    mutating func append(_ bytes: ByteBuffer) {
        guard body.readableBytes + bytes.readableBytes <= limit else {
            (isTooLarge, moment) = (true, .atBody)
            return
        }
        body.writeImmutableBuffer(bytes)
    }

    mutating func end(_ trailers: HTTPFields, remainingDelay: Duration) {
        arrival.trailers = trailers
        arrival.isComplete = true
        self.remainingDelay = remainingDelay
    }

    /// Records the request and responds, in a task that is cancelled when the connection closes.
    func answer(
        state: MockServerState, threads: ServerThreads, over writer: some MockResponseWriter,
        then done: @escaping @Sendable () -> Void
    ) -> Task<Void, Never> {
        // Begins before a task that waits for the request can check for leaks.
        let id = state.running.begin(head)
        let bytes = Data(body.readableBytesView)
        let recorded = state.recorder.record { index in
            var recorded = RecordedRequest(index: index, head: head, body: bytes)
            recorded.arrival = arrival
            return recorded
        }
        let time = state.configuration.time
        let (isTooLarge, reservation, remainingDelay) = (isTooLarge, reservation, remainingDelay)
        if isTooLarge { reservation.release() }
        threads.began()
        return Task {
            defer {
                state.running.end(id)
                threads.ended()
            }
            // A request that arrived at once takes as long as one in pieces. If the client leaves meanwhile, there is
            // no response.
            if remainingDelay > .zero, (try? await time.sleep(for: remainingDelay)) == nil {
                return reservation.release()
            }
            let answer =
                isTooLarge ? .status(.contentTooLarge) : await state.answer(to: recorded, reservation: reservation)
            await writer.perform(answer, for: recorded) { try await time.sleep(for: $0) }
            done()
        }
    }
}
