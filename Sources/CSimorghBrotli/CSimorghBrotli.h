// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#ifndef CSIMORGHBROTLI_H
#define CSIMORGHBROTLI_H

#include <brotli/decode.h>

#endif
