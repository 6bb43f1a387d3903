#include "server/protocol/transaction.hpp"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

namespace evertick::protocol {
namespace {

using Words = std::vector<std::string>;

std::vector<Words> requests_of(const Transaction& transaction) {
    std::vector<Words> all;
    transaction.for_each([&](auto words) { all.emplace_back(words.begin(), words.end()); });
    return all;
}

TEST(Transaction, KeepsWordsByteForByteInTheirOrder) {
    Transaction transaction;
    const std::string bytes("a\0\r\nb", 5);
    EXPECT_TRUE(transaction.add(std::array<std::string_view, 3>{"SET", "", bytes}));
    EXPECT_TRUE(transaction.add(std::array<std::string_view, 1>{"PING"}));
    EXPECT_EQ(transaction.size(), 2U);
    EXPECT_EQ(requests_of(transaction), (std::vector<Words>{{"SET", "", bytes}, {"PING"}}));
}

TEST(Transaction, HoldsABoundedNumberOfRequests) {
    Transaction transaction;
    const std::array<std::string_view, 1> ping{"PING"};
    for (std::size_t i = 0; i < Transaction::kMaxRequests; ++i) ASSERT_TRUE(transaction.add(ping)) << i;
    EXPECT_FALSE(transaction.add(ping));
    EXPECT_EQ(transaction.size(), Transaction::kMaxRequests);
}

TEST(Transaction, HoldsABoundedNumberOfBytes) {
    Transaction transaction;
    const std::string quarter(Transaction::kMaxBytes / 4, 'x');
    const std::array<std::string_view, 1> words{quarter};
    for (int i = 0; i < 3; ++i) ASSERT_TRUE(transaction.add(words)) << i;
    EXPECT_FALSE(transaction.add(words)) << "the lengths count, too";
    EXPECT_TRUE(transaction.add(std::array<std::string_view, 1>{"PING"}));
    EXPECT_EQ(transaction.size(), 4U);
    EXPECT_FALSE(Transaction{}.add(std::vector<std::string_view>(Transaction::kMaxBytes / 4)))
        << "so do words without a byte";
}

}  // namespace
}  // namespace evertick::protocol
