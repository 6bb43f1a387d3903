// The whole way of a command for any bytes: parser, limits, logins, dispatcher, every command, systems,
// streams, writers. What must hold is said in harmless_server.hpp.
//
// An input is what one client sends, as it stands, but for these marks:
//   ~1 .. ~4   from here on another client speaks      ~t   a tick passes
//   ~s         it reads no more of what it is told     ~w   a piece of work or a login that waits is done
//   ~r         it reads all of it again                ~p   from here on there is a password: secret
//   ~f         it ends its sending                     ~c   it is gone without a word

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "tests/fuzz/harmless_server.hpp"

namespace evertick::fuzz {
namespace {

constexpr std::size_t kMaxTicks = 64;  // of one input, which would else be slow

class Script {
  public:
    void play(std::string_view input) {
        while (!input.empty()) {
            const std::size_t mark = find_mark(input);
            if (mark > 0) server_.receive(speaker(), input.substr(0, mark));
            input.remove_prefix(mark);
            if (input.empty()) break;
            act(input[1]);
            input.remove_prefix(2);
        }
        server_.end();
    }

  private:
    static std::size_t find_mark(std::string_view input) {
        constexpr std::string_view kMarks = "1234tsrwfcp";
        for (std::size_t at = 0; at + 1 < input.size(); ++at)
            if (input[at] == '~' && kMarks.contains(input[at + 1])) return at;
        return input.size();
    }

    // Who was closed comes again.
    std::uint64_t speaker() {
        std::uint64_t& id = clients_[speaking_];
        if (!server_.is_connected(id)) id = server_.connect();
        return id;
    }

    void act(char mark) {
        switch (mark) {
            case 't':
                if (ticks_++ < kMaxTicks) server_.tick();
                break;
            case 'w': server_.work(); break;
            case 'p': server_.ask_passwords(); break;
            case 's': server_.stop_reading(speaker()); break;
            case 'r': server_.read_on(speaker()); break;
            case 'f': server_.end_input(speaker()); break;
            case 'c': server_.vanish(speaker()); break;
            default: speaking_ = static_cast<std::size_t>(mark - '1');
        }
    }

    HarmlessServer server_;
    std::array<std::uint64_t, 4> clients_{};  // ids
    std::size_t speaking_ = 0;
    std::size_t ticks_ = 0;
};

}  // namespace
}  // namespace evertick::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string input(data, data + size);
    evertick::fuzz::Script().play(input);
    return 0;
}
