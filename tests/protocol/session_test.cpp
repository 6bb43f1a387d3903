// Runs every tests/protocol/*.session: transcripts that document the wire and are held to it.
//
//   # text              a comment
//   > SPAWN health=1,2  a line from the client
//   < "0:0"             the reply: the JSON of its result, or -CODE message
//                       and what is pushed with it, of MONITOR, as bytes
//   < *1\r\n:3\r\n      in a file that says `@resp2` or `@resp3`: the bytes, with \r \n \xHH written out
//   >> *1\r\n          bytes from the client, with \r \n \xHH written out
//   @fin                the client ends its sending
//   @connect            another connection: as new, in JSON or the RESP that was chosen
//   @tick 3             three ticks pass, each 1/30 s; what is pushed comes as a reply, and what TICK STEP or
//                       SPRINT has waited for
//   @max-entities 3     the setting of that name
//   @password secret    from now on both users have this password, and this client has to log in

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/systems/schedule.hpp"
#include "tests/server/commands/fake_server.hpp"

namespace evertick::test {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> session_files() {
    std::vector<fs::path> files;
    for (const fs::directory_entry& entry : fs::directory_iterator(EVERTICK_SESSIONS))
        if (entry.path().extension() == ".session") files.push_back(entry.path());
    std::ranges::sort(files);
    return files;
}

std::string escaped(std::string_view bytes) {
    constexpr std::string_view kHex = "0123456789abcdef";
    std::string out;
    for (const char c : bytes) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '\r')
            out += "\\r";
        else if (c == '\n')
            out += "\\n";
        else if (byte < 0x20 || byte > 0x7e)
            out += {'\\', 'x', kHex[byte >> 4], kHex[byte & 15]};
        else
            out += c;
    }
    return out;
}

std::string unescaped(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '\\' || i + 1 == text.size()) {
            out += text[i];
        } else if (const char c = text[++i]; c == 'x') {
            out += static_cast<char>(std::stoi(std::string(text.substr(i + 1, 2)), nullptr, 16));
            i += 2;
        } else {
            out += c == 'r' ? '\r' : c == 'n' ? '\n' : c;
        }
    }
    return out;
}

// The result inside a JSON reply, or the error as "-CODE message".
std::string unwrapped(const std::string& line) {
    const bool throws = false;
    const auto reply = nlohmann::json::parse(line, nullptr, throws);
    if (reply.is_discarded() || !reply.is_object()) return "not a JSON reply: " + line;
    if (!reply["ok"]) return "-" + reply["code"].get<std::string>() + " " + reply["error"].get<std::string>();
    const std::size_t at = line.find("\"result\":") + 9;
    return line.substr(at, line.size() - at - 2);  // without the closing brace and the newline
}

class Transcript {
  public:
    Transcript() { server_.client.json = true; }

    void play(const fs::path& file) {
        std::ifstream lines(file);
        std::string line;
        for (int number = 1; std::getline(lines, line); ++number) {
            SCOPED_TRACE(file.filename().string() + ":" + std::to_string(number) + ": " + line);
            play_line(line);
        }
        EXPECT_TRUE(pending_.empty()) << "a reply that the transcript does not show: " << pending_;
        EXPECT_GT(replies_, 0) << "a transcript without a reply tests nothing";
    }

  private:
    void play_line(const std::string& line) {
        if (line.starts_with("@")) return direct(line);
        if (line.starts_with("> ")) return say(line.substr(2) + "\n");
        if (line.starts_with(">> ")) return say(unescaped(line.substr(3)));
        if (line.starts_with("< ")) return expect(line.substr(2));
        EXPECT_TRUE(line.empty() || line.starts_with("#")) << "not a line of a transcript";
    }

    void direct(const std::string& line) {
        if (line == "@resp2" || line == "@resp3") {
            server_.client.json = false;
            server_.client.resp = line == "@resp2" ? 2 : 3;
        } else if (line == "@connect") {
            server_.parser.emplace(protocol::RequestLimits{});
        } else if (line == "@fin") {
            finish();
        } else if (line.starts_with("@max-entities ")) {
            server_.world.max_entities = std::stoull(line.substr(14));
        } else if (line.starts_with("@password ")) {
            server_.access.password = line.substr(10);
            server_.client.role = server_.access.first_role();
        } else if (line.starts_with("@tick ")) {
            for (int left = std::stoi(line.substr(6)); left > 0; --left) tick();
        } else {
            ADD_FAILURE() << "unknown directive";
        }
    }

    void tick() {
        systems::step(server_.world, core::Seconds{1.0 / 30}, server_.scratch);
        pending_ += escaped(server_.pushed());
        if (const auto waiter = server_.clock.tick()) {
            std::string reply;
            commands::write_tick_reached(*waiter, server_.world.tick, server_.world.tick, reply);
            pending_ += shown(reply);
        }
    }

    void finish() {
        if (!server_.parser->has_unfinished()) return;
        commands::write_error(server_.world.tick, server_.client, server_.parser->unfinished_error(),
                              pending_);
        pending_ = escaped(pending_);
    }

    void say(const std::string& bytes) {
        EXPECT_TRUE(pending_.empty()) << "the reply before is not shown: " << pending_;
        const bool json = server_.client.json;
        const std::string reply = server_.receive(bytes);
        pending_ = json ? shown(reply) : escaped(reply);
        pending_ += escaped(std::exchange(server_.sessions.pushed, {}));
    }

    std::string shown(const std::string& reply) const {
        return server_.client.json && !reply.empty() ? unwrapped(reply) : escaped(reply);
    }

    void expect(const std::string& reply) {
        EXPECT_EQ(pending_, reply);
        pending_.clear();
        ++replies_;
    }

    FakeServer server_;
    std::string pending_;
    int replies_ = 0;
};

class Session : public ::testing::TestWithParam<fs::path> {};

TEST_P(Session, GoesAsWritten) {
    Transcript transcript;
    transcript.play(GetParam());
}

INSTANTIATE_TEST_SUITE_P(Wire, Session, ::testing::ValuesIn(session_files()),
                         [](const auto& session) { return session.param.stem().string(); });

}  // namespace
}  // namespace evertick::test
