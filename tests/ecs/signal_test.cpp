// What a signal promises of its listeners, and a connection of what it keeps connected.

#include "ecs/signal.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace evertick::ecs {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Listeners that note their names.
struct SignalTest : ::testing::Test {
    std::optional<Signal<>> signal{std::in_place};
    std::vector<char> heard;
    Connection connect(char name) {
        return signal->connect([this, name] { heard.push_back(name); });
    }
    std::vector<char> publish() {
        heard.clear();
        signal->publish();
        return heard;
    }
};

TEST_F(SignalTest, CallsListenersInTheOrderOfConnecting) {
    const Connection a = connect('a');
    const Connection b = connect('b');
    const Connection c = connect('c');
    EXPECT_THAT(publish(), ElementsAre('a', 'b', 'c'));
    EXPECT_EQ(signal->listener_count(), 3U);
}

TEST_F(SignalTest, PassesItsArgumentsToEach) {
    Signal<int, std::string&> said;
    const auto append = [](int times, std::string& text) {
        text.append(static_cast<std::size_t>(times), '!');
    };
    const Connection first = said.connect(append);
    const Connection second = said.connect(append);
    std::string text = "hello";
    said.publish(2, text);
    EXPECT_EQ(text, "hello!!!!");
}

TEST_F(SignalTest, AListenerMayOwnWhatCannotBeCopied) {
    const Connection owner =
        signal->connect([this, name = std::make_unique<char>('o')] { heard.push_back(*name); });
    EXPECT_THAT(publish(), ElementsAre('o'));
}

TEST_F(SignalTest, DroppingAConnectionDisconnects) {
    const Connection a = connect('a');
    {
        const Connection b = connect('b');
        EXPECT_TRUE(b.is_connected());
        EXPECT_THAT(publish(), ElementsAre('a', 'b'));
    }
    EXPECT_THAT(publish(), ElementsAre('a'));
    EXPECT_EQ(signal->listener_count(), 1U);
}

TEST_F(SignalTest, DisconnectingTwiceIsOnce) {
    Connection a = connect('a');
    Connection b = connect('b');
    a.disconnect();
    a.disconnect();
    EXPECT_FALSE(a.is_connected());
    EXPECT_THAT(publish(), ElementsAre('b'));
    Connection().disconnect();
}

TEST_F(SignalTest, AMovedConnectionKeepsTheListener) {
    Connection from = connect('a');
    Connection to = std::move(from);
    EXPECT_FALSE(from.is_connected());  // NOLINT(bugprone-use-after-move): what it promises
    EXPECT_TRUE(to.is_connected());
    EXPECT_THAT(publish(), ElementsAre('a'));
    to = connect('b');
    EXPECT_THAT(publish(), ElementsAre('b')) << "what it had been for is disconnected";
}

TEST_F(SignalTest, AConnectionMayOutliveItsSignal) {
    Connection a = connect('a');
    signal.reset();
    EXPECT_FALSE(a.is_connected());
    a.disconnect();
}

TEST_F(SignalTest, AMovedSignalTakesItsListenersAlong) {
    Connection a = connect('a');
    Signal<> moved = std::move(*signal);
    EXPECT_THAT(publish(), IsEmpty());
    moved.publish();
    EXPECT_THAT(heard, ElementsAre('a'));
    const Connection b = connect('b');
    EXPECT_THAT(publish(), ElementsAre('b')) << "the one moved from is usable";
    a.disconnect();
    EXPECT_TRUE(moved.empty());
}

TEST_F(SignalTest, OneDisconnectedMeanwhileIsNotCalledAnyMore) {
    Connection later;
    const Connection first = signal->connect([&] {
        heard.push_back('1');
        later.disconnect();
    });
    later = connect('l');
    const Connection last = connect('z');
    EXPECT_THAT(publish(), ElementsAre('1', 'z'));
    EXPECT_THAT(publish(), ElementsAre('1', 'z'));
}

TEST_F(SignalTest, AListenerMayDisconnectItself) {
    const auto alive = std::make_shared<int>(7);
    Connection once;
    once = signal->connect([&, alive] {
        once.disconnect();
        heard.push_back(*alive == 7 ? '7' : '?');  // what it captured is still there
    });
    EXPECT_EQ(alive.use_count(), 2);
    EXPECT_THAT(publish(), ElementsAre('7'));
    EXPECT_EQ(alive.use_count(), 1) << "destructed when the publishing ended";
    EXPECT_THAT(publish(), IsEmpty());
}

TEST_F(SignalTest, OneConnectedMeanwhileIsNotCalledYet) {
    std::vector<Connection> more;
    const Connection first = signal->connect([&] {
        heard.push_back('1');
        for (int i = 0; i < 50; ++i) more.push_back(connect('n'));
    });
    const Connection last = connect('z');
    EXPECT_THAT(publish(), ElementsAre('1', 'z'));
    EXPECT_EQ(signal->listener_count(), 52U);
}

TEST_F(SignalTest, PublishingNests) {
    int depth = 0;
    Connection later;
    const Connection first = signal->connect([&] {
        heard.push_back(static_cast<char>('0' + depth));
        if (++depth < 3) signal->publish();
        if (depth == 3) later.disconnect();  // in the innermost, and again on the way out
    });
    later = connect('l');
    EXPECT_THAT(publish(), ElementsAre('0', '1', '2'));
    EXPECT_EQ(signal->listener_count(), 1U);
}

TEST_F(SignalTest, ListenersMayOwnConnectionsToTheirOwnSignal) {
    auto others = std::make_shared<std::vector<Connection>>();
    for (const char name : {'a', 'b', 'c'}) others->push_back(connect(name));
    Connection owner = signal->connect([kept = std::move(others)] {});
    EXPECT_EQ(signal->listener_count(), 4U);
    owner.disconnect();
    EXPECT_EQ(signal->listener_count(), 0U);
    EXPECT_THAT(publish(), IsEmpty());
}

using SignalDeathTest = SignalTest;

TEST_F(SignalDeathTest, MisuseAborts) {
    EXPECT_DEATH(static_cast<void>(signal->connect({})), "Signal::connect: the listener is empty");
    const Connection thrower = signal->connect([] { throw 1; });
    EXPECT_DEATH(signal->publish(), "");
}

}  // namespace
}  // namespace evertick::ecs
