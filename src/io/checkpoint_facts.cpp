// Facts of a checkpoint as bytes: numbers in binary form, texts and lists after their lengths.
#include <cstring>
#include <type_traits>

#include "io/checkpoint_file.hpp"

namespace weft::io {
namespace {

class Writer {
 public:
  template <class Number>
  void put(Number number) {
    static_assert(std::is_trivially_copyable_v<Number>);
    bytes_.append(reinterpret_cast<const char*>(&number), sizeof number);
  }
  void put(const std::string& text) {
    put(text.size());
    bytes_ += text;
  }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

class Reader {
 public:
  explicit Reader(const std::string& bytes) : bytes_(bytes) {}
  template <class Number>
  Number get() {
    Number number;
    std::memcpy(&number, bytes_.data() + at_, sizeof number);
    at_ += sizeof number;
    return number;
  }
  std::string text() {
    const auto size = get<std::size_t>();
    at_ += size;
    return bytes_.substr(at_ - size, size);
  }

 private:
  const std::string& bytes_;
  std::size_t at_ = 0;
};

void put_values(Writer& writer, const Values& values) {
  writer.put(values.size());
  for (const auto& [name, value] : values) {
    writer.put(name);
    writer.put(value.index());
    std::visit([&](const auto& item) { writer.put(item); }, value);
  }
}

Values get_values(Reader& reader) {
  Values values;
  for (auto left = reader.get<std::size_t>(); left > 0; --left) {
    const std::string name = reader.text();
    switch (reader.get<std::size_t>()) {
      case 0:
        values[name] = reader.get<std::int64_t>();
        break;
      case 1:
        values[name] = reader.get<double>();
        break;
      default:
        values[name] = reader.text();
    }
  }
  return values;
}

}  // namespace

std::string packed(const CheckpointFacts& facts) {
  Writer writer;
  put_values(writer, facts.contents.values);
  writer.put(facts.contents.fields.size());
  for (std::size_t i = 0; i < facts.sums.size(); ++i) {
    const CheckpointContents::Field& field = facts.contents.fields[i];
    writer.put(field.name);
    writer.put(field.extents);
    writer.put(field.element);
    writer.put(facts.sums[i].planes);
    writer.put(facts.sums[i].values.size());
    for (const std::uint64_t sum : facts.sums[i].values) writer.put(sum);
  }
  return writer.take();
}

CheckpointFacts unpacked(const std::string& bytes) {
  Reader reader(bytes);
  CheckpointFacts facts;
  facts.contents.values = get_values(reader);
  for (auto left = reader.get<std::size_t>(); left > 0; --left) {
    const std::string name = reader.text();
    const auto extents = reader.get<Extents>();
    facts.contents.fields.push_back({name, extents, reader.get<Element>()});
    Sums sums{reader.get<index_t>(), std::vector<std::uint64_t>(reader.get<std::size_t>())};
    for (std::uint64_t& sum : sums.values) sum = reader.get<std::uint64_t>();
    facts.sums.push_back(sums);
  }
  return facts;
}

}  // namespace weft::io
