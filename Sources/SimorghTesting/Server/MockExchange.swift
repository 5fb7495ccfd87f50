// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import NIOCore
import SimorghCore
import SimorghSupport

/// A request as it comes in, in either version of HTTP, up to where its answer begins.
struct MockExchange {
    /// When the answer is given.
    enum Moment {
        case atHead
        case atBody
        case atEnd
    }

    let head: HTTPRequest
    private(set) var moment: Moment
    /// How fast the rest of the request is read; `nil` for as fast as it comes.
    let pace: WireScript.Throttle?
    private(set) var body = ByteBuffer()
    private(set) var isTooLarge: Bool
    private var arrival: RecordedRequest.Arrival
    /// How long the last of the request should still have taken.
    private var owed = Duration.zero
    private let limit: Int
    /// Given back where the request is not answered: its connection has ended before it came whole.
    private let reservation: MockReservation

    init(_ head: HTTPRequest, _ arrival: RecordedRequest.Arrival, _ hub: MockHub) {
        self.head = head
        self.arrival = arrival
        limit = hub.configuration.maximumBodyBytes
        let announced = head.headerFields[.contentLength].flatMap { Int($0) } ?? 0
        isTooLarge = announced > limit
        var recorded = RecordedRequest(index: 0, head: head, body: Data())
        recorded.arrival = arrival
        reservation = hub.reserve(recorded)
        let wire = reservation.foreseen?.wire
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

    mutating func take(_ bytes: ByteBuffer) {
        guard body.readableBytes + bytes.readableBytes <= limit else {
            (isTooLarge, moment) = (true, .atBody)
            return
        }
        body.writeImmutableBuffer(bytes)
    }

    mutating func end(_ trailers: HTTPFields, owing owed: Duration) {
        arrival.trailers = trailers
        arrival.isComplete = true
        self.owed = owed
    }

    /// Notes the request and answers it, in a task that the connection ends when it closes.
    func answer(
        _ hub: MockHub, _ threads: ServerThreads, over wire: some MockWire, then done: @escaping @Sendable () -> Void
    ) -> Task<Void, Never> {
        // Before who waits for the request can look.
        let id = hub.running.begin(head)
        let bytes = Data(body.readableBytesView)
        let recorded = hub.recorder.record { index in
            var recorded = RecordedRequest(index: index, head: head, body: bytes)
            recorded.arrival = arrival
            return recorded
        }
        let time = hub.configuration.time
        let (isTooLarge, reservation, owed) = (isTooLarge, reservation, owed)
        if isTooLarge { reservation.giveBack() }
        threads.began()
        return Task {
            defer {
                hub.running.end(id)
                threads.ended()
            }
            // What came at once is read no faster than what came in pieces. Who goes meanwhile wants no answer.
            if owed > .zero, (try? await time.sleep(for: owed)) == nil { return reservation.giveBack() }
            let answer = isTooLarge ? .status(.contentTooLarge) : await hub.answer(to: recorded, reservation)
            await wire.perform(answer, for: recorded) { try await time.sleep(for: $0) }
            done()
        }
    }
}
