#include "CSimorghZlib.h"
