// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// An error after which a request is never sent again, whatever a retry policy or handler says.
///
/// Conform the errors to it that an interceptor throws for good: a business rule, a user who has to act.
/// ```swift
/// struct AccountLocked: NonRetriableError {}
/// ```
public protocol NonRetriableError: Error {}
