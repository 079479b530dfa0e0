// Arrays of Fortran to the halos of the C interface.
#include "c_api/solver_handle.hpp"
#include "fortran/arrays.hpp"

using namespace weft::c_api;
using weft::Extents;
using weft::index_t;

namespace {

using HaloOperation = int (*)(weft_halo*, void*, int64_t);

// Components are an axis only where there are several.
int operate(weft_halo* halo, const CFI_cdesc_t* array, HaloOperation operation) {
  index_t count = 0;
  return checked(
      "halo", halo,
      [&](const weft_halo& any) {
        const Extents points = any.of.padded().extents();
        const bool is_complex = weft::is_complex(any.of.element());
        const auto bytes = static_cast<std::size_t>(bytes_of(any.of.element())) / (is_complex ? 2 : 1);
        const Extents all = any.of.components() == 1 ? points : with_components(points, any.of.components());
        check_whole("u", *array, {all, is_complex, bytes});
        count = all.product();
      },
      [&] { return operation(halo, array->base_addr, count); });
}

}  // namespace

extern "C" {

int weft_f_halo_create(MPI_Fint comm, const char* wrong, const int64_t* shape, const weft_box* owned,
                       const weft_halo_problem* problem, weft_halo** halo) {
  const int code = fault(MPI_Comm_f2c(comm), wrong);
  return code == WEFT_SUCCESS ? weft_halo_create(MPI_Comm_f2c(comm), shape, owned, problem, halo) : code;
}

int weft_f_halo_exchange(weft_halo* halo, const CFI_cdesc_t* array) { return operate(halo, array, weft_halo_exchange); }
int weft_f_halo_start(weft_halo* halo, const CFI_cdesc_t* array) { return operate(halo, array, weft_halo_start); }
int weft_f_halo_accumulate(weft_halo* halo, const CFI_cdesc_t* array) {
  return operate(halo, array, weft_halo_accumulate);
}

}  // extern "C"
