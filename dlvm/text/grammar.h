// Includes the parser that ANTLR generates from grammar/DLVM.g4. Only this folder's .cpp files include it.
#pragma once

#include "DLVMLexer.h"
#include "DLVMParser.h"

namespace dlvm::reading {
using Grammar = dlvm_grammar::DLVMParser;
}
