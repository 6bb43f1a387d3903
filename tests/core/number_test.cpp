#include "core/number.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "core/random.hpp"

namespace evertick::core {

void PrintTo(NumberFault fault, std::ostream* out) {
    constexpr std::string_view kNames[] = {"syntax", "too_small", "too_large"};
    *out << kNames[std::to_underlying(fault)];
}

namespace {

template <class Number>
NumberFault fault_of(std::string_view text) {
    const auto value = parse_number<Number>(text);
    EXPECT_FALSE(value.has_value()) << "'" << text << "' was read as " << value.value_or(Number{});
    return value ? NumberFault{} : value.error();
}

template <class Number>
Number number_of(std::string_view text) {
    const auto value = parse_number<Number>(text);
    EXPECT_TRUE(value.has_value()) << "'" << text << "' was refused";
    return value.value_or(Number{});
}

std::string text_of(auto number) {
    std::string out;
    append_number(out, number);
    return out;
}

TEST(ParseNumber, ReadsDecimalFloats) {
    EXPECT_EQ(number_of<double>("0"), 0.0);
    EXPECT_EQ(number_of<double>("+1.5"), 1.5);
    EXPECT_EQ(number_of<double>("-12.25e2"), -1225.0);
    EXPECT_EQ(number_of<double>("3e+2"), 300.0);
    EXPECT_EQ(number_of<double>("000000012345e-5"), 0.12345);
    EXPECT_EQ(number_of<float>("0.1"), 0.1F);
}

TEST(ParseNumber, TakesTheWholeTextOrNothing) {
    for (const std::string_view text :
         {"",      "+",   "-",    ".",        ".5",    "5.",  "1.e5", "e5",  "1e",   "1e+",
          "1e5.0", "+-1", "--1",  " 1",       "1 ",    "1,0", "0x1",  "0b1", "1_0",  "1f",
          "nan",   "inf", "-inf", "infinity", "1e5e5", "1E5", "١",    "1\n", "1.2.3"})
        EXPECT_EQ(fault_of<double>(text), NumberFault::syntax) << text;
    EXPECT_EQ(fault_of<double>(std::string_view("1\0", 2)), NumberFault::syntax) << "a NUL after the number";
}

TEST(ParseNumber, RefusesFloatsThatOverflow) {
    EXPECT_EQ(fault_of<double>("1e309"), NumberFault::too_large);
    EXPECT_EQ(fault_of<double>("-1e309"), NumberFault::too_small);
    EXPECT_EQ(fault_of<float>("3.5e38"), NumberFault::too_large);
    EXPECT_EQ(fault_of<double>("1e99999999999999999999"), NumberFault::too_large);
    EXPECT_EQ(fault_of<double>("1" + std::string(400, '0')), NumberFault::too_large);
    EXPECT_EQ(fault_of<double>("0." + std::string(100, '0') + "1e500"), NumberFault::too_large);
}

TEST(ParseNumber, MakesUnderflowZero) {
    for (const std::string_view text :
         {"1e-400", "-1e-400", "1e-99999999999999999999", "0e99999999999999999999"}) {
        EXPECT_EQ(number_of<double>(text), 0.0) << text;
        EXPECT_FALSE(std::signbit(number_of<double>(text))) << text;
    }
    EXPECT_EQ(number_of<float>("1e-46"), 0.0F);
    EXPECT_EQ(number_of<double>("0." + std::string(400, '0') + "1"), 0.0);
}

TEST(ParseNumber, KeepsSubnormalFloats) {
    EXPECT_EQ(number_of<double>("5e-324"), std::numeric_limits<double>::denorm_min());
    EXPECT_EQ(number_of<double>("1e-310"), 1e-310);
    EXPECT_EQ(number_of<float>("1e-45"), std::numeric_limits<float>::denorm_min());
}

TEST(ParseNumber, ReadsEveryIntegerOfItsType) {
    EXPECT_EQ(number_of<std::int32_t>("-2147483648"), std::numeric_limits<std::int32_t>::min());
    EXPECT_EQ(number_of<std::uint32_t>("4294967295"), std::numeric_limits<std::uint32_t>::max());
    EXPECT_EQ(number_of<std::int64_t>("-9223372036854775808"), std::numeric_limits<std::int64_t>::min());
    EXPECT_EQ(number_of<std::int64_t>("+9223372036854775807"), std::numeric_limits<std::int64_t>::max());
    EXPECT_EQ(number_of<std::uint64_t>("18446744073709551615"), std::numeric_limits<std::uint64_t>::max());
    EXPECT_EQ(number_of<std::uint64_t>("-0"), 0U);
    EXPECT_EQ(number_of<std::uint32_t>("00000000000000000000000000007"), 7U);
}

TEST(ParseNumber, RefusesIntegersOneBeyondTheirType) {
    EXPECT_EQ(fault_of<std::int32_t>("2147483648"), NumberFault::too_large);
    EXPECT_EQ(fault_of<std::int32_t>("-2147483649"), NumberFault::too_small);
    EXPECT_EQ(fault_of<std::uint32_t>("4294967296"), NumberFault::too_large);
    EXPECT_EQ(fault_of<std::uint32_t>("-1"), NumberFault::too_small);
    EXPECT_EQ(fault_of<std::int64_t>("9223372036854775808"), NumberFault::too_large);
    EXPECT_EQ(fault_of<std::int64_t>("-9223372036854775809"), NumberFault::too_small);
    EXPECT_EQ(fault_of<std::uint64_t>("18446744073709551616"), NumberFault::too_large);
    EXPECT_EQ(fault_of<std::uint64_t>("-99999999999999999999999"), NumberFault::too_small);
}

TEST(ParseNumber, RefusesFractionsAndExponentsInIntegers) {
    for (const std::string_view text : {"1.0", "1e3", "", "+", "0x10", " 1", "1 ", "one"})
        EXPECT_EQ(fault_of<std::int64_t>(text), NumberFault::syntax) << text;
}

TEST(AppendNumber, WritesTheShortestText) {
    EXPECT_EQ(text_of(0.1F), "0.1");
    EXPECT_EQ(text_of(0.1), "0.1");
    EXPECT_EQ(text_of(30.0), "30");
    EXPECT_EQ(text_of(-1.5F), "-1.5");
    EXPECT_EQ(text_of(std::numeric_limits<std::int64_t>::min()), "-9223372036854775808");
}

template <class Number, class Bits>
void expect_reads_back(Bits bits) {
    const auto number = std::bit_cast<Number>(bits);
    if (!std::isfinite(number)) return;
    EXPECT_EQ(std::bit_cast<Bits>(number_of<Number>(text_of(number))), bits) << text_of(number);
}

TEST(AppendNumber, ReadsBackToTheSameBits) {
    constexpr std::uint64_t kSeed = 20240607;
    SCOPED_TRACE("seed " + std::to_string(kSeed));
    Random random(kSeed);
    for (int i = 0; i < 20'000; ++i) {
        expect_reads_back<double>(random.next());
        expect_reads_back<float>(static_cast<std::uint32_t>(random.next()));
    }
}

TEST(AppendNumberDeathTest, AbortsOnWhatIsNoNumber) {
    std::string out;
    EXPECT_DEATH(append_number(out, std::nan("")), "not finite");
}

}  // namespace
}  // namespace evertick::core
