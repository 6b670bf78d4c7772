"""Compiles the modules of `docassay.kernel` while docassay is built, where that is possible.

Without Cython or a compiler, or with DOCASSAY_PURE=1, these modules run as the Python that they
are, with the same results. An editable installation has the compiled form beside the source.
"""

from __future__ import annotations

import os
import sys
import sysconfig
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

MODULES = (
    "readings",
    "senses",
    "rows",
    "figures",
    "formulas",
    "survey",
    "alike",
    "plain",
    "counting",
    "digits",
    "mistakes",
    "pairs",
    "prints",
    "elsewhere",
    "columns",
    "likeness",
    "marks",
    "cells",
    "stored",
    "verdicts",
    "judged",
    "pages",
)
FOLDER = Path("docassay", "kernel")
DIRECTIVES = {"language_level": "3", "annotation_typing": False}
"""What names hold is said by the `.pxd` files alone."""


class KernelHook(BuildHookInterface[Any]):
    """Puts the compiled modules into the package: all of them, or none."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile the modules and add them to the files of the wheel."""
        source = Path(self.root, "src")
        suffix = sysconfig.get_config_var("EXT_SUFFIX")
        compiled = [FOLDER / f"{module}{suffix}" for module in MODULES]
        _remove(source, compiled)  # they may be older than the source
        if os.environ.get("DOCASSAY_PURE") == "1":
            return
        try:
            _compile(source, Path(self.root, "build"))
        except (Exception, SystemExit) as error:  # whatever a compiler that is not there raises
            _remove(source, compiled)
            self.app.display_warning(f"docassay is built without its compiled kernel: {error}")
            return
        build_data["pure_python"] = False
        build_data["infer_tag"] = True
        for file in compiled:
            build_data["force_include"][str(source / file)] = str(file)


def _remove(source: Path, files: list[Path]) -> None:
    for file in files:
        (source / file).unlink(missing_ok=True)


def _compile(source: Path, work: Path) -> None:
    """Compile the modules into their folder."""
    from Cython.Build import cythonize
    from setuptools import Distribution, Extension

    before = Path.cwd()
    os.chdir(source)  # names of modules come from paths
    try:
        extensions = [
            Extension(f"docassay.kernel.{module}", [str(FOLDER / f"{module}.py")])
            for module in MODULES
        ]
        generated = cythonize(
            extensions, compiler_directives=DIRECTIVES, build_dir=str(work), quiet=True
        )
        command = Distribution({"ext_modules": generated}).get_command_obj("build_ext")
        command.build_lib = str(source)
        command.build_temp = str(work / sysconfig.get_platform() / sys.implementation.cache_tag)
        command.ensure_finalized()
        command.run()
    finally:
        os.chdir(before)
