"""Public docstrings describe the parameters that there are, and the site builds."""

import inspect
import re

import pytest

import musodds as mo

PUBLIC = [
    name
    for name in mo.__all__
    if callable(getattr(mo, name)) and not (name.startswith("_") or name.endswith("Error"))
]


def described(doc):
    """The parameters of a NumPy docstring, those of several sections together."""
    found = {}
    for section in re.findall(
        r"^(?:Parameters|Attributes)\n-+\n(.*?)(?=\n\n\S[^\n]*\n-{3,}|\Z)",
        doc,
        re.DOTALL | re.MULTILINE,
    ):
        for line in section.splitlines():
            if line and not line.startswith(" "):
                names, _, kind = line.partition(" : ")
                found |= dict.fromkeys((name.strip(" *") for name in names.split(",")), kind)
    return found


@pytest.mark.parametrize("name", PUBLIC)
def test_every_public_parameter_is_described(name):
    one = getattr(mo, name)
    found = {}
    # The fields of a base stand in its own docstring.
    for kind in reversed(one.__mro__) if inspect.isclass(one) else (one,):
        if kind.__module__.startswith("musodds") or kind is one:
            found |= described(inspect.cleandoc(kind.__doc__ or ""))
    parameters = [
        name
        for name, one in inspect.signature(one).parameters.items()
        # What ``**options`` takes is described by name.
        if name not in ("self", "cls") and one.kind is not one.VAR_KEYWORD
    ]
    missing = [parameter for parameter in parameters if parameter not in found]
    assert missing == []
    if not inspect.isclass(one):
        assert [name for name in found if name in parameters] == parameters
        assert all(found.values())


@pytest.mark.parametrize("name", PUBLIC)
def test_every_public_method_says_what_it_does(name):
    one = getattr(mo, name)
    if inspect.isclass(one):
        methods = {m: f for m, f in vars(one).items() if inspect.isfunction(f) and m[0] != "_"}
        assert [m for m, f in methods.items() if not inspect.getdoc(getattr(one, m))] == []


def test_pages_link_to_what_there_is():
    """Names in backquotes on the pages of the site."""
    from importlib import import_module

    for page in ("__init__", "questions", "method", "checking"):
        text = import_module(f"musodds.report.site.{page}".removesuffix(".__init__")).__doc__
        for path in re.findall(r"`(musodds\.[\w.]+)`", text):
            module, _, last = path.rpartition(".")
            try:
                import_module(path)
            except ImportError:
                assert hasattr(import_module(module), last), path
