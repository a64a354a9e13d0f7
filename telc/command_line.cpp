#include "telc/command_line.h"

#include <fmt/format.h>

#include <cctype>

#include "telc/refuse.h"
#include "telc/status.h"

namespace telc {
namespace {

/// CLI11's layout with a usage of our own.
class Help : public CLI::Formatter {
 public:
  explicit Help(std::string usage) : usage_(std::move(usage)) {}
  std::string make_usage(const CLI::App*, std::string) const override { return "\n" + usage_; }
  /// As a sentence, which the list of commands does not need.
  std::string make_description(const CLI::App* app) const override {
    std::string text = app->get_description() + ".\n";
    text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
    return text;
  }

 private:
  std::string usage_;
};

/// Whether the words ask for messages in JSON; for mistakes that keep them from being parsed.
bool asks_for_json(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--diagnostics=json" ||
        (word == "--diagnostics" && i + 1 < argc && argv[i + 1] == std::string_view("json")))
      return true;
  }
  return false;
}

/// The first word such as `--out=`, which the parser would take with the next word as its value.
std::string first_without_value(int argc, char** argv) {
  for (int i = 1; i < argc && argv[i] != std::string_view("--"); ++i) {
    const std::string_view word = argv[i];
    if (word.starts_with("--") && word.find('=') == word.size() - 1) return std::string(word);
  }
  return "";
}

/// The first option or argument that was given to `app` itself; empty where there is none.
std::string first_given(const CLI::App& app) {
  for (const CLI::Option* option : app.get_options())
    if (option->count() > 0) return option->get_positional() ? option->results().front() : option->get_name();
  return "";
}

/// The command that was asked for, or the program itself.
const CLI::App& command_of(const CLI::App& app) {
  const auto commands = app.get_subcommands();
  return commands.empty() ? app : *commands.front();
}

int refuse_command(const CLI::App& app, std::string why, bool json) {
  const CLI::App& command = command_of(app);
  if (!json)
    why += fmt::format("; {}{}{} --help lists the options", app.get_name(), &command == &app ? "" : " ",
                       &command == &app ? "" : command.get_name());
  return refuse(why, json);
}

}  // namespace

void describe(CLI::App& app, std::string usage, std::string examples) {
  auto help = std::make_shared<Help>(std::move(usage));
  help->column_width(34);
  help->label("Positionals", "Arguments");
  app.formatter(std::move(help));
  app.footer(std::move(examples));
  app.set_help_flag("-h,--help", "print this help");
}

std::optional<int> parse(CLI::App& app, int argc, char** argv) {
  const bool json = asks_for_json(argc, argv);
  if (json) use_json_messages();
  if (const std::string word = first_without_value(argc, argv); !word.empty())
    return refuse(fmt::format("'{}' lacks its value", word), json);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);
    return refuse_command(app, error.what(), json);
  }
  const std::string before = app.get_subcommands().empty() ? "" : first_given(app);
  if (before.empty()) return std::nullopt;
  return refuse_command(app,
                        fmt::format("'{}' stands before the command {}, which does not take it there", before,
                                    command_of(app).get_name()),
                        json);
}

}  // namespace telc
