// Everything that Weft offers in C++.
#pragma once

#include "weft/boundary.hpp"
#include "weft/comm.hpp"
#include "weft/error.hpp"
#include "weft/field.hpp"
#include "weft/green.hpp"
#include "weft/io.hpp"
#include "weft/kind.hpp"
#include "weft/layout.hpp"
#include "weft/options.hpp"
#include "weft/plan.hpp"
#include "weft/poisson.hpp"
#include "weft/redistribution.hpp"
#include "weft/tensor.hpp"
#include "weft/tuning.hpp"
#include "weft/vector_poisson.hpp"
#include "weft/workspace.hpp"
