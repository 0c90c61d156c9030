#include "embedded_fixtures.h"
