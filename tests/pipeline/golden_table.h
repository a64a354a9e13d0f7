// Tables of what the compiler makes of the programs of this repository, which tests compare with files.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace pipeline {

std::string text_of_file(const std::string& path);

/// Returns the paths of the files below the folders whose names end in one of the extensions, in order. The
/// root of the repository becomes the current folder.
std::vector<std::string> files_below(const std::vector<std::string>& folders,
                                     const std::vector<std::string>& extensions);

/// Calls `entry` with the position of each path, on all processors, and compares the joined results with the
/// table `name` of this folder, behind the line `head`. The test fails where they differ; with
/// TEL_UPDATE_GOLDEN=1 in the environment, it writes the table anew. A line that begins with a space belongs
/// to the one above it that does not.
void check_table(const std::string& name, const std::string& head, const std::vector<std::string>& paths,
                 const std::function<std::string(const std::string& path)>& entry);

}  // namespace pipeline
