"""Runs the folder as a package, whatever its location and the current directory."""

import os
import runpy
import sys

FOLDER = os.path.dirname(os.path.abspath(__file__))
sys.path[0] = os.path.dirname(FOLDER)
runpy.run_module(f"{os.path.basename(FOLDER)}.main", run_name="__main__")
