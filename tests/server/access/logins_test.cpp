#include "server/access/logins.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace evertick::access {
namespace {

using protocol::Role;
using std::chrono::milliseconds;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::shared_ptr<Password> password(std::string_view line) {
    return std::make_shared<Password>(Password::parse(line).value());
}

class LoginsTest : public ::testing::Test {
  protected:
    // What comes out is noted as "name: default" or "name: WRONGPASS".
    core::Result<> begin(const std::string& name, std::string peer, std::string user, std::string text) {
        return logins.begin({std::move(peer), std::move(user), std::move(text)},
                            [this, name](const core::Result<Role>& verdict) {
                                const auto what =
                                    verdict ? protocol::name(*verdict) : core::name(verdict.error().code);
                                answers.push_back(name + ": " + std::string(what));
                            });
    }
    // Lets the thread finish one check.
    void await_check() {
        while (finished == 0) std::this_thread::yield();
        --finished;
        logins.advance(now);
    }

    std::atomic<int> finished{0};
    HashThread thread{[this] { ++finished; }};
    Logins logins{{.full = password("secret"), .readonly = password("look")}, thread};
    Penalties::TimePoint now{std::chrono::hours(1)};
    std::vector<std::string> answers;
};

TEST_F(LoginsTest, AnswersARightPasswordAtOnceWithItsRole) {
    ASSERT_TRUE(begin("a", "p", "default", "secret"));
    ASSERT_TRUE(begin("b", "p", "readonly", "look"));
    EXPECT_THAT(answers, IsEmpty()) << "not before the client waits";
    EXPECT_EQ(logins.advance(now), Logins::TimePoint::max());
    EXPECT_THAT(answers, ElementsAre("a: default", "b: readonly"));
}

TEST_F(LoginsTest, AnswersAWrongOneAfterThePenalty) {
    for (const auto& [user, text] :
         {std::pair("default", "look"), std::pair("readonly", "secret"), std::pair("nobody", "secret")}) {
        answers.clear();
        ASSERT_TRUE(begin("a", user, user, text));
        const auto next = logins.advance(now);
        EXPECT_EQ(next - now, Penalties::kFirst);
        EXPECT_THAT(answers, IsEmpty());
        logins.advance(next);
        EXPECT_THAT(answers, ElementsAre("a: WRONGPASS"));
    }
}

TEST_F(LoginsTest, HoldsThePeerThatFailedAndNobodyElse) {
    ASSERT_TRUE(begin("wrong", "bad", "default", "guess"));
    ASSERT_TRUE(begin("right", "bad", "default", "secret"));
    ASSERT_TRUE(begin("other", "good", "default", "secret"));
    const auto next = logins.advance(now);
    EXPECT_THAT(answers, ElementsAre("other: default"));
    logins.advance(next);
    EXPECT_THAT(answers, ElementsAre("other: default", "wrong: WRONGPASS", "right: default"));
}

TEST_F(LoginsTest, JudgesOneGuessOfAPeerForEachPenalty) {
    for (int i = 0; i < 4; ++i) ASSERT_TRUE(begin(std::to_string(i), "bad", "default", "guess"));
    for (const int wait : {250, 500, 1000, 2000}) {
        const auto next = logins.advance(now);
        EXPECT_EQ(next - now, milliseconds(wait));
        now = next;
    }
    logins.advance(now);
    EXPECT_EQ(answers.size(), 4U);
}

TEST_F(LoginsTest, WaitsForTheThreadOncePerPassword) {
    logins.replace({.full = password(password_hash("slow").value())});
    ASSERT_TRUE(begin("first", "p", "default", "slow"));
    EXPECT_EQ(logins.advance(now), Logins::TimePoint::max()) << "the thread brings it on";
    await_check();
    ASSERT_TRUE(begin("second", "p", "default", "slow"));
    logins.advance(now);
    EXPECT_THAT(answers, ElementsAre("first: default", "second: default"));
}

TEST_F(LoginsTest, ChecksOneOfAPeerAtATime) {
    logins.replace({.full = password(password_hash("slow").value())});
    ASSERT_TRUE(begin("first", "p", "default", "guess"));
    ASSERT_TRUE(begin("second", "p", "default", "slow"));
    logins.advance(now);
    await_check();
    EXPECT_EQ(finished, 0) << "the second has to wait for the first one's penalty";
    now += Penalties::kFirst;
    logins.advance(now);
    await_check();
    EXPECT_THAT(answers, ElementsAre("first: WRONGPASS", "second: default"));
}

TEST_F(LoginsTest, RefusesMoreThanItsLimits) {
    for (std::size_t i = 0; i < Logins::kMaxWaitingOfPeer; ++i)
        ASSERT_TRUE(begin("a", "p", "default", "guess"));
    EXPECT_EQ(begin("a", "p", "default", "secret").error().code, core::ErrorCode::limit);
    for (int peer = 0; logins.waiting() < Logins::kMaxWaiting; ++peer)
        ASSERT_TRUE(begin("a", std::to_string(peer), "default", "guess"));
    EXPECT_EQ(begin("a", "another", "default", "secret").error().code, core::ErrorCode::limit);
}

TEST_F(LoginsTest, AnswersEverybodyWhenCutShort) {
    ASSERT_TRUE(begin("a", "p", "default", "guess"));
    logins.advance(now);
    logins.cut_short();
    EXPECT_THAT(answers, ElementsAre("a: ERR"));
    EXPECT_EQ(logins.waiting(), 0U);
}

}  // namespace
}  // namespace evertick::access
