// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// An error after which a request is never sent again, regardless of retry policies and handlers.
///
/// Conform an interceptor's error to it if a retry cannot help: a business rule, or a step that the user must take.
/// ```swift
/// struct AccountLocked: NonRetriableError {}
/// ```
public protocol NonRetriableError: Error {}
