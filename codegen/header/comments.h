#pragma once

#include <string>

/// Text of users in the comments of the header. It may hold anything that a `///` comment can; no compiler
/// warns of it: trigraphs are taken apart, marks that change the direction of text are written as `U+202E`,
/// and no line ends in a backslash.
namespace codegen::header {

/// `text` as lines `/// …` with `indent` spaces before them; empty for no text.
std::string doc_comment(const std::string& text, int indent);

/// `text` in one line, which cannot end a C comment nor begin one.
std::string c_comment_text(const std::string& text);

/// `text` in one line.
std::string one_line(const std::string& text);

}  // namespace codegen::header
