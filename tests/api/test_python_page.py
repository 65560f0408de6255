"""docs/python.md and the docstrings of public names: their examples run as they stand, and so does the notebook."""

import doctest
import re
from pathlib import Path
from types import ModuleType
from xml.etree import ElementTree

import nbformat
import pytest
from nbclient import NotebookClient

import pylatencymap as lm
from pylatencymap.api import reading, run as run_module, run_window
from tests.waiting import PATIENCE


@pytest.fixture
def folder(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the examples may write, with the recordings that they read."""
    (tmp_path / "examples").symlink_to(root / "examples")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_page_runs_as_it_stands(root: Path, folder: Path) -> None:
    failed, tried = doctest.testfile(str(root / "docs/python.md"), module_relative=False)
    assert (failed, tried > 20) == (0, True)
    assert (folder / "cold-start.svg").read_bytes().startswith(b"<svg")


@pytest.mark.parametrize("module", [reading, run_module, run_window])
@pytest.mark.usefixtures("folder")
def test_docstrings_run_as_they_stand(module: ModuleType) -> None:
    failed, tried = doctest.testmod(module)
    assert (failed, tried > 1) == (0, True)


def cells(root: Path) -> list[str]:
    """The code of the chapter about notebooks."""
    chapter = (root / "docs/python.md").read_text().partition("## In a notebook")[2]
    return re.findall(r"^```python\n(.*?)^```$", chapter, re.MULTILINE | re.DOTALL)


def test_the_notebook_runs_in_a_kernel(root: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(root))
    monkeypatch.setenv("IPYTHONDIR", str(folder / "ipython"))
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code) for code in cells(root)])
    path = {"metadata": {"path": str(folder)}}
    NotebookClient(notebook, timeout=PATIENCE, kernel_name="python3", resources=path).execute()
    whole, merged = (one["outputs"][-1]["data"] for one in notebook.cells)
    assert whole["image/svg+xml"] == lm.read("examples/cold-start.lmap.gz")._repr_svg_()
    assert merged["image/svg+xml"] == lm.read("examples/cold-start.lmap.gz", series="vda", interval=5)._repr_svg_()
    for shown in (whole, merged):
        text = "".join(ElementTree.fromstring(shown["image/svg+xml"]).itertext())
        assert "FREQUENCY" in text
        assert "INTENSITY" in text
        assert shown["text/plain"].startswith("<Run of ")


def test_the_gallery_runs_in_a_kernel(root: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(root))
    monkeypatch.setenv("IPYTHONDIR", str(folder / "ipython"))
    gallery = nbformat.read(root / "examples" / "gallery.ipynb", as_version=4)
    assert not any(cell.get("outputs") for cell in gallery.cells), "commit it without outputs"
    path = {"metadata": {"path": str(root / "examples")}}
    NotebookClient(gallery, timeout=PATIENCE, kernel_name="python3", resources=path).execute()
    outputs = [one for cell in gallery.cells for one in cell.get("outputs", [])]
    said = "".join(one.get("text", "") or one["data"]["text/plain"] for one in outputs)
    for sentence in ("8.192-16.38 ms: 13% of the reads, 93% of the wait", "AFTER is slower, sure", "p99 > 10ms holds"):
        assert sentence in said
    assert said.endswith("True")


def test_every_option_is_on_the_page(root: Path) -> None:
    import inspect

    page = (root / "docs/python.md").read_text()
    for function in (lm.read, lm.Run.save):
        names = {*inspect.signature(function).parameters} - {"self", "source", "path"}
        assert not {name for name in names if f"`{name}`" not in page}
