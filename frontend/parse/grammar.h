// What ANTLR generates from grammar/TEL.g4. Included by this folder's .cpp files only.
#pragma once

#include "TELLexer.h"
#include "TELParser.h"

namespace frontend::syntax {
using Grammar = tel_grammar::TELParser;
}
