#include "server/net/unix_socket.hpp"

#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "tests/server/net/net_test.hpp"

namespace evertick::test {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class UnixSocket : public NetTest {
  protected:
    UnixSocket() { fs::create_directory(folder); }
    ~UnixSocket() override { fs::remove_all(folder); }

    std::string error_of(const std::string& at) {
        const auto opened = net::open_unix_socket(at, 0600);
        return opened ? "opened" : opened.error().message;
    }

    const std::string folder = ::testing::TempDir() + "evertick_unix_" + std::to_string(::getpid());
    const std::string path = folder + "/socket";
};

TEST_F(UnixSocket, ServesBesideThePort) {
    listen();
    ASSERT_TRUE(listener->open_unix(path, 0600));
    TestClient& local = clients.emplace_back(TestClient::at_path(path));
    TestClient& remote = connect();
    local.say("ECHO local\n");
    remote.say("ECHO remote\n");
    EXPECT_EQ(hear(local, 8), "+local\r\n");
    EXPECT_EQ(hear(remote, 9), "+remote\r\n");
    std::vector<std::string> addresses;
    listener->for_each_client([&](const auto& client) { addresses.push_back(client.address); });
    EXPECT_THAT(addresses, ::testing::Contains("unix:" + path));
}

TEST_F(UnixSocket, CountsAsThisMachine) {
    const auto listening = net::open_unix_socket(path, 0600);
    ASSERT_TRUE(listening) << listening.error().message;
    const TestClient client = TestClient::at_path(path);
    const net::Accepted accepted = net::accept_from(listening->socket.get());
    EXPECT_TRUE(accepted.peer.loopback);
    EXPECT_EQ(accepted.peer.text, "unix:" + path);
}

TEST_F(UnixSocket, HasTheLastReplyReadThoughInputIsIgnored) {
    listen();
    ASSERT_TRUE(listener->open_unix(path, 0600));
    TestClient& client = clients.emplace_back(TestClient::at_path(path));
    client.say("ECHO a\nQUIT\n" + repeated("ECHO ignored\n", 100'000));
    EXPECT_EQ(hear_to_the_end(client), "+a\r\n+OK\r\n");
}

TEST_F(UnixSocket, NoticesThatNobodyWaitsForAReplyAnyMore) {
    listen();
    ASSERT_TRUE(listener->open_unix(path, 0600));
    TestClient& client = clients.emplace_back(TestClient::at_path(path));
    client.say("WAIT\n");
    EXPECT_TRUE(serve_until([&] { return sink.executed[1] == 1; }));
    client.close();
    EXPECT_TRUE(serve_until([&] { return listener->client_count() == 0; }));
}

TEST_F(UnixSocket, HasThePermissionsAskedForWhateverTheUmask) {
    const mode_t before = ::umask(0077);
    for (const mode_t permissions : {0600U, 0660U, 0666U}) {
        const auto listening = net::open_unix_socket(path, permissions);
        ASSERT_TRUE(listening) << listening.error().message;
        struct stat found{};
        ::stat(path.c_str(), &found);
        EXPECT_EQ(found.st_mode & 0777U, permissions);
    }
    ::umask(before);
}

TEST_F(UnixSocket, TakesItsFileAwayUnlessAnotherHasTakenItsPlace) {
    listen();
    ASSERT_TRUE(listener->open_unix(path, 0600));
    EXPECT_TRUE(fs::exists(path));
    listener->stop_accepting();
    EXPECT_FALSE(fs::exists(path));
    {
        const auto listening = net::open_unix_socket(path, 0600);
        fs::remove(path);
        std::ofstream(path) << "of somebody else";
    }
    EXPECT_TRUE(fs::exists(path));
}

TEST_F(UnixSocket, ReplacesASocketThatNobodyListensOn) {
    const auto dead = net::open_unix_socket(path, 0600);
    ::shutdown(dead->socket.get(), SHUT_RDWR);  // as after a crash: the file is there, the listener is not
    EXPECT_EQ(error_of(path), "opened");
}

TEST_F(UnixSocket, LeavesASocketThatSomebodyListensOn) {
    const auto listening = net::open_unix_socket(path, 0600);
    EXPECT_THAT(error_of(path), HasSubstr("another server listens on it"));
    EXPECT_TRUE(fs::exists(path));
}

TEST_F(UnixSocket, LeavesEveryOtherFile) {
    std::ofstream(path) << "precious";
    EXPECT_THAT(error_of(path), HasSubstr("'" + path + "': a file is there that is no socket"));
    EXPECT_EQ(fs::file_size(path), 8U);
    fs::create_symlink(path, folder + "/link");
    EXPECT_THAT(error_of(folder + "/link"), HasSubstr("no socket"));
    EXPECT_THAT(error_of(folder), HasSubstr("no socket"));
}

TEST_F(UnixSocket, NamesAPathThatCannotBe) {
    EXPECT_THAT(error_of(folder + "/missing/socket"), HasSubstr("No such file"));
    EXPECT_THAT(error_of(std::string(200, 'x')), HasSubstr("at most 107 bytes"));
}

}  // namespace
}  // namespace evertick::test
