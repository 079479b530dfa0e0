// Topologies of FLUPS's interface: every point belongs to one rank, and lies where flups_locID says.
#include <numeric>

#include "program.hpp"

namespace weft::testing {
namespace {

class Topology {
 public:
  explicit Topology(const Place& place, const Three& points = {13, 6, 9}, int components = 2, bool is_complex = false,
                    MPI_Comm comm = MPI_COMM_WORLD)
      : handle_(flups_topo_new(place.axis, components, points.data(), place.parts.data(), is_complex,
                               place.rank_order.data(), place.alignment, comm)) {}
  ~Topology() { flups_topo_free(handle_); }
  Topology(const Topology&) = delete;
  Topology& operator=(const Topology&) = delete;
  FLUPS_Topology* operator*() const { return handle_; }

 private:
  FLUPS_Topology* handle_;
};

TEST(FlupsTopology, EveryPointHasOneRankWhichFollowsFromItsParts) {
  for (std::size_t i = 0; i < 12; i++) {
    const Place place = place_for(i);
    SCOPED_TRACE(::testing::Message() << place);
    const Topology topology(place);
    const Three points{13, 6, 9};
    for (int d = 0; d < 3; d++) {
      int next = 0;
      const int parts = flups_topo_get_nproc(*topology, d);
      for (int part = 0; part < parts; part++) {
        EXPECT_EQ(flups_topo_cmpt_start_id_from_rank(*topology, part, d), next);
        const int end = flups_topo_cmpt_start_id_from_rank(*topology, part + 1, d);
        EXPECT_LE(std::abs((end - next) * parts - points[static_cast<std::size_t>(d)]), parts);
        for (; next < end; next++) EXPECT_EQ(flups_topo_cmpt_rank_fromid(*topology, next, d), part);
      }
      EXPECT_EQ(next, points[static_cast<std::size_t>(d)]);
    }
    int mine[3], first[3];
    flups_topo_ranksplit(*topology, rank(), mine);
    EXPECT_EQ(flups_topo_rankindex(*topology, mine), rank());
    flups_topo_get_istartGlob(*topology, first);
    for (int d = 0; d < 3; d++) {
      EXPECT_EQ(first[d], flups_topo_cmpt_start_id_from_rank(*topology, mine[d], d));
      EXPECT_EQ(first[d] + flups_topo_get_nloc(*topology, d),
                flups_topo_cmpt_start_id_from_rank(*topology, mine[d] + 1, d));
    }
    // Ranks count along the first direction of the order fastest.
    const auto fastest = static_cast<std::size_t>(place.rank_order[0]);
    EXPECT_EQ(mine[fastest], rank() % place.parts[fastest]);
  }
}

TEST(FlupsTopology, PartsAreTheGroupsOfFlups) {
  // 18 points in 4 parts: 4 each, and one more for the last of each of two groups of two.
  if (ranks() != 4) GTEST_SKIP() << "the numbers are those of 4 ranks";
  const Topology topology({{1, 1, 4}}, {1, 1, 18});
  const std::array<int, 5> first{0, 4, 9, 13, 18};
  for (int part = 0; part <= 4; part++)
    EXPECT_EQ(flups_topo_cmpt_start_id_from_rank(*topology, part, 2), first[static_cast<std::size_t>(part)]);
}

TEST(FlupsTopology, MemoryIsPaddedAlongTheFastestDirection) {
  for (const bool is_complex : {false, true})
    for (int axis = 0; axis < 3; axis++) {
      const Place place{{1, 1, ranks()}, axis, 64};
      const Topology topology(place, {13, 6, 9}, 2, is_complex);
      const int width = is_complex ? 2 : 1;
      std::size_t points = 1, stored = 1;
      for (int d = 0; d < 3; d++) {
        const int count = flups_topo_get_nloc(*topology, d), room = flups_topo_get_nmem(*topology, d);
        points *= static_cast<std::size_t>(count);
        stored *= static_cast<std::size_t>(room);
        EXPECT_TRUE(d == axis ? room * width % 8 == 0 && (room - count) * width < 8 : room == count);
      }
      EXPECT_EQ(flups_topo_get_locsize(*topology), points * static_cast<std::size_t>(width));
      EXPECT_EQ(flups_topo_get_memsize(*topology), 2 * stored * static_cast<std::size_t>(width));
      EXPECT_EQ(flups_topo_get_isComplex(*topology), is_complex);
      EXPECT_EQ(flups_topo_get_axis(*topology), axis);
      EXPECT_EQ(flups_topo_get_lda(*topology), 2);
      EXPECT_EQ(flups_topo_get_nglob(*topology, 0), 13);
    }
}

TEST(FlupsTopology, CartesianCommunicatorsGiveTheParts) {
  const std::vector<Three> all = all_parts();
  const Three parts = all[all.size() / 2], periods{};
  MPI_Comm grid = MPI_COMM_NULL;
  MPI_Cart_create(MPI_COMM_WORLD, 3, parts.data(), periods.data(), 0, &grid);
  {
    const Topology topology({parts}, {13, 6, 9}, 1, false, grid);
    int mine[3], coordinates[3];
    flups_topo_ranksplit(*topology, rank(), mine);
    MPI_Cart_coords(grid, rank(), 3, coordinates);
    EXPECT_TRUE(std::equal(mine, mine + 3, coordinates));
    EXPECT_EQ(flups_topo_rankindex(*topology, mine), rank());
    EXPECT_EQ(flups_topo_get_comm(*topology), grid);
  }
  MPI_Comm_free(&grid);
}

TEST(FlupsTopology, PlacesCountThroughMemory) {
  // Every place once, the directions one after the other from the fastest, whatever direction i0 counts along.
  const int size[3] = {3, 4, 5};
  for (int axis = 0; axis < 3; axis++)
    for (int source = 0; source < 3; source++) {
      std::size_t place = 0;
      for (int c = 0; c < 2; c++)
        for (int slow = 0; slow < size[(axis + 2) % 3]; slow++)
          for (int middle = 0; middle < size[(axis + 1) % 3]; middle++)
            for (int fast = 0; fast < size[axis]; fast++, place += 2) {
              int index[3];  // by direction
              index[axis] = fast, index[(axis + 1) % 3] = middle, index[(axis + 2) % 3] = slow;
              EXPECT_EQ(flups_locID(source, index[source], index[(source + 1) % 3], index[(source + 2) % 3], c, axis,
                                    size, 2),
                        place);
            }
    }
}

TEST(FlupsTopology, ModesBehindTheSymmetryAreThoseOfNegativeWavenumbers) {
  const int first[3] = {0, 2, 0};
  const double symmetry[3] = {0, 4, 2.5};  // a half spectrum, 8 modes, 5 modes
  const std::array<int, 8> of_eight{0, 1, 2, 3, 4, 3, 2, 1};
  const std::array<int, 5> of_five{0, 1, 2, 2, 1};
  for (std::size_t j = 2; j < 8; j++)
    for (std::size_t k = 0; k < 5; k++) {
      int mode[3];
      flups_symID(1, static_cast<int>(j) - 2, static_cast<int>(k), 7, first, symmetry, 0, mode);
      EXPECT_EQ(mode[0], 7);
      EXPECT_EQ(mode[1], of_eight[j]);
      EXPECT_EQ(mode[2], of_five[k]);
    }
}

TEST(FlupsTopology, DirectionsAreTransformedByTheirKind) {
  std::array<FLUPS_BoundaryType, 4> kinds{UNB, PER, EVEN, NONE};
  const FLUPS_BoundaryType* bc[3][2] = {{&kinds[0], &kinds[0]}, {&kinds[2], &kinds[2]}, {&kinds[1], &kinds[1]}};
  int order[3];
  flups_pencilDirs(bc, order);
  EXPECT_EQ((Three{order[0], order[1], order[2]}), (Three{1, 2, 0}));
  bc[1][0] = bc[1][1] = &kinds[3];
  flups_pencilDirs(bc, order);
  EXPECT_EQ((Three{order[0], order[1], order[2]}), (Three{2, 0, 1}));
}

}  // namespace
}  // namespace weft::testing
