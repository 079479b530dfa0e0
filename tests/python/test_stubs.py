"""The stubs of the compiled module name what it has: every function and class, every method and parameter."""

import ast
from pathlib import Path

import weft
from nanobind.stubgen import StubGen
from weft import _core

KEPT = Path(weft.__file__).with_name("_core.pyi")


def parameters(function):
    arguments = function.args
    named = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    return [argument.arg for argument in named], len(arguments.kwonlyargs)


def contents(text, prefix=""):
    """Every name in the text of a .pyi file, with the parameters of each overload; types differ between versions."""
    found = {}
    for node in ast.parse(text).body if isinstance(text, str) else text:
        if isinstance(node, ast.ClassDef):
            found[prefix + node.name] = "class"
            found |= contents(node.body, f"{prefix}{node.name}.")
        elif isinstance(node, ast.FunctionDef):
            found.setdefault(prefix + node.name, []).append(parameters(node))
    return found


def test_stubs_are_those_of_the_module():
    generator = StubGen(_core)
    generator.put(_core)
    # Exceptions bear the name of the package, whence the generator would import them.
    made = contents(generator.get()) | {name: "class" for name in dir(_core) if isinstance(getattr(_core, name), type)}
    kept = contents(KEPT.read_text())
    assert len(made) > 100 and "Plan.forward" in made
    assert kept == made, "run tools/stubs.py"


def test_the_package_says_that_it_is_typed():
    assert KEPT.with_name("py.typed").exists()
