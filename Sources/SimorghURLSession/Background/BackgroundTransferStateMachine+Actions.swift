// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

extension BackgroundTransferStateMachine {
    /// The result of a call.
    package enum Outcome: Sendable, Equatable {
        /// The response is in the files of the transfer.
        case kept
        case failed(BackgroundTransferError)
    }

    /// An event; every event of a task carries the task.
    package enum Event: Sendable, Equatable {
        /// The system has listed the tasks of the session.
        case listed([BackgroundSessionTask])
        /// A call wants a transfer; `isKept` if its response is in its files, `isRestored` if a restart caused the call
        /// and not the user.
        case requested(UUID, call: Int, url: String, key: String?, isKept: Bool, isRestored: Bool)
        /// A call was cancelled; `continues` if its transfer is for the next call.
        case abandoned(UUID, call: Int, continues: Bool)
        /// The transfer is to stop, although no call waits for it.
        case paused(UUID)
        /// The transfer and its files are not needed any more.
        case discarded(UUID)
        /// The action `start` created a task.
        case started(BackgroundSessionTask)
        /// A response is complete; its file can be kept until the event is handled.
        case arrived(BackgroundSessionTask)
        /// The action `keep` was performed.
        case kept(BackgroundSessionTask, BackgroundTransferError?)
        /// The action `stop` was performed.
        case stopped(BackgroundSessionTask, hasResumeData: Bool)
        /// A task ended; `nil` for success.
        case ended(BackgroundSessionTask, BackgroundTransferError?, hasResumeData: Bool)
        /// The time of the action `wait` has passed.
        case waited(BackgroundSessionTask)
        /// The caller has verified and named a kept file, or given up on it.
        case settled(UUID)
        /// The system has delivered all events of the time when the program did not run.
        case delivered
        /// The time of the action `waitToTell` with this number has passed.
        case waitedToTell(delivery: Int)
        /// The session does not exist any more.
        case invalidated
    }

    /// An action to perform.
    package enum Action: Sendable, Equatable {
        /// Create and resume a task for the request of a call, with resume data if they fit.
        case start(UUID, call: Int)
        case resume(BackgroundSessionTask)
        case cancel(BackgroundSessionTask)
        /// Cancel the task and ask for resume data.
        case stop(BackgroundSessionTask)
        /// Move the file of this event to the files of the transfer.
        case keep(BackgroundSessionTask)
        /// Remove the file of this event, which belongs to no transfer.
        case drop
        /// Store the resume data of this event.
        case storeResumeData(BackgroundSessionTask)
        /// Remove the response and the resume data of a transfer.
        case remove(UUID)
        /// Remove the response of a transfer that its caller has taken.
        case removeResponse(UUID)
        /// End a call.
        case finish(call: Int, Outcome)
        /// Report that the time has passed, if a callback of the system stays away.
        case wait(BackgroundSessionTask)
        /// Report that the time to settle the files of this delivery has passed.
        case waitToTell(delivery: Int)
        /// The program may be suspended: all files of the delivery are verified and named.
        case tell
    }

    /// The task of a transfer.
    enum Phase: Sendable, Equatable {
        case idle
        case running(BackgroundSessionTask)
        /// Created but not resumed by an earlier process.
        case suspended(BackgroundSessionTask)
        /// Ended; its callback is still to come.
        case ending(BackgroundSessionTask)
        /// Cancelled; its callback is still to come.
        case stopping(BackgroundSessionTask)

        var task: BackgroundSessionTask? {
            switch self {
            case .idle: nil
            case .running(let task), .suspended(let task), .ending(let task), .stopping(let task): task
            }
        }
    }
}
