#include "server/access/password.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>

namespace evertick::access {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string error_of(std::string_view line) {
    const auto password = Password::parse(line);
    return password ? "accepted" : password.error().message;
}

TEST(Password, KnowsThePasswordOfItsFileAtOnce) {
    for (const std::string line : {"secret", "secret\n", "secret\r\n"}) {
        const auto password = Password::parse(line);
        ASSERT_TRUE(password) << password.error().message;
        EXPECT_EQ(password->match("secret"), Match::yes);
        for (const std::string wrong : {"", "secre", "secret\n", "Secret", "secretsecret"})
            EXPECT_EQ(password->match(wrong), Match::no) << wrong;
    }
}

TEST(Password, ConfirmsAgainstAHashAndRemembers) {
    const auto hash = password_hash("correct horse");
    ASSERT_TRUE(hash);
    EXPECT_THAT(*hash, StartsWith("$argon2id$"));
    auto password = Password::parse(*hash + "\n");
    ASSERT_TRUE(password) << password.error().message;
    EXPECT_EQ(password->match("correct horse"), Match::unknown);
    EXPECT_TRUE(password->confirm("correct horse"));
    EXPECT_FALSE(password->confirm("wrong horse"));
    EXPECT_FALSE(password->confirm(*hash)) << "the hash is no password";
    password->remember("correct horse");
    EXPECT_EQ(password->match("correct horse"), Match::yes);
    EXPECT_EQ(password->match("wrong horse"), Match::unknown);
}

TEST(Password, HashesTheSameTextDifferentlyEachTime) {
    EXPECT_NE(password_hash("secret").value(), password_hash("secret").value());
}

TEST(Password, RefusesWhatIsNoPasswordAndNoHash) {
    EXPECT_THAT(error_of(""), HasSubstr("no password"));
    EXPECT_THAT(error_of("\n"), HasSubstr("no password"));
    EXPECT_THAT(error_of("one\ntwo\n"), HasSubstr("one line"));
    EXPECT_THAT(error_of(std::string_view("a\0b", 3)), HasSubstr("one line"));
    EXPECT_THAT(error_of(std::string(1025, 'x')), HasSubstr("at most 1024"));
    for (const char* hash : {"$6$salt$abc", "$argon2id$v=19$m=1", "$y$j9T$x$y", "$"})
        EXPECT_THAT(error_of(hash), HasSubstr("--hash-password")) << hash;
}

TEST(Password, ComesFromAFile) {
    const std::string path = ::testing::TempDir() + "evertick_password_test";
    std::ofstream(path) << "secret\n";
    EXPECT_EQ(read_password("password-file", path)->match("secret"), Match::yes);
    std::ofstream(path) << std::string(5000, 'x');
    EXPECT_THAT(read_password("password-file", path).error().message, HasSubstr("at most 1024"));
    std::remove(path.c_str());
    EXPECT_THAT(read_password("password-file", path).error().message,
                HasSubstr("password-file: '" + path + "': No such file"));
    EXPECT_FALSE(read_password("password-file", "/")) << "a folder is no password";
}

}  // namespace
}  // namespace evertick::access
