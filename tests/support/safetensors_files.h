#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

/// Files that both readers of safetensors (runtime/weights, dlvm/interpret) get to read, with what they say.
namespace test {

struct SafetensorsFile {
  std::string what;
  std::string header;
  std::size_t data;     ///< bytes of elements
  std::string message;  ///< empty: it is good
};

inline std::string safetensors_bytes(const std::string& header, std::size_t data) {
  std::string bytes;
  for (std::size_t i = 0; i < 8; ++i) bytes += static_cast<char>(std::uint64_t{header.size()} >> 8 * i);
  return bytes + header + std::string(data, '\1');
}

/// `"NAME":{"dtype":"TYPE","shape":[SHAPE],"data_offsets":[OFFSETS]}`
inline std::string listed(const std::string& name, const std::string& type, const std::string& shape,
                          const std::string& offsets) {
  return "\"" + name + R"(":{"dtype":")" + type + R"(","shape":[)" + shape + R"(],"data_offsets":[)" +
         offsets + "]}";
}

inline std::vector<SafetensorsFile> safetensors_files() {
  const std::string form =
      R"(its header is not JSON of the form {"NAME": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}, ...})";
  const auto one = [](const std::string& type, const std::string& shape, const std::string& offsets) {
    return "{" + listed("a", type, shape, offsets) + "}";
  };
  const auto two = [](const std::string& first, const std::string& second) {
    return "{" + listed("a", "U8", "2", first) + "," + listed("b", "U8", "2", second) + "}";
  };
  const auto begins = [](const char* name, int at, int expected) {
    return std::string("tensor '") + name + "' begins at byte " + std::to_string(at) + ", expected " +
           std::to_string(expected) + ": tensors neither overlap nor leave gaps";
  };
  const auto has = [](int tensors, int file) {
    return "its tensors have " + std::to_string(tensors) + " bytes of elements, but the file has " +
           std::to_string(file);
  };
  const auto needs = [](int bytes, int needed) {
    return "tensor 'a' has " + std::to_string(bytes) + " bytes of elements, but its type and shape need " +
           std::to_string(needed);
  };
  const std::string too_many = "tensor 'a' has a shape of more elements than 63 bits can count";
  const std::string good = one("F32", "1", "0,4");
  const auto with_key = [&](const std::string& key) { return "{\"" + key + "\"" + good.substr(4); };
  return {
      {"one tensor", good, 4, ""},
      {"no tensor", "{}", 0, ""},
      {"a scalar", one("F64", "", "0,8"), 8, ""},
      {"white space within and behind",
       "{ \"a\" :\t{\n\"shape\": [ 1 , 1 ], \"data_offsets\":[0, 4] , \"dtype\": \"F32\" } }   ", 4, ""},
      {"metadata", "{\"__metadata__\":{\"format\":\"pt\",\"a\":\"}\"}," + good.substr(1), 4, ""},
      {"empty metadata", "{\"__metadata__\":{}," + good.substr(1), 4, ""},
      {"two tensors, the second first", two("2,4", "0,2"), 4, ""},
      {"tensors without elements between others",
       "{" + listed("a", "U8", "1", "1,2") + "," + listed("b", "U8", "1", "0,1") + "," +
           listed("c", "F32", "3,0", "1,1") + "," + listed("d", "F32", "0", "2,2") + "}",
       2, ""},
      {"names with escapes", with_key("\\u00e9\\n\\\"\\ud83d\\ude00/\\\\"), 4, ""},
      {"a name in UTF-8", with_key("\xce\xb2\xe2\x82\xac\xf0\x9f\x98\x80"), 4, ""},
      {"an empty name", with_key(""), 4, ""},
      {"the largest extent", one("U8", "9223372036854775807,0", "0,0"), 0, ""},

      {"an empty header", "", 0, form},
      {"a header that is cut off", good.substr(0, good.size() - 1), 4, form},
      {"a list", "[]", 0, form},
      {"a number", "1", 0, form},
      {"white space before", " " + good, 4, form},
      {"a byte order mark", "\xef\xbb\xbf" + good, 4, form},
      {"text behind", good + "x", 4, form},
      {"zero bytes behind", good + std::string(2, '\0'), 4, form},
      {"another object behind", good + "{}", 4, form},
      {"a comma before the end", good.substr(0, good.size() - 1) + ",}", 4, form},
      {"a comment", "{/**/" + good.substr(1), 4, form},
      {"quotes of another kind", "{'a'" + good.substr(4), 4, form},
      {"a bad escape", with_key("\\q"), 4, form},
      {"half a surrogate pair", with_key("\\ud800"), 4, form},
      {"the second half alone", with_key("\\udc00"), 4, form},
      {"a control character in a name", with_key("\n"), 4, form},
      {"bytes that are not UTF-8", with_key("\xff"), 4, form},
      {"UTF-8 that is cut off", with_key("\xe2\x82"), 4, form},
      {"UTF-8 that is too long", with_key("\xc0\xaf"), 4, form},
      {"a surrogate in UTF-8", with_key("\xed\xa0\x80"), 4, form},
      {"a character above all", with_key("\xf4\x90\x80\x80"), 4, form},
      {"lists nested deep", "{\"a\":" + std::string(100000, '['), 0, form},
      {"objects nested deep",
       [] {
         std::string text;
         for (int i = 0; i < 100000; ++i) text += "{\"a\":";
         return text;
       }(),
       0, form},
      {"a tensor that is a number", "{\"a\":3}", 0, form},
      {"a tensor that is null", "{\"a\":null}", 0, form},
      {"a tensor that is a list", "{\"a\":[]}", 0, form},
      {"an empty tensor", "{\"a\":{}}", 0, form},
      {"a tensor without dtype", R"({"a":{"shape":[1],"data_offsets":[0,4]}})", 4, form},
      {"a tensor without shape", R"({"a":{"dtype":"F32","data_offsets":[0,4]}})", 4, form},
      {"a tensor without data_offsets", R"({"a":{"dtype":"F32","shape":[1]}})", 4, form},
      {"a fourth key", R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4],"x":"y"}})", 4, form},
      {"two shapes", R"({"a":{"dtype":"F32","shape":[1],"shape":[1],"data_offsets":[0,4]}})", 4, form},
      {"a dtype that is a number", R"({"a":{"dtype":3,"shape":[1],"data_offsets":[0,4]}})", 4, form},
      {"a dtype that is a list", R"({"a":{"shape":[1],"data_offsets":[0,4],"dtype":["F32"]}})", 4, form},
      {"a shape that is a number", R"({"a":{"dtype":"F32","shape":1,"data_offsets":[0,4]}})", 4, form},
      {"a shape that is a text", R"({"a":{"dtype":"F32","shape":"1","data_offsets":[0,4]}})", 4, form},
      {"a shape of lists", one("F32", "[1]", "0,4"), 4, form},
      {"a shape of lists at the end", R"({"a":{"dtype":"F32","data_offsets":[0,4],"shape":[[1]]}})", 4, form},
      {"extents without a comma", one("F32", "1 1", "0,4"), 4, form},
      {"a negative extent", one("F32", "-1", "0,4"), 4, form},
      {"a negative zero", one("F32", "-0", "0,0"), 0, form},
      {"a fraction", one("F32", "1.0", "0,4"), 4, form},
      {"an exponent", one("F32", "1e0", "0,4"), 4, form},
      {"a zero before a number", one("F32", "01", "0,4"), 4, form},
      {"an extent of 2^63", one("U8", "4,9223372036854775808,0", "0,0"), 0, form},
      {"an extent over 64 bits", one("U8", "99999999999999999999999,0", "0,0"), 0, form},
      {"one offset", one("F32", "1", "4"), 4, form},
      {"three offsets", one("F32", "1", "0,4,4"), 4, form},
      {"metadata that are a list", "{\"__metadata__\":[]," + good.substr(1), 4, form},
      {"metadata with a number", "{\"__metadata__\":{\"a\":1}," + good.substr(1), 4, form},
      {"metadata with a list", good.substr(0, good.size() - 1) + ",\"__metadata__\":{\"a\":[]}}", 4, form},
      {"metadata twice", "{\"__metadata__\":{},\"__metadata__\":{}," + good.substr(1), 4, form},

