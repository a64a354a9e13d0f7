// What ANTLR generates from grammar/DLVM.g4. Included by this folder's .cpp files only.
#pragma once

#include "DLVMLexer.h"
#include "DLVMParser.h"

namespace dlvm::reading {
using Grammar = dlvm_grammar::DLVMParser;
}
