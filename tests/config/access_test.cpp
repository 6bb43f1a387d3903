#include "config/access.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/config/loading.hpp"

namespace evertick::config {
namespace {

using ::testing::HasSubstr;

TEST(Access, KnowsTheAddressesOfThisMachine) {
    for (const std::string address : {"127.0.0.1", "127.255.255.254", "::1", "0:0:0:0:0:0:0:1", "localhost"})
        EXPECT_TRUE(is_loopback(address)) << address;
}

TEST(Access, TakesEveryOtherAddressForPublic) {
    for (const std::string address : {"0.0.0.0", "::", "10.0.0.1", "128.0.0.1", "fe80::1", "::ffff:10.0.0.1",
                                      "", "127", "127.1", "127.0.0.1.", "127.0.0.1.example.com",
                                      "localhost.example.com", "example.com", "1", " 127.0.0.1", "[::1]"})
        EXPECT_FALSE(is_loopback(address)) << address;
}

TEST(Access, RefusesAPublicAddressAndNamesBothWaysOut) {
    Settings settings;
    settings.bind = "0.0.0.0";
    const auto checked = check_access(settings);
    ASSERT_FALSE(checked.has_value());
    EXPECT_THAT(checked.error().message, HasSubstr("'0.0.0.0'"));
    EXPECT_THAT(checked.error().message, HasSubstr("127.0.0.1"));
    EXPECT_THAT(checked.error().message, HasSubstr("--insecure"));
    EXPECT_THAT(checked.error().message, HasSubstr("EVERTICK_INSECURE=true"));
    EXPECT_THAT(checked.error().message, HasSubstr("--password-file"));
    EXPECT_THAT(checked.error().message, HasSubstr("EVERTICK_PASSWORD_FILE"));
}

TEST(Access, AcceptsAPublicAddressWithAPassword) {
    Settings settings;
    settings.bind = "0.0.0.0";
    settings.password_file = "/run/secrets/evertick";
    EXPECT_TRUE(check_access(settings).has_value());
}

TEST(Access, WantsAPasswordForThoseWhoChangeThingsWhenReadersHaveOne) {
    Settings settings;
    settings.readonly_password_file = "/run/secrets/readonly";
    const auto checked = check_access(settings);
    ASSERT_FALSE(checked.has_value());
    EXPECT_THAT(checked.error().message, HasSubstr("readonly-password-file without password-file"));
}

TEST(Access, RefusesWhatIsNoAddress) {
    for (const std::string address :
         {"", "300.1.1.1", "127.1", "1", " 127.0.0.1", "[::1]", "a b", "::g", "127.0.0.1:7777"}) {
        Settings settings;
        settings.bind = address;
        settings.insecure = true;
        const auto checked = check_access(settings);
        ASSERT_FALSE(checked.has_value()) << address;
        EXPECT_EQ(checked.error().message, "bind: '" + address +
                                               "' is not an address; expected one such as 127.0.0.1, ::1 or "
                                               "localhost");
    }
}

TEST(Access, TakesHostNamesAndAddressesOfBothFamilies) {
    for (const std::string address :
         {"10.0.0.1", "::", "fe80::1%eth0", "::ffff:10.0.0.1", "game-1.example.com"}) {
        Settings settings;
        settings.bind = address;
        settings.insecure = true;
        EXPECT_TRUE(check_access(settings).has_value()) << address;
    }
}

TEST(Access, AcceptsAPublicAddressWithInsecure) {
    Settings settings;
    settings.bind = "0.0.0.0";
    settings.insecure = true;
    EXPECT_TRUE(check_access(settings).has_value());
}

TEST(Access, IsCheckedOnlyWhereAServerWouldListen) {
    EXPECT_THAT(test::error_of({"--bind", "0.0.0.0"}), HasSubstr("refusing to listen"));
    EXPECT_THAT(test::error_of({"--bind", "0.0.0.0", "--check-config"}), HasSubstr("refusing to listen"));
    EXPECT_EQ(test::error_of({"--bind", "0.0.0.0", "--insecure"}), "accepted");
    EXPECT_EQ(test::error_of({"--bind", "0.0.0.0", "--print-config"}), "accepted");
    EXPECT_EQ(test::error_of({"--healthcheck"}, {"EVERTICK_BIND=0.0.0.0"}), "accepted")
        << "a health check does not see the flags of the server it checks";
}

}  // namespace
}  // namespace evertick::config
