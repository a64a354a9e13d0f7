#include "telc/command_line.h"

#include <fmt/format.h>
#include <llvm/Support/Regex.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <vector>

#include "dlvm/support/suggest.h"
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
const CLI::App* command_of(const CLI::App& app) {
  const auto commands = app.get_subcommands();
  return commands.empty() ? &app : commands.front();
}

/// The parser's messages, and what is said in their place; `\1` is the first part in parentheses.
constexpr std::pair<const char*, const char*> sentences[]{
    {"^(.+): At Most 1 required but received .*$", "\\1 can be given only once"},
    {"^(.+): 1 required .* missing$", "\\1 lacks its value"},
    {"^(.+): Value (.*) not in range .+ to 17976931348623.*$", "\\1 takes a number above 0, not '\\2'"},
    {"^(.+): Value (.*) not in range 0 to 9223372036854775807$",
     "\\1 takes a number of at least 0, not '\\2'"},
    {"^(.+): Value (.*) not in range (.+) to (.+)$", "\\1 takes a number from \\3 to \\4, not '\\2'"},
    {"^.*: (--?[^ ]+ does not take '.*)$", "\\1"},
    {"^(-[^ ]+): (takes .*)$", "\\1 \\2"},
    {"^Could not convert: (.+) = (.*)$", "\\1 takes a number, not '\\2'"},
    {"^(-[^ ]+|[A-Z]+) excludes (-[^ ]+|[A-Z]+)$", "\\1 and \\2 cannot be given together"},
    {"^(-[^ ]+) requires (-[^ ]+)$", "\\1 has a meaning only together with \\2"},
    {"^(.+) is required$", "\\1 is missing"},
};

/// The name that may have been meant by `word`; empty where none is near.
std::string nearest(std::string_view word, const std::vector<std::string>& names) {
  const std::vector<std::string_view> views(names.begin(), names.end());
  return std::string(dlvm::closest(word, views));
}

/// The message, with the question for the name that may have been meant by `word`, if one is near.
std::string with_question(std::string said, std::string_view word, const std::vector<std::string>& names) {
  const std::vector<std::string_view> views(names.begin(), names.end());
  return said + dlvm::question(word, views);
}

std::vector<std::string> options_of(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options())
    if (!option->get_positional()) names.push_back(option->get_name());
  return names;
}

/// The message about the words that nothing takes: about the first option among them, else about all.
std::string about_surplus(const CLI::App& app) {
  std::vector<std::string> words = app.remaining(true);  // those of commands too
  std::erase(words, "--");
  std::string quoted;
  for (const std::string& word : words) {
    if (word.starts_with("-="))  // what the parser leaves of -g=1
      return "a flag takes no value, and '" + word.substr(1) + "' is one";
    if (word.size() == 2 && word.starts_with('-')) return "there is no option " + word;
    if (word.size() > 2 && word.starts_with('-')) {
      const std::string name = word.substr(0, word.find('='));
      return with_question("there is no option " + name, name, options_of(*command_of(app)));
    }
    quoted += fmt::format("{}'{}'", quoted.empty() ? "" : &word == &words.back() ? " and " : ", ", word);
  }
  return fmt::format("nothing takes the argument{} {}", words.size() == 1 ? "" : "s", quoted);
}

std::string sentence(const std::string& message) {
  for (const auto& [pattern, text] : sentences) {
    const llvm::Regex regex(pattern);
    if (regex.match(message)) return regex.sub(text, message);
  }
  return message;
}

/// The message where a word that names no file stands for a command, as in `telc chekc m.tel`.
std::string misspelled_command(const CLI::App& app) {
  const CLI::Option* file = app.get_option_no_throw("FILE");
  if (!app.get_subcommands().empty() || file == nullptr || file->count() == 0) return "";
  const std::string word = file->results().front();
  if (word.find_first_of("./") != std::string::npos) return "";
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  const std::string near = nearest(word, names);
  std::error_code ignored;
  if (near.empty() || std::filesystem::exists(word, ignored)) return "";
  return fmt::format("there is no command '{}': did you mean {}?", word, near);
}

int refuse_command(const CLI::App& app, std::string why, bool json) {
  const CLI::App& command = *command_of(app);
  if (!json)
    why += fmt::format("{} {}{}{} --help lists the options", why.ends_with('?') ? "" : ";", app.get_name(),
                       &command == &app ? "" : " ", &command == &app ? "" : command.get_name());
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

CLI::Option* take_one_of(CLI::Option* option, std::vector<std::string> names) {
  // The parser leaves the names of options out that help does not list, so the message has it.
  return option->check([name = option->get_name(), names = std::move(names)](const std::string& value) {
    if (std::ranges::find(names, value) != names.end()) return std::string();
    return with_question(
        fmt::format("{} does not take '{}'; it takes {}", name, value, fmt::join(names, ", ")), value, names);
  });
}

void refuse_twice(CLI::App& app, const char* option, const std::vector<std::string>& values) {
  app.parse_complete_callback([option, &values] {
    std::map<std::string, std::string> seen;
    for (const std::string& value : values) {
      const auto [first, fresh] = seen.emplace(value.substr(0, value.find('=')), value);
      if (!fresh)
        throw CLI::ValidationError(fmt::format("{} gives '{}' and '{}'", option, first->second, value));
    }
  });
}

void add_fast_math(CLI::App& app, bool& fast_math) {
  app.add_flag("--fast-math", fast_math,
               "take floating-point values for finite, and let results be rounded at other places");
}

void add_step_options(CLI::App& app, StepOptions& options, bool hidden) {
  std::vector<std::string> names;
  for (const codegen::Step& step : codegen::steps())
    if (std::find(names.begin(), names.end(), step.name) == names.end()) names.emplace_back(step.name);
  auto* verify = app.add_flag("--verify-each", options.verify_each, "verify after each pass and each step");
  auto* print = add_list(app, "--print-after", options.print_after, "LIST",
                         "print to standard error what these steps of code generation give");
  take_one_of(print, std::move(names));
  if (!hidden) return;
  for (CLI::Option* option : {verify, print}) option->group("");
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
    if (const std::string why = misspelled_command(app); !why.empty()) return refuse_command(app, why, json);
    const bool is_surplus = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr;
    return refuse_command(app, is_surplus ? about_surplus(app) : sentence(error.what()), json);
  }
  if (const std::string why = misspelled_command(app); !why.empty()) return refuse_command(app, why, json);
  const std::string before = app.get_subcommands().empty() ? "" : first_given(app);
  if (before.empty()) return std::nullopt;
  return refuse_command(app,
                        fmt::format("'{}' stands before the command {}, which does not take it there", before,
                                    command_of(app)->get_name()),
                        json);
}

}  // namespace telc
