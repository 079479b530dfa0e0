// Vector boundaries: which components go together, what their scalars and curls are, and how their modes agree.
#include "poisson/field_space.hpp"

#include <gtest/gtest.h>

#include "../error_text.hpp"

namespace weft {
namespace {

using testing::error_text;
using testing::mentions;

const Boundary P{End::periodic}, E{End::even}, O{End::odd}, U{End::unbounded}, EO{End::even, End::odd},
    OE{End::odd, End::even}, EU{End::even, End::unbounded}, OU{End::odd, End::unbounded}, UE{End::unbounded, End::even};

TEST(FieldSpace, VectorsHaveMirrorSymmetry) {
  EXPECT_EQ(error_text([] { check_vector({{O, E, P}, {E, O, P}, {E, E, P}}); }), "no error");
  EXPECT_EQ(error_text([] { check_vector({{OE, U}, {EO, U}}); }), "no error");
  EXPECT_EQ(error_text([] { check_vector({{OU, E}, {EU, O}}); }), "no error");
  EXPECT_EQ(error_text([] { check_vector(FieldSpace(3, {P, U, P})); }), "no error");
}

TEST(FieldSpace, OtherComponentsAreRefusedByName) {
  const auto refused = [](const FieldSpace& space, const auto&... words) {
    const std::string text = error_text([&] { check_vector(space); });
    EXPECT_TRUE(mentions(text, words...)) << text;
  };
  // Parity: the normal component like the others, or the tangential ones unlike.
  refused({{E, P}, {E, P}}, "component 0, axis 0", "even", "odd", "normal");
  refused({{O, E, P}, {E, O, P}, {O, E, P}}, "component 2, axis 0", "even");
  // Class, half-integer modes, unbounded side.
  refused({{P, P}, {E, P}}, "component 0, axis 0", "periodic", "even");
  refused({{EO, P}, {E, P}}, "component 0, axis 0", "(even, odd)", "does not go with even");
  refused({{P, EU}, {P, UE}}, "component 1, axis 1", "same side");
}

TEST(FieldSpace, ScalarsAndCurls) {
  EXPECT_EQ(scalar_space({{O, E, P}, {E, O, P}, {E, E, P}}), (FieldSpace{{E, E, P}}));
  EXPECT_EQ(curl_space({{O, E, P}, {E, O, P}, {E, E, P}}), (FieldSpace{{E, O, P}, {O, E, P}, {O, O, P}}));
  EXPECT_EQ(curl_space({{OE, U}, {EO, U}}), (FieldSpace{{OE, U}}));
  // The curl of a vector field is one, too, and so is the curl of that.
  const FieldSpace vectors{{OU, E, OE}, {EU, O, OE}, {EU, E, EO}};
  EXPECT_EQ(curl_space(curl_space(vectors)), vectors);
  EXPECT_EQ(error_text([&] { check_vector(curl_space(vectors)); }), "no error");
}

TEST(FieldSpace, AlignedTransformsStoreAWavenumberAtTheSamePlace) {
  for (const Centring centring : {Centring::cell, Centring::node}) {
    for (const auto& [even, odd] :
         {std::pair{E, O}, std::pair{EO, OE}, std::pair{EU, OU}, std::pair{P, P}, std::pair{U, U}}) {
      const DomainAxis one{6, 2.5, even, centring}, other{6, 2.5, odd, centring}, extension = even_extension(one);
      const AxisTransform a = aligned_transform(one, false), b = aligned_transform(other, false),
                          all = axis_transform(extension, false);
      EXPECT_EQ(a.modes, b.modes);
      EXPECT_EQ(a.modes, all.modes);
      for (const auto& [axis, transform] : {std::pair{one, a}, std::pair{other, b}}) {
        EXPECT_LE(transform.first_mode + transform.made_modes(), transform.modes);
        for (index_t mode = 0; mode < transform.made_modes(); mode++)
          EXPECT_DOUBLE_EQ(wavenumber(axis, transform, mode), wavenumber(extension, all, transform.first_mode + mode))
              << to_string(axis.boundary) << " " << to_string(centring) << " mode " << mode;
      }
    }
  }
}

}  // namespace
}  // namespace weft
