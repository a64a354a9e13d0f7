#include "dlvm/pipeline.h"

#include <doctest/doctest.h>

#include <set>

using namespace dlvm;

TEST_CASE("a pass is found by its name and by its short name, which no other pass has") {
  std::set<std::string_view> names;
  for (const Pass& pass : passes()) {
    CHECK(pass_named(pass.name) == &pass);
    CHECK(pass_named(pass.short_name) == &pass);
    CHECK(names.insert(pass.name).second);
    CHECK(names.insert(pass.short_name).second);
  }
  CHECK(pass_named("dce") == nullptr);
}

TEST_CASE("the passes that order or replace what is rounded say so") {
  std::string found;
  for (const Pass& pass : passes())
    if (pass.rounds_differently) found += std::string(pass.short_name) + " ";
  CHECK(found == "CR CS FM MMR STA ");
}
