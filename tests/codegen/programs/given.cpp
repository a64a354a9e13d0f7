#include "tests/codegen/programs/given.h"

#include <doctest/doctest.h>

#include <set>
#include <sstream>

#include "tests/dlvm/differentiate/derivatives.h"

namespace programs {
namespace {

std::vector<double> numbers(std::istream& text) {
  std::vector<double> all;
  for (double number; text >> number; text.ignore(1)) all.push_back(number);
  return all;
}

}  // namespace

Given::Given(const std::string& text) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string slashes, kind, what, relation;
    words >> slashes >> kind >> what >> relation;
    if (slashes != "//" || (relation != "=" && relation != "in")) continue;
    const std::vector<double> values = numbers(words);
    if (kind == "dimension") dimensions_[what] = static_cast<std::int64_t>(values.at(0));
    if (kind == "work") most_work_ = values.at(0);
    if (kind == "argument") (relation == "=" ? elements_ : intervals_)[std::stoul(what)] = values;
  }
}

std::vector<dlvm::Tensor> Given::arguments(const dlvm::Function& function) const {
  std::mt19937_64 random(1);
  std::vector<dlvm::Tensor> all;
  for (const dlvm::Type& type : function.type().parameters()) {
    std::vector<std::int64_t> extents;
    for (const dlvm::Extent& extent : type.shape()) {
      std::set<std::string> names;
      extent.collect_names(names);
      extents.push_back(*extent.evaluate(dimensions({names.begin(), names.end()})));
    }
    const auto interval = intervals_.find(all.size());
    const auto [low, high] = interval != intervals_.end()
                                 ? std::pair(interval->second.at(0), interval->second.at(1))
                                 : std::pair(0.2, 1.2);
    all.push_back(derivatives::draw(random, type.element(), extents, low, high));
    if (const auto given = elements_.find(all.size() - 1); given != elements_.end()) {
      REQUIRE(given->second.size() == all.back().size());
      for (std::size_t i = 0; i < given->second.size(); ++i) all.back().set(i, given->second[i]);
    }
  }
  return all;
}

dlvm::Extent::Bindings Given::dimensions(const std::vector<std::string>& names) const {
  dlvm::Extent::Bindings all = dimensions_;
  for (const std::string& name : names)
    all.try_emplace(name, name.ends_with("_steps")    ? 1000
                          : name.ends_with("_depth")  ? 40
                          : name.ends_with("_values") ? 20
                                                      : 3);
  return all;
}

}  // namespace programs
