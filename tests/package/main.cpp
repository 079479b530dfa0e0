// A program of a user: every rank asks a layout what it owns, and together they own the whole array.
#include <iostream>

#include <weft/comm.hpp>
#include <weft/layout.hpp>

int main(int argc, char** argv) {
  weft::Session mpi(argc, argv);
  const weft::Comm world(mpi.world());
  const weft::Layout layout({8, 6, 5}, weft::ProcessGrid({world.size()}), {0});
  const weft::index_t owned = world.sum(layout.box(world.rank()).size());
  if (world.rank() == 0) std::cout << weft::to_string(layout) << ": " << owned << " points\n";
  return owned == layout.extents().product() ? 0 : 1;
}
