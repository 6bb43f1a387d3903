#include "config/command_line.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <optional>

#include "config/settings.hpp"
#include "core/quote.hpp"

namespace evertick::config {
namespace {

using core::ErrorCode;
using core::failure;

constexpr std::string_view kConfigFlag = "--config";
constexpr std::array kModes{
    ModeOption{"--help", "prints this", Mode::help},
    ModeOption{"--version", "prints the version", Mode::version},
    ModeOption{"--check-config", "says whether the settings are right, and exits", Mode::check_config},
    ModeOption{"--print-config",
               "prints every setting and where its value comes from, as a file for --config",
               Mode::print_config},
    ModeOption{"--healthcheck", "exits with 0 when a server with these settings answers", Mode::healthcheck},
    ModeOption{"--hash-password", "reads a password from standard input, prints its hash for password-file",
               Mode::hash_password},
};

std::string flag_of(const core::Field& field) { return "--" + std::string(field.name); }

// CLI11 tells words and options apart; what a value means is not its business. 2.1.2 would take the word
// after "--name=" for the value, so that is handed over as two words.
std::vector<std::string> reversed_words(std::span<const char* const> arguments) {
    std::vector<std::string> words;
    for (const std::string_view word : arguments) {
        words.emplace_back(word);
        if (!word.starts_with("--") || word.find('=') != word.size() - 1) continue;
        words.back().pop_back();
        words.emplace_back();
    }
    std::ranges::reverse(words);
    return words;
}

class Parser {
  public:
    Parser() {
        app_.set_help_flag();
        app_.allow_extras();
        for (const core::Field& field : kSettings.fields) settings_.push_back(add_setting(field));
        config_ = add_value(kConfigFlag);
        for (const ModeOption& option : kModes) modes_.push_back(add_flag(option.flag));
    }

    core::Result<CommandLine> run(std::span<const char* const> arguments) {
        std::optional<std::string> fault = flag_without_value(arguments);
        if (!fault) fault = parse(arguments);
        CommandLine result;
        for (std::size_t i = 0; i < kModes.size(); ++i) {
            if (modes_[i]->count() == 0) continue;
            const Mode mode = kModes[i].mode;
            if (mode == Mode::help || mode == Mode::version) return CommandLine{mode, {}, {}};
            if (result.mode != Mode::run)
                fault = "choose one of --check-config, --print-config, --healthcheck, --hash-password";
            result.mode = mode;
        }
        if (!fault) fault = first_fault();
        if (fault) return failure(ErrorCode::err, std::move(*fault));
        if (config_->count() > 0) result.config_file = config_->results().front();
        result.assignments = assignments();
        return result;
    }

  private:
    CLI::Option* add_value(std::string_view flag) {
        return app_.add_option(std::string(flag))
            ->expected(1)
            ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    }
    CLI::Option* add_flag(std::string_view flag) {
        return app_.add_flag(std::string(flag))->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    }
    CLI::Option* add_setting(const core::Field& field) {
        return field.kind == core::Kind::boolean ? add_flag(flag_of(field)) : add_value(flag_of(field));
    }

    // "--insecure=": would fall apart into a flag and an empty word.
    std::optional<std::string> flag_without_value(std::span<const char* const> arguments) const {
        for (const std::string_view word : arguments) {
            if (!word.ends_with('=')) continue;
            const CLI::Option* const option =
                app_.get_option_no_throw(std::string(word.substr(0, word.size() - 1)));
            if (option != nullptr && option->get_items_expected_max() == 0)
                return core::quote(word) + " needs a value, or no =";
        }
        return std::nullopt;
    }

    std::optional<std::string> parse(std::span<const char* const> arguments) {
        try {
            app_.parse(reversed_words(arguments));
        } catch (const CLI::ArgumentMismatch&) {  // only the last word can lack its value
            return core::quote(arguments.back()) + " needs a value";
        } catch (const CLI::ParseError& error) {
            return "command line: " + std::string(error.what());
        }
        return std::nullopt;
    }

    std::optional<std::string> first_fault() const {
        if (const auto left = app_.remaining(); !left.empty()) return unknown_word(left.front());
        for (const CLI::Option* option : app_.get_options())
            if (option->count() > 1) return option->get_name() + " is given twice";
        if (config_->count() > 0 && config_->results().front().empty()) return "--config needs a value";
        return std::nullopt;
    }

    std::string unknown_word(const std::string& word) const {
        if (!word.starts_with('-')) return "stray word " + core::quote(word) + "; an option begins with --";
        const std::string flag = word.substr(0, word.find('='));
        const std::string name = flag.substr(std::min(flag.find_first_not_of('-'), flag.size()));
        std::vector<std::string> names;
        for (const CLI::Option* option : app_.get_options()) names.push_back(option->get_single_name());
        return "unknown option " + core::quote(flag) + suggestion(name, names, "--");
    }

    std::vector<Assignment> assignments() const {
        std::vector<Assignment> found;
        for (std::size_t i = 0; i < settings_.size(); ++i)
            if (settings_[i]->count() > 0)
                found.push_back({&kSettings.fields[i],
                                 settings_[i]->results().front(),
                                 flag_of(kSettings.fields[i]),
                                 {Source::command_line, "command line"}});
        return found;
    }

    CLI::App app_;
    std::vector<CLI::Option*> settings_, modes_;  // as kSettings.fields and kModes
    CLI::Option* config_ = nullptr;
};

}  // namespace

std::span<const ModeOption> mode_options() { return kModes; }

core::Result<CommandLine> read_command_line(std::span<const char* const> arguments) {
    return Parser().run(arguments);
}

}  // namespace evertick::config
