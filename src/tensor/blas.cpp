// Finds and loads the BLAS: a separate copy, not one that the program may have linked, with one thread per call.
#include "tensor/blas.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <type_traits>
#include <vector>

#include "transform/simd/processor.hpp"
#include "weft/error.hpp"

namespace weft {

namespace {

// The C interface of the BLAS (netlib's cblas.h, 32-bit integers).
enum Order { row_major = 101 };
enum Transpose { as_it_is = 111, transposed = 112 };
template <class T>
using RealGemm = void (*)(Order, Transpose, Transpose, int, int, int, T, const T*, int, const T*, int, T, T*, int);
using ComplexGemm = void (*)(Order, Transpose, Transpose, int, int, int, const void*, const void*, int, const void*,
                             int, const void*, void*, int);

// Sets an environment variable for its lifetime.
class Setting {
 public:
  Setting(std::string name, const char* value) : name_(std::move(name)) {
    if (const char* before = std::getenv(name_.c_str())) before_ = before;
    setenv(name_.c_str(), value, 1);
  }
  ~Setting() { before_ ? setenv(name_.c_str(), before_->c_str(), 1) : unsetenv(name_.c_str()); }
  Setting(const Setting&) = delete;
  Setting& operator=(const Setting&) = delete;

 private:
  std::string name_;
  std::optional<std::string> before_;
};

constexpr const char* kernel_variable = "OPENBLAS_CORETYPE";

template <class Function>
Function find(void* library, const char* name) {
  return reinterpret_cast<Function>(dlsym(library, name));
}

std::string corename(void* library) {
  const auto name = find<const char* (*)()>(library, "openblas_get_corename");
  return name == nullptr ? std::string() : name();
}

bool is_avx512_kernel(std::string_view name) {
  return name == "SkylakeX" || name == "Cooperlake" || name == "SapphireRapids" || name == "Zen5";
}

// Threads of the BLAS would compete with those of this library; the separate copy can start without them.
void* open(const std::string& file) {
  const Setting threads("OPENBLAS_NUM_THREADS", "1");
  return dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
}

// An OpenBLAS older than the processor takes a kernel of the last generation that it knows. It decides while it is
// loaded, so it is loaded again with a preset choice. A choice of the user is kept, and so is a copy that the program
// already uses.
void* open_for_this_processor(const std::string& file) {
  void* library = open(file);
  if (library == nullptr || std::getenv(kernel_variable) != nullptr) return library;
  const std::string kernel = corename(library);
  if (kernel.empty() || is_avx512_kernel(kernel) || !has_avx512_of_servers()) return library;
  dlclose(library);
  const Setting choice(kernel_variable, "SKYLAKEX");
  return open(file);
}

// OpenBLAS built for programs of one thread shares its packing buffers without a lock: two threads in it get wrong
// numbers.
bool is_thread_safe(void* library) {
  const auto parallel = find<int (*)()>(library, "openblas_get_parallel");
  return parallel == nullptr || parallel() != 0;
}

std::vector<std::string> candidates() {
  if (const char* chosen = std::getenv("WEFT_BLAS")) return {chosen};
  return {WEFT_BLAS_LIBRARY, "libopenblas.so.0", "libopenblas.so"};
}

class Blas {
 public:
  Blas() {
    std::string tried;
    for (const std::string& file : candidates()) {
      tried += (tried.empty() ? "" : ", ") + file;
      library_ = open_for_this_processor(file);
      if (library_ != nullptr && is_thread_safe(library_)) load();
      if (zgemm != nullptr) return;
    }
    throw Error(
        Fault::resource,
        "tensor transforms need a BLAS with the C interface that several threads may call, and none of these is "
        "one: " +
            tried + "; install OpenBLAS (Debian: libopenblas0-pthread) or give the file in WEFT_BLAS");
  }

  std::string kernel() const {
    const std::string name = corename(library_);
    if (!name.empty()) return "OpenBLAS " + name;
    return find<void (*)()>(library_, "MKL_Set_Num_Threads") != nullptr ? "MKL" : "BLAS of WEFT_BLAS";
  }

  RealGemm<float> sgemm = nullptr;
  RealGemm<double> dgemm = nullptr;
  ComplexGemm cgemm = nullptr, zgemm = nullptr;

 private:
  void load() {
    // MKL as one library (libmkl_rt) must be configured before its first call, the others at any time.
    if (const auto layer = find<int (*)(int)>(library_, "MKL_Set_Threading_Layer")) layer(1);
    if (const auto threads = find<void (*)(int)>(library_, "openblas_set_num_threads")) threads(1);
    sgemm = find<RealGemm<float>>(library_, "cblas_sgemm");
    dgemm = find<RealGemm<double>>(library_, "cblas_dgemm");
    cgemm = find<ComplexGemm>(library_, "cblas_cgemm");
    zgemm = find<ComplexGemm>(library_, "cblas_zgemm");
  }

  void* library_ = nullptr;
};

// The BLAS stays loaded until the process ends, because threads may be inside it.
const Blas& blas() {
  static const Blas loaded;
  return loaded;
}

template <class T, class Gemm, class Scalar>
void call(Gemm gemm, const ProductSize& size, bool transpose_a, Matrix<const T> a, Matrix<const T> b, Scalar one,
          Scalar beta, Matrix<T> c) {
  const auto as_int = [](index_t n) { return static_cast<int>(n); };
  const auto pitch = [&](index_t n) { return as_int(std::max<index_t>(n, 1)); };
  gemm(row_major, transpose_a ? transposed : as_it_is, as_it_is, as_int(size.rows), as_int(size.columns),
       as_int(size.inner), one, a.data, pitch(a.pitch), b.data, pitch(b.pitch), beta, c.data, pitch(c.pitch));
}

}  // namespace

template <class T>
void multiply(const ProductSize& size, bool transpose_a, Matrix<const T> a, Matrix<const T> b, bool accumulate,
              Matrix<T> c) {
  if (size.rows == 0 || size.columns == 0) return;
  const T one = 1, beta = accumulate ? one : T(0);
  if constexpr (std::is_same_v<T, float>) {
    call(blas().sgemm, size, transpose_a, a, b, one, beta, c);
  } else if constexpr (std::is_same_v<T, double>) {
    call(blas().dgemm, size, transpose_a, a, b, one, beta, c);
  } else {
    const auto gemm = std::is_same_v<T, std::complex<float>> ? blas().cgemm : blas().zgemm;
    call(gemm, size, transpose_a, a, b, &one, &beta, c);
  }
}

void require_blas() { static_cast<void>(blas()); }
std::string blas_kernel() { return blas().kernel(); }

template void multiply(const ProductSize&, bool, Matrix<const float>, Matrix<const float>, bool, Matrix<float>);
template void multiply(const ProductSize&, bool, Matrix<const double>, Matrix<const double>, bool, Matrix<double>);
template void multiply(const ProductSize&, bool, Matrix<const std::complex<float>>, Matrix<const std::complex<float>>,
                       bool, Matrix<std::complex<float>>);
template void multiply(const ProductSize&, bool, Matrix<const std::complex<double>>, Matrix<const std::complex<double>>,
                       bool, Matrix<std::complex<double>>);

}  // namespace weft
