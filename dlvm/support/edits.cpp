#include "dlvm/support/edits.h"

#include <algorithm>
#include <tuple>

namespace dlvm {

std::vector<Edit> sure_edits(const Diagnostics& diagnostics, const Source& source) {
  std::vector<Edit> all;
  for (const Diagnostic& each : diagnostics.all())
    if (each.kind->severity == Severity::error && each.fixes.size() == 1 && each.fixes[0].edit &&
        each.fixes[0].edit->source == &source)
      all.push_back(*each.fixes[0].edit);
  std::ranges::stable_sort(all, {}, [](const Edit& edit) { return std::tuple(edit.begin, edit.end); });
  std::vector<Edit> apart;
  for (Edit& edit : all)
    if (edit.begin <= edit.end && edit.end <= source.text()->size() &&
        (apart.empty() || apart.back().end < edit.begin ||
         (apart.back().end == edit.begin && edit.begin < edit.end)))
      apart.push_back(std::move(edit));
  return apart;
}

std::string edited(std::string_view text, const std::vector<Edit>& edits) {
  std::string out;
  std::size_t from = 0;
  for (const Edit& edit : edits) {
    out += text.substr(from, edit.begin - from);
    out += edit.text;
    from = edit.end;
  }
  return out.append(text.substr(from));
}

}  // namespace dlvm
