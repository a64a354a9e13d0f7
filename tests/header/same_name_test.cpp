// Two networks whose modules have one name, in one program.
#include "codegen/header/header.h"
#include "tests/header/networks.h"
#include "tests/header/support.h"

using namespace codegen;
using namespace codegen::interface;
using namespace header_tests;

namespace {

Interface called_net(Interface interface) {
  interface.module = "net";
  return interface;
}

std::string applications(const std::string& ending) {
  return " " + (sources / "applications/same_name_1").string() + ending + " " +
         (sources / "applications/same_name_2").string() + ending + " ";
}

}  // namespace

TEST_CASE("networks of one name with different interfaces work in one program, each in its files") {
  const Folder folder;
  fs::create_directories(folder.path / "1");
  fs::create_directories(folder.path / "2");
  build(folder, called_net(networks::mlp()), "x86-64-v3", "1/net");
  build(folder, called_net(networks::mixed()), "x86-64-v3", "2/net");
  for (const std::string compiler : {"g++ -O0 -flto", TEST_CLANGXX " -O0"})
    folder.run(compiler + " -std=c++20 -I." + warnings + applications(".cpp") +
               "1/net.o 2/net.o -o net && ./net");
  for (const std::string compiler : {"gcc -O2", TEST_CLANG " -O0"})
    folder.run(compiler + " -std=c11 -I." + warnings + applications(".c") +
               "1/net.o 2/net.o -o net && ./net");

  SUBCASE("in one file they are an error that says so") {
    folder.write("both.cpp", "#include \"1/net.hpp\"\n#include \"2/net.hpp\"\n#include \"1/net.hpp\"\n");
    for (const std::string language : {"g++ -std=c++20", "gcc -std=c11 -x c"}) {
      const std::string log = folder.run(language + " -fsyntax-only both.cpp", false);
      CHECK(log.find("two different networks are called net") != std::string::npos);
    }
  }
}

TEST_CASE("networks of one name with one interface do not link") {
  const Folder folder;
  fs::create_directories(folder.path / "1");
  fs::create_directories(folder.path / "2");
  build(folder, called_net(networks::mlp()), "x86-64-v3", "1/net");
  build(folder, called_net(networks::mlp()), "x86-64-v3", "2/net");
  folder.write("main.c",
               "#include \"1/net.hpp\"\nint main(void) { return net_forward_workspace(1, 0) == 0; }\n");
  const std::string log = folder.run("gcc -std=c11 main.c 1/net.o 2/net.o -o net", false);
  CHECK(log.find("multiple definition of `net.forward.") != std::string::npos);
}
