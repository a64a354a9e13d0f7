#pragma once

#include <string>

/// Turns the user's documentation into comments of the header. The text may hold anything that a `///`
/// comment can. Afterwards no compiler warns of it: trigraphs are taken apart, characters that change the
/// direction of text are written as `U+202E`, and no line ends in a backslash.
namespace codegen::header {

/// Returns `text` as lines `/// …` with `indent` spaces before them, or an empty string for an empty text.
std::string doc_comment(const std::string& text, int indent);

/// Returns `text` on one line that neither ends nor begins a C comment.
std::string c_comment_text(const std::string& text);

/// Returns the comment for a member that gives a dimension, whose documentation is `doc`.
std::string dimension_comment(const std::string& doc);

/// Returns `text` on one line.
std::string one_line(const std::string& text);

}  // namespace codegen::header
