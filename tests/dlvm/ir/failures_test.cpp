#include "dlvm/ir/failures.h"

#include <doctest/doctest.h>

#include <set>

using namespace dlvm;

TEST_CASE("each failure has a word of its own, which names it, and a text of its own") {
  std::set<std::string_view> words, texts;
  for (int i = 0; i <= static_cast<int>(last_failure); ++i) {
    const auto failure = static_cast<Failure>(i);
    CHECK(failure_named(word(failure)) == failure);
    words.insert(word(failure));
    texts.insert(text_of_failure(failure));
  }
  CHECK(words.size() == static_cast<std::size_t>(last_failure) + 1);
  CHECK(texts.size() == words.size());
  CHECK(failure_named("") == std::nullopt);
  CHECK(failure_named("null") == std::nullopt);
  CHECK(text_of_failure(Failure::null_pointer) == "the pointer is null");
  CHECK(text_of_failure(Failure::not_allocated) == "the pointer is not one that allocateHeap gave");
}
