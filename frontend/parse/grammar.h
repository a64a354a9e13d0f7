// Includes the parser that ANTLR generates from grammar/TEL.g4. Only this folder's .cpp files include it.
#pragma once

#include "TELLexer.h"
#include "TELParser.h"

namespace frontend::syntax {
using Grammar = tel_grammar::TELParser;
}
