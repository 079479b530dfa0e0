// Converts option structs of the C interface to those of the library.
#include "c_api/structs.hpp"
#include "weft/workspace.hpp"

namespace weft::c_api {

namespace {

// Reads a member that is a name; NULL keeps the default.
template <class Member, class Parser>
void take(const char* text, Member& member, const Parser& parser) {
  if (text != nullptr) member = parser(std::string(text));
}

std::vector<int> list(const char* name, int count, const int* values) {
  require(count >= 0 && count <= WEFT_MAX_DIMS,
          std::string(name) + ": " + std::to_string(count) + " was given; give 0 to " + std::to_string(WEFT_MAX_DIMS));
  return {values, values + count};
}

}  // namespace

weft_plan_options default_plan_options() {
  const PlanOptions known;
  weft_plan_options options{};
#define WEFT_DEFAULT(name) options.name = known.name;
  WEFT_NUMBER_OPTIONS(WEFT_DEFAULT)
#undef WEFT_DEFAULT
  return options;
}

PlanOptions plan_options(const weft_plan_options& given, int dims) {
  PlanOptions options;
#define WEFT_PARSE(name) \
  if (given.name != nullptr) options.name = parse_##name(given.name);
#define WEFT_TAKE(name) options.name = static_cast<decltype(options.name)>(given.name);
  WEFT_NAMED_OPTIONS(WEFT_PARSE)
  WEFT_NUMBER_OPTIONS(WEFT_TAKE)
#undef WEFT_PARSE
#undef WEFT_TAKE
  if (given.tuning != nullptr) options.tuning = given.tuning;
  options.grid = list("grid_dims", given.grid_dims, given.grid);
  options.batch_axes = list("batch_count", given.batch_count, given.batch_axes);
  std::vector<index_t> modes(given.modes, given.modes + dims);
  if (modes != std::vector<index_t>(modes.size())) options.modes = std::move(modes);
  if (given.workspace != nullptr) options.workspace = given.workspace->memory;
  return options;
}

PlanOptions solver_options(const weft_plan_options& given, int dims) {
  require(given.physical_box == nullptr && given.spectral_box == nullptr,
          "physical_box, spectral_box: they are for plans only; leave them NULL");
  return plan_options(given, dims);
}

PlanBoxes plan_boxes(const weft_plan_options& given) {
  PlanBoxes boxes;
  if (given.physical_box != nullptr) boxes.physical = box_from("physical_box", given.physical_box);
  if (given.spectral_box != nullptr) boxes.spectral = box_from("spectral_box", given.spectral_box);
  return boxes;
}

weft_tensor_options default_tensor_options() {
  const TensorOptions known;
  weft_tensor_options options{};
  options.threads = known.threads;
  options.communication_thread = known.communication_thread ? 1 : 0;
  return options;
}

TensorOptions tensor_options(const weft_tensor_options& given) {
  TensorOptions options;
  take(given.algorithm, options.algorithm, parse_tensor_algorithm);
  take(given.matrix, options.matrix, parse_matrix_blocks);
  take(given.folding, options.folding, parse_folding);
  take(given.norm, options.norm, parse_norm);
  if (given.mesh[0] != 0 || given.mesh[1] != 0 || given.mesh[2] != 0) options.mesh.assign(given.mesh, given.mesh + 3);
  options.threads = given.threads;
  options.communication_thread = given.communication_thread != 0;
  return options;
}

bool is_single(const char* precision) {
  const std::string text = precision == nullptr ? "double" : precision;
  require(text == "double" || text == "float", "precision: unknown value '" + text + "'; use one of double, float");
  return text == "float";
}

}  // namespace weft::c_api

using namespace weft::c_api;

int weft_workspace_create(weft_workspace** workspace) {
  return guarded([&] {
    output_of("workspace", workspace) = nullptr;
    *workspace = new weft_workspace{std::make_shared<weft::Workspace>()};
  });
}
int weft_workspace_destroy(weft_workspace** workspace) { return destroy("workspace", workspace); }
