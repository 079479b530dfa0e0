// Workspaces: buffers one after the other, the same memory for every plan, growth in place, and what is too small.
#include "weft/workspace.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <vector>

#include "../error_text.hpp"
#include "base/buffer.hpp"
#include "weft/options.hpp"

namespace weft {
namespace {

using testing::error_text;
using testing::mentions;

std::uintptr_t address(const void* p) { return reinterpret_cast<std::uintptr_t>(p); }

TEST(Workspace, BuffersLieOneBehindTheOtherOnCacheLines) {
  const auto workspace = std::make_shared<Workspace>();
  EXPECT_EQ(workspace->bytes(), 0);
  const Arena arena(workspace);
  const Buffer<double> first(3, arena), second(100, arena), empty(0, arena);
  EXPECT_EQ(address(first.data()), address(workspace->data()));
  EXPECT_EQ(address(second.data()), address(first.data()) + 64);
  EXPECT_EQ(empty.data(), nullptr);
  EXPECT_EQ(address(first.data()) % 64, 0U);
  EXPECT_GE(workspace->bytes(), 64 + 832);
}

TEST(Workspace, EveryArenaBeginsAtTheBeginning) {
  const auto workspace = std::make_shared<Workspace>();
  const Buffer<float> small(10, Arena(workspace));
  const index_t bytes = workspace->bytes();
  const Buffer<double> large(1 << 20, Arena(workspace));
  EXPECT_EQ(address(large.data()), address(small.data())) << "what grows does not move";
  EXPECT_GT(workspace->bytes(), bytes);
  EXPECT_LT(workspace->bytes(), (8 << 20) + (1 << 16)) << "as much as the larger one takes";
  std::memset(large.data(), 1, static_cast<std::size_t>(large.bytes()));
  EXPECT_EQ(reinterpret_cast<const char*>(small.data())[39], 1);
}

TEST(Workspace, LivesAsLongAsItsBuffers) {
  auto workspace = std::make_shared<Workspace>();
  const std::weak_ptr<Workspace> watch = workspace;
  auto buffer = std::make_unique<Buffer<double>>(5, Arena(std::move(workspace)));
  EXPECT_FALSE(watch.expired());
  buffer->data()[4] = 1;  // the sanitisers watch
  buffer.reset();
  EXPECT_TRUE(watch.expired());
}

TEST(Workspace, UsersMemoryIsUsedFromItsFirstCacheLineOn) {
  std::vector<char> memory(1000);
  const auto workspace = std::make_shared<Workspace>(memory.data() + 1, 999);
  EXPECT_EQ(address(workspace->data()) % 64, 0U);
  EXPECT_GE(workspace->data(), memory.data() + 1);
  EXPECT_LE(workspace->data() + workspace->bytes(), memory.data() + 1000);
  EXPECT_GE(workspace->bytes(), 999 - 63);
  EXPECT_EQ(Workspace(memory.data(), 0).bytes(), 0);
}

// Planning goes on beyond the end, so that the error can say what is needed in all.
TEST(Workspace, WhatIsTooSmallIsRefusedWithTheBytesThatAreNeeded) {
  alignas(64) char memory[256];
  const auto workspace = std::make_shared<Workspace>(memory, 256);
  const Arena arena(workspace);
  const Buffer<double> fits(32, arena);
  EXPECT_EQ(error_text([&] { arena.check(); }), "no error");
  const Buffer<double> more(1, arena), still_more(9, arena);
  more.data()[0] = still_more.data()[8] = 1;  // the sanitisers watch
  const std::string text = error_text([&] { arena.check(); });
  EXPECT_TRUE(mentions(text, "workspace", "256", "448")) << text;
  EXPECT_TRUE(mentions(error_text([] { Workspace(nullptr, 8); }), "workspace", "8 bytes", "null pointer"));
}

TEST(Workspace, NoWorkspaceIsMemoryOfItsOwn) {
  const Arena arena(PlanOptions{}.workspace);
  const Buffer<double> a(4, arena), b(4, arena);
  EXPECT_NE(a.data(), b.data());
  EXPECT_EQ(error_text([&] { arena.check(); }), "no error");
}

}  // namespace
}  // namespace weft
