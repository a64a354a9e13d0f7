#include "dlvm/ir/failures.h"

#include <doctest/doctest.h>

using namespace dlvm;

TEST_CASE(
    "the name of a check says what is wrong where it fails, also when text has put a number behind it") {
  for (const Failure failure :
       {Failure::null_pointer, Failure::deallocated, Failure::released, Failure::ended, Failure::no_values,
        Failure::outside_allocation, Failure::outside_copy, Failure::not_allocated}) {
    const std::string name = name_of_check(failure);
    CHECK_FALSE(text_of_failure(name).empty());
    CHECK(text_of_failure(name + ".12") == text_of_failure(name));
  }
  CHECK(text_of_failure(name_of_check(Failure::null_pointer)) == "the pointer is null");
  CHECK(text_of_failure(name_of_check(Failure::not_allocated)) ==
        "the pointer is not one that allocateHeap gave");
  for (const std::string_view name : {"", "i", "null", "fails_if", "fails_if.", "fails_if.other"})
    CHECK(text_of_failure(name).empty());
}
