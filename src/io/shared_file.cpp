// Blocks of C-ordered arrays into one file by collective MPI-IO, in pieces of bounded size.
#include <utility>
#include <vector>

#include "io/output.hpp"
#include "io/paths.hpp"

namespace weft::io {
namespace {

template <class T>
MPI_Datatype element_type() {
  return sizeof(T) == 8 ? MPI_DOUBLE : MPI_FLOAT;
}

// Some libraries put a stack of several lines behind the class, and its text may differ between ranks.
std::string mpi_reason(int code) {
  int error_class = 0, length = 0;
  MPI_Error_class(code, &error_class);
  if (error_class == MPI_ERR_NO_SPACE) return "no space left on the device";
  if (error_class == MPI_ERR_QUOTA) return "the quota is used up";
  char text[MPI_MAX_ERROR_STRING] = {};
  MPI_Error_string(code, text, &length);
  std::string reason(text, static_cast<std::size_t>(length));
  while (!reason.empty() && reason.back() == '\n') reason.pop_back();
  const std::size_t line = reason.find_last_of('\n');
  return line == std::string::npos ? reason : reason.substr(line + 1);
}

// Where a piece lies within the array, as an MPI type. Built of strided vectors, whose strides are 64-bit byte counts,
// where MPI's subarray type has 32-bit extents.
class PieceType {
 public:
  PieceType(const Extents& global, const Box& piece, MPI_Datatype element, index_t bytes) {
    const Extents strides = c_strides(global);
    MPI_Type_dup(element, &type_);
    for (int axis = global.dims() - 1; axis >= 0; --axis) {
      MPI_Datatype outer = MPI_DATATYPE_NULL;
      MPI_Type_create_hvector(static_cast<int>(piece[axis].size()), 1, strides[axis] * bytes, type_, &outer);
      MPI_Type_free(&type_);
      type_ = outer;
    }
    MPI_Type_commit(&type_);
  }
  ~PieceType() { MPI_Type_free(&type_); }
  PieceType(const PieceType&) = delete;
  PieceType& operator=(const PieceType&) = delete;
  MPI_Datatype get() const { return type_; }

 private:
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

index_t first_element(const Extents& global, const Box& piece) {
  const Extents strides = c_strides(global), lower = piece.lower();
  index_t first = 0;
  for (int axis = 0; axis < global.dims(); ++axis) first += lower[axis] * strides[axis];
  return first;
}

// Collective: a rank that has no piece left takes part with nothing.
template <class T>
int write_piece(MPI_File file, index_t offset, const Extents& global, const Box& piece, const T* data) {
  const MPI_Datatype element = element_type<T>();
  constexpr auto bytes = static_cast<index_t>(sizeof(T));
  const bool none = piece.empty();
  const PieceType where(none ? Extents{1} : global, none ? Box(Extents{1}) : piece, element, bytes);
  const index_t first = none ? 0 : first_element(global, piece);
  const int seen = MPI_File_set_view(file, offset + first * bytes, element, where.get(), "native", MPI_INFO_NULL);
  // Written even so: the other ranks are in this call.
  const int count = none || seen != MPI_SUCCESS ? 0 : static_cast<int>(piece.size());
  const int written = MPI_File_write_at_all(file, 0, data, count, element, MPI_STATUS_IGNORE);
  return seen != MPI_SUCCESS ? seen : written;
}

}  // namespace

SharedFile::SharedFile(const Comm& comm, const std::string& path) : comm_(comm), path_(path) {
  const int code =
      MPI_File_open(comm.handle(), path.c_str(), MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file_);
  if (code == MPI_SUCCESS) MPI_File_set_errhandler(file_, MPI_ERRORS_RETURN);
  check(code, "opened");
}

SharedFile::~SharedFile() {
  if (file_ != MPI_FILE_NULL) MPI_File_close(&file_);
}

void SharedFile::check(int code, const std::string& what) const {
  comm_.together([&] {
    if (code != MPI_SUCCESS) {
      refuse_file("the output " + quoted(path_) + " cannot be " + what + ": " + mpi_reason(code) +
                  "; free some room or give another folder");
    }
  });
}

template <class T>
void SharedFile::write(index_t offset, const Extents& global, const Box& mine, const Fill<T>& fill) {
  const std::vector<Box> blocks = pieces(mine);
  const index_t rounds = comm_.max(static_cast<index_t>(blocks.size()));
  const Box nothing(global.dims());
  for (index_t round = 0; round < rounds; ++round) {
    const bool have = round < static_cast<index_t>(blocks.size());
    const Box& piece = have ? blocks[static_cast<std::size_t>(round)] : nothing;
    const T unused{};
    const T* data = &unused;
    comm_.together([&] {
      if (have) data = fill(piece);
    });
    check(write_piece(file_, offset, global, piece, data), "written");
  }
}

void SharedFile::close() {
  const int flushed = MPI_File_sync(file_);
  const int closed = MPI_File_close(&file_);
  check(flushed != MPI_SUCCESS ? flushed : closed, "flushed to the disk");
}

template void SharedFile::write<float>(index_t, const Extents&, const Box&, const Fill<float>&);
template void SharedFile::write<double>(index_t, const Extents&, const Box&, const Fill<double>&);

}  // namespace weft::io