      {"one name twice", "{" + listed("a", "U8", "1", "0,1") + "," + listed("a", "U8", "1", "1,2") + "}", 2,
       "tensor 'a' is there twice"},
      {"one name twice, differently written",
       "{" + listed("a", "U8", "1", "0,1") + "," + listed("\\u0061", "U8", "1", "1,2") + "}", 2,
       "tensor 'a' is there twice"},
      {"an end before the beginning", one("U8", "0", "4,0"), 4, "tensor 'a' ends before it begins"},
      {"fewer bytes than the shape has", one("F32", "2", "0,4"), 4, needs(4, 8)},
      {"more bytes than the shape has", one("F16", "1", "0,4"), 4, needs(4, 2)},
      {"bytes of a shape without elements", one("F32", "2,0", "0,4"), 4, needs(4, 0)},
      {"a product over 64 bits that wraps to 0", one("U8", "4294967296,4294967296", "0,0"), 0, too_many},
      {"a product over 63 bits", one("F64", "4611686018427387904", "0,0"), 0, too_many},
      {"a product over 63 bits before a 0", one("U8", "4611686018427387904,4,0", "0,0"), 0, too_many},
      {"a product over 63 bits behind a 0", one("U8", "0,4611686018427387904,4", "0,0"), 0, too_many},
      {"tensors that overlap", two("0,2", "1,3"), 3, begins("b", 1, 2)},
      {"two tensors at one place", two("0,2", "0,2"), 2, begins("b", 0, 2)},
      {"a tensor within another",
       "{" + listed("a", "U8", "3", "0,3") + "," + listed("b", "U8", "0", "1,1") + "}", 3, begins("b", 1, 3)},
      {"a gap", two("0,2", "3,5"), 5, begins("b", 3, 2)},
      {"a gap before all", one("F32", "1", "4,8"), 8, begins("a", 4, 0)},
      {"a file that ends early", good, 3, has(4, 3)},
      {"bytes behind all", good, 5, has(4, 5)},
      {"bytes without a tensor", "{}", 1, has(0, 1)},
  };
}

}  // namespace test
