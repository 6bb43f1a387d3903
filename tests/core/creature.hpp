#pragma once
// A record with a field of every kind, for the tests of schema and text forms.

#include <array>
#include <cstdint>
#include <string>

#include "core/schema.hpp"
#include "core/verify.hpp"

template <>
struct evertick::core::FieldTraits<evertick::core::Handle> {
    static constexpr Kind kind = Kind::handle;
};

namespace evertick::core::test {

enum class Mood : std::uint8_t { calm, angry, afraid };
constexpr std::array<std::string_view, 3> words(Mood) { return {"calm", "angry", "afraid"}; }

enum class Trait : std::uint8_t { winged, horned, venomous };
constexpr std::array<std::string_view, 3> words(Trait) { return {"winged", "horned", "venomous"}; }

struct Creature {
    bool awake = true;
    std::int32_t charge = -1;
    std::uint32_t legs = 4;
    std::int64_t born = 0;
    std::uint64_t seed = 1;
    float height = 1.5F;
    double mass = 80;
    Mood mood = Mood::calm;
    FlagSet<Trait> traits;
    Handle target;
    std::string name = "rex";

    static consteval auto schema() {
        return describe("creature", "one of each kind",  //
                        field<&Creature::awake>("awake"), field<&Creature::charge>("charge"),
                        field<&Creature::legs>("legs", {.min = 0, .max = 1000}),
                        field<&Creature::born>("born", {.min = -9007199254740992}),
                        field<&Creature::seed>("seed"),
                        field<&Creature::height>("height", {.unit = "m", .min = -100, .max = 100}),
                        field<&Creature::mass>("mass", {.unit = "kg", .min = 1e-3}),
                        field<&Creature::mood>("mood"), field<&Creature::traits>("traits"),
                        field<&Creature::target>("target"), field<&Creature::name>("name"));
    }
};

inline constexpr RecordType kCreature = record_type<Creature>();

inline const Field& creature_field(std::string_view name) {
    const Field* const found = kCreature.find(name);
    verify(found != nullptr, "creature_field: no such field");
    return *found;
}

}  // namespace evertick::core::test
