// Solves in parts through FLUPS's interface: transforms, modes and their wavenumbers, factors, inner topologies, files.
#include <fstream>

#include "folder.hpp"
#include "program.hpp"
#include "weft/io.hpp"

namespace weft::testing {
namespace {

/// Numbers without a pattern, of every component.
double noise(int c, const Point& x) { return std::sin(1e4 * (x[0] + 1.7 * x[1] + 2.3 * x[2]) + c); }

double farthest(const Program& program, const std::vector<double>& one, const std::vector<double>& other) {
  double mine = 0, all = 0;
  program.for_each(program.topology(), [&](int, const Point&, std::size_t place) {
    mine = std::max(mine, std::abs(one[place] - other[place]));
  });
  MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return all;
}

/// A buffer that points and modes fit into, with a field.
std::vector<double> buffer_of(const Program& program, const std::vector<double>& field) {
  std::vector<double> buffer(std::max(flups_get_allocSize(program.solver()), field.size()));
  std::copy(field.begin(), field.end(), buffer.begin());
  return buffer;
}

// The largest difference between a solve in parts and in one call.
double difference_of_parts(const Program& program, FLUPS_SolverType type) {
  std::vector<double> rhs = program.field(noise), solution(rhs.size());
  flups_solve(program.solver(), solution.data(), rhs.data(), type);
  std::vector<double> buffer = buffer_of(program, rhs);
  flups_do_FFT(program.solver(), buffer.data(), FLUPS_FORWARD);
  flups_do_mult(program.solver(), buffer.data(), type);
  flups_do_FFT(program.solver(), buffer.data(), type == ROT ? FLUPS_BACKWARD_DIFF : FLUPS_BACKWARD);
  return farthest(program, buffer, solution);
}

TEST(FlupsParts, GiveTheSolution) {
  std::size_t i = 0;
  for (const Pairs& pairs : {Pairs{periodic, periodic, periodic}, Pairs{odd, odd_even, periodic},
                             Pairs{open, even_open, odd}, Pairs{open, open, open}, Pairs{even, odd_even, odd_open}})
    for (const FLUPS_CenterType centre : {CELL_CENTER, NODE_CENTER}) {
      const Place place = place_for(i++);
      SCOPED_TRACE(::testing::Message() << place << ", case " << i);
      Setting setting{{8, 12, 10}, {1, 1.5, 1.25}, centre, {pairs}, HEJ_4};
      if (i % 2 == 0) setting.boundary.push_back(pairs);
      const Program program(setting, place);
      EXPECT_LT(difference_of_parts(program, STD), 1e-14);
    }
}

TEST(FlupsParts, GiveTheSolutionForACurl) {
  std::size_t i = 0;
  // By component: the conditions along each direction.
  const std::vector<std::vector<Pairs>> fields{
      {{periodic, periodic, periodic}, {periodic, periodic, periodic}, {periodic, periodic, periodic}},
      {{even, odd, odd}, {odd, even, odd}, {odd, odd, even}},
      {{even_open, periodic, open}, {odd_open, periodic, open}, {odd_open, periodic, open}}};
  for (const std::vector<Pairs>& boundary : fields)
    for (const FLUPS_DiffType type : {SPE, FD4}) {
      const Place place = place_for(i++);
      SCOPED_TRACE(::testing::Message() << place << ", case " << i);
      const Setting setting{{8, 12, 10}, {1, 1.5, 1.25}, CELL_CENTER, boundary, CHAT_2, type};
      const Program program(setting, place);
      EXPECT_LT(difference_of_parts(program, ROT), 1e-13);
    }
}

TEST(FlupsParts, GiveTheSolutionForACurlInAPlane) {
  const Pairs flat{odd, periodic, {NONE, NONE}}, normal{even, periodic, {NONE, NONE}};
  const Program program({{8, 12, 1}, {1, 1.5, 1}, NODE_CENTER, {normal, flat, flat}, CHAT_2, SPE}, {{1, ranks(), 1}});
  EXPECT_LT(difference_of_parts(program, ROT), 1e-13);
}

struct Peak {
  double largest = 0, k2 = 0;
};

// The largest mode of all ranks and its wavenumber squared, by what the interface says about modes.
Peak peak_of(const Program& program, const std::vector<double>& modes) {
  FLUPS_Topology* topology = flups_get_innerTopo_spectral(program.solver());
  double factor[3], offset[3], symmetry[3];
  flups_get_spectralInfo(program.solver(), factor, offset, symmetry);
  int first[3];
  flups_topo_get_istartGlob(topology, first);
  const int axis = flups_topo_get_axis(topology), width = flups_topo_get_isComplex(topology) ? 2 : 1;
  const int stored[3] = {flups_topo_get_nmem(topology, 0), flups_topo_get_nmem(topology, 1),
                         flups_topo_get_nmem(topology, 2)};
  Peak mine;
  for (int i2 = 0; i2 < flups_topo_get_nloc(topology, (axis + 2) % 3); i2++)
    for (int i1 = 0; i1 < flups_topo_get_nloc(topology, (axis + 1) % 3); i1++)
      for (int i0 = 0; i0 < flups_topo_get_nloc(topology, axis); i0++) {
        const double* mode = &modes[flups_locID(axis, i0, i1, i2, 0, axis, stored, width)];
        const double size = width == 2 ? std::hypot(mode[0], mode[1]) : std::abs(mode[0]);
        int number[3];
        flups_symID(axis, i0, i1, i2, first, symmetry, 0, number);
        double k2 = 0;
        for (int d = 0; d < 3; d++) k2 += std::pow((number[d] + offset[d]) * factor[d], 2);
        if (size > mine.largest) mine = {size, k2};
      }
  std::vector<Peak> all(static_cast<std::size_t>(ranks()));
  MPI_Allgather(&mine, 2, MPI_DOUBLE, all.data(), 2, MPI_DOUBLE, MPI_COMM_WORLD);
  return *std::max_element(all.begin(), all.end(), [](const Peak& a, const Peak& b) { return a.largest < b.largest; });
}

TEST(FlupsParts, ModesHaveTheWavenumbersAndTheSizeOfTransformsWithoutScaling) {
  std::size_t i = 0;
  for (const Pairs& pairs : {Pairs{periodic, periodic, periodic}, Pairs{odd, even, periodic},
                             Pairs{even, odd_even, odd}, Pairs{periodic, odd_even, periodic}})
    for (const FLUPS_CenterType centre : {CELL_CENTER, NODE_CENTER}) {
      const Place place = place_for(i++);
      SCOPED_TRACE(::testing::Message() << place << ", case " << i);
      const Setting setting{{8, 12, 10}, {1, 1.5, 1.25}, centre, {pairs}};
      const Program program(setting, place);
      std::vector<Wave> waves;
      double k2 = 0, size = 1;
      for (std::size_t d = 0; d < 3; d++) {
        waves.emplace_back(pairs[d], setting.length[d]);
        k2 += waves[d].k() * waves[d].k();
        // Half of a wave's points for each of two modes, or all of them twice in halves.
        size *= pairs[d] == periodic ? setting.cells[d] / 2.0 : setting.cells[d];
      }
      std::vector<double> buffer = buffer_of(program, program.field([&](int, const Point& x) {
        return waves[0].value(x[0]) * waves[1].value(x[1]) * waves[2].value(x[2]);
      }));
      flups_do_FFT(program.solver(), buffer.data(), FLUPS_FORWARD);
      const Peak peak = peak_of(program, buffer);
      EXPECT_NEAR(peak.k2, k2, 1e-10 * k2);
      EXPECT_NEAR(peak.largest, size, 1e-11 * size);
    }
}

TEST(FlupsParts, FieldsOnTheInnerTopologyAreSolvedThere) {
  for (std::size_t i = 0; i < 6; i++) {
    const Place place = place_for(i);
    SCOPED_TRACE(::testing::Message() << place);
    const std::vector<Pairs> boundary(3, {open, open, periodic});
    const Setting setting{{8, 12, 10}, {1, 1.5, 1.25}, CELL_CENTER, boundary, HEJ_2, SPE};
    const Program there(setting, place), here(setting, place);
    flups_skip_firstSwitchtopo(here.solver());
    FLUPS_Topology* inner = flups_get_innerTopo_physical(here.solver());
    for (const FLUPS_SolverType type : {STD, ROT}) {
      std::vector<double> rhs = there.field(noise), solution(rhs.size());
      flups_solve(there.solver(), solution.data(), rhs.data(), type);
      std::vector<double> values = here.field(inner, noise);
      flups_solve(here.solver(), values.data(), values.data(), type);
      // The same bits, whatever the distribution: their sum of squares goes over other ranks alone.
      const auto zero = [](int, const Point&) { return 0.0; };
      const Program::Distance one = there.distance(solution.data(), zero),
                              other = here.distance(inner, values.data(), zero);
      EXPECT_EQ(one.largest, other.largest);
      EXPECT_NEAR(one.mean_square, other.mean_square, 1e-14 * one.mean_square);
    }
  }
}

std::string info_of(const Setting& setting, const Place& place) {
  const Program program(setting, place);
  ::testing::internal::CaptureStdout();
  flups_switchtopo_info(program.solver());
  std::fflush(stdout);
  return ::testing::internal::GetCapturedStdout();
}

TEST(FlupsParts, SlabsOfTheSameConditionsAreSolvedWhereTheyAre) {
  const std::string where = "are solved where the program has them", moved = "are copied";
  for (const Pair& pair : {open, periodic, even}) {
    const Setting setting{{8, 8, 8}, {1, 1, 1}, CELL_CENTER, {{pair, pair, pair}}};
    const std::string slabs = info_of(setting, {}), padded = info_of(setting, {{1, 1, ranks()}, 0, 256});
    const std::string across = info_of(setting, {{ranks(), 1, 1}});
    if (rank() != 0) continue;
    EXPECT_NE(slabs.find(where), std::string::npos);
    EXPECT_NE(padded.find(moved), std::string::npos);
    EXPECT_NE(across.find(ranks() == 1 ? where : moved), std::string::npos);
  }
}

TEST(FlupsParts, TheInnerBufferTakesFieldsAndGivesThemBack) {
  const Setting setting{{8, 12, 10}, {1, 1.5, 1.25}, CELL_CENTER, {{open, even, odd}}};
  const Program program(setting, place_for(1));
  const std::vector<double> field = program.field(noise, 3);
  std::vector<double> given = field, back(field.size());
  flups_do_copy(program.solver(), program.topology(), given.data(), FLUPS_FORWARD);
  EXPECT_TRUE(std::equal(field.begin(), field.end(), flups_get_innerBuffer(program.solver())));
  flups_do_copy(program.solver(), program.topology(), back.data(), FLUPS_BACKWARD);
  EXPECT_EQ(back, field);
}

/// A topology of two components whose numbers say where they are, and what a dump of it has to be.
class Labelled {
 public:
  Labelled(int axis, bool is_complex) : axis_(axis), width_(is_complex ? 2 : 1) {
    const Three parts{1, 1, ranks()};
    topology_ = flups_topo_new(axis, 2, points.data(), parts.data(), is_complex, nullptr, 64, MPI_COMM_WORLD);
    const int stored[3] = {flups_topo_get_nmem(topology_, 0), flups_topo_get_nmem(topology_, 1),
                           flups_topo_get_nmem(topology_, 2)};
    int first[3];
    flups_topo_get_istartGlob(topology_, first);
    field_.resize(flups_topo_get_memsize(topology_) + 1);
    for (int c = 0; c < 2; c++)
      for (int k = 0; k < flups_topo_get_nloc(topology_, 2); k++)
        for (int j = 0; j < points[1]; j++)
          for (int i = 0; i < points[0]; i++) {
            const std::size_t place = flups_locID(0, i, j, k, c, axis, stored, width_);
            for (int part = 0; part < width_; part++)
              field_[place + static_cast<std::size_t>(part)] = label(c, {i, j, first[2] + k}, part);
          }
  }
  ~Labelled() { flups_topo_free(topology_); }
  Labelled(const Labelled&) = delete;
  Labelled& operator=(const Labelled&) = delete;

