// Names of choices, what is allowed, and the symbols of the solvers for constant coefficients.
#include "variable/variable_problem.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <span>
#include <utility>

#include "base/number.hpp"
#include "weft/error.hpp"

namespace weft {

namespace {

template <class Choice>
using Names = std::array<std::pair<Choice, const char*>, 2>;

constexpr Names<Form> forms{{{Form::finite_volume, "finite-volume"}, {Form::spectral, "spectral"}}};
constexpr Names<Faces> all_faces{{{Faces::harmonic, "harmonic"}, {Faces::arithmetic, "arithmetic"}}};
constexpr Names<Around> ways{{{Around::scaled, "scaled"}, {Around::laplacian, "laplacian"}}};

template <class Choice>
std::string name_of(const Names<Choice>& names, Choice choice) {
  return names[choice == names[0].first ? 0 : 1].second;
}

template <class Choice>
Choice parse(const char* argument, const Names<Choice>& names, const std::string& text) {
  for (const auto& [choice, name] : names)
    if (text == name) return choice;
  throw Error(Fault::argument, std::string(argument) + ": unknown value '" + text + "'; use " + names[0].second +
                                   " or " + names[1].second);
}

double spacing(const VariableProblem& problem, int axis) {
  return problem.length[static_cast<std::size_t>(axis)] / static_cast<double>(problem.cells[axis]);
}

std::vector<double> spacings(const VariableProblem& problem) {
  std::vector<double> all;
  all.reserve(problem.length.size());
  for (int axis = 0; axis < problem.cells.dims(); axis++) all.push_back(spacing(problem, axis));
  return all;
}

// Whether a wave has wavenumber pi / h along any axis. The next lower wavenumber is at least pi / (2 N h) below it.
bool is_shortest(std::span<const double> wavenumber, const std::vector<double>& h, const Extents& cells) {
  for (std::size_t axis = 0; axis < h.size(); axis++) {
    const auto n = static_cast<double>(cells[static_cast<int>(axis)]);
    if (wavenumber[axis] * h[axis] / std::numbers::pi > 1 - 1 / (4 * n)) return true;
  }
  return false;
}

PoissonProblem of_kernel(const VariableProblem& problem, Kernel kernel) {
  return {problem.cells, problem.length, problem.boundary, {Centring::cell}, std::move(kernel)};
}

}  // namespace

std::string to_string(Form form) { return name_of(forms, form); }
std::string to_string(Faces faces) { return name_of(all_faces, faces); }
std::string to_string(Around around) { return name_of(ways, around); }
Form parse_form(const std::string& text) { return parse("form", forms, text); }
Faces parse_faces(const std::string& text) { return parse("faces", all_faces, text); }
Around parse_around(const std::string& text) { return parse("around", ways, text); }

std::string to_text(const VariableProblem& problem) {
  std::string text = "cells " + to_string(problem.cells) + ", length";
  for (const double length : problem.length) text += number(" %.17g", length);
  text += ", boundary";
  for (const Boundary& boundary : problem.boundary) text += " " + to_string(boundary);
  text += ", form " + to_string(problem.form) + ", faces " + to_string(problem.faces) + ", around " +
          to_string(problem.around) + number(", tolerance %.17g", problem.tolerance);
  return text + ", most_iterations " + std::to_string(problem.most_iterations) + ", mean " + to_string(problem.mean);
}

void check(const VariableProblem& problem) {
  for (std::size_t axis = 0; axis < problem.boundary.size(); axis++) {
    const Boundary& boundary = problem.boundary[axis];
    require(!is_convolved(boundary), "boundary of axis " + std::to_string(axis) + ": " + to_string(boundary) +
                                         " given; coefficients that vary need ends that are periodic, even or odd");
  }
  require(problem.tolerance > 0 && problem.tolerance < 1,
          "tolerance: " + number("%g", problem.tolerance) + " given; give a number between 0 and 1, such as 1e-10");
  require(problem.most_iterations >= 1,
          "most_iterations: " + std::to_string(problem.most_iterations) + " given; give 1 or more");
}

bool allows_constant(const VariableProblem& problem) {
  return std::all_of(problem.boundary.begin(), problem.boundary.end(), [](const Boundary& boundary) {
    return boundary == Boundary(End::periodic) || boundary == Boundary(End::even);
  });
}

bool has_shortest_wave(const VariableProblem& problem) {
  if (problem.form == Form::finite_volume) return false;
  for (int axis = 0; axis < problem.cells.dims(); axis++) {
    const Boundary& boundary = problem.boundary[static_cast<std::size_t>(axis)];
    if (boundary == Boundary(End::odd)) return true;
    if (boundary == Boundary(End::periodic) && problem.cells[axis] % 2 == 0) return true;
  }
  return false;
}

PoissonProblem constant_problem(const VariableProblem& problem, double square) {
  const std::vector<double> h = spacings(problem);
  const auto inverse = [square](double sum) { return sum + square > 0 ? -1 / (sum + square) : 0.0; };
  if (problem.form == Form::finite_volume)
    return of_kernel(problem, Kernel::of_wavenumber([h, inverse](std::span<const double> wavenumber) {
                       double sum = 0;
                       for (std::size_t axis = 0; axis < h.size(); axis++)
                         sum += std::pow(2 / h[axis] * std::sin(wavenumber[axis] * h[axis] / 2), 2);
                       return inverse(sum);
                     }));
  return of_kernel(problem, Kernel::of_wavenumber([h, inverse, cells = problem.cells](std::span<const double> wave) {
                     double sum = 0;
                     for (const double k : wave) sum += k * k;
                     return is_shortest(wave, h, cells) ? 0.0 : inverse(sum);
                   }));
}

PoissonProblem filter_problem(const VariableProblem& problem) {
  return of_kernel(problem, Kernel::of_wavenumber(
                                [h = spacings(problem), cells = problem.cells](std::span<const double> wavenumber) {
                                  return is_shortest(wavenumber, h, cells) ? 0.0 : 1.0;
                                }));
}

}  // namespace weft