  void dump(const char* name) const { flups_hdf5_dump(topology_, name, field_.data()); }
  Extents shape() const { return {at(2), at(1), at(0), 2}; }
  /// One part of the whole array as it lies in the file.
  std::vector<double> expected(int part) const {
    std::vector<double> result;
    Three x{};
    for (int slow = 0; slow < at(2); slow++)
      for (int middle = 0; middle < at(1); middle++)
        for (int fast = 0; fast < at(0); fast++)
          for (int c = 0; c < 2; c++) {
            x[direction(0)] = fast, x[direction(1)] = middle, x[direction(2)] = slow;
            result.push_back(label(c, x, part));
          }
    return result;
  }

 private:
  static constexpr Three points{5, 6, 7};
  static double label(int c, const Three& x, int part) { return c + 10 * x[0] + 100 * x[1] + 1000 * x[2] + 0.5 * part; }
  std::size_t direction(int slower) const { return static_cast<std::size_t>((axis_ + slower) % 3); }
  int at(int slower) const { return points[direction(slower)]; }

  int axis_, width_;
  FLUPS_Topology* topology_ = nullptr;
  std::vector<double> field_;
};

TEST(FlupsParts, DumpsHaveTheSlowestDirectionFirstAndComponentsLast) {
  const Comm comm(MPI_COMM_WORLD);
  const Folder folder(comm);
  for (int axis = 0; axis < 3; axis++)
    for (const bool is_complex : {false, true}) {
      const Labelled field(axis, is_complex);
      field.dump("field");
      const std::vector<std::string> datasets =
          is_complex ? std::vector<std::string>{"data_real", "data_imag"} : std::vector<std::string>{"data"};
      std::ifstream file("data/field.xmf");
      const std::string text{std::istreambuf_iterator<char>(file), {}};
      for (std::size_t part = 0; part < datasets.size(); part++) {
        std::vector<double> read(static_cast<std::size_t>(field.shape().product()));
        read_block(comm, "data/field.h5", datasets[part], field.shape(), Box(field.shape()), read.data());
        EXPECT_EQ(read, field.expected(static_cast<int>(part)));
        EXPECT_NE(text.find("field.h5:/" + datasets[part] + "<"), std::string::npos);
      }
    }
}

TEST(FlupsParts, MemoryIsAlignedAndZero) {
  for (int again = 0; again < 2; again++) {
    auto* memory = static_cast<unsigned char*>(flups_malloc(1000));
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory) % 64, 0U);
    EXPECT_EQ(std::count(memory, memory + 1000, 0), 1000);
    std::fill_n(memory, 1000, static_cast<unsigned char>(1));
    flups_free(memory);
  }
}

}  // namespace
}  // namespace weft::testing
