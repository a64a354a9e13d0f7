"""Computes NAME.ENTRY.safetensors for programs of tests/language with NumPy and JAX, in double precision and without
any part of telc: `in.x`, `weight.W` are what the entry point gets, `out.y`, `out.gradient.W` what it must return.

    python3 make.py [NAME...]      (needs numpy, jax, scipy; the tests need only the files)
"""
import importlib
import sys

from cases import cases
from safetensors_files import write

FAMILIES = ("binding", "shapes_and_indices", "numbers_and_functions", "gradients", "networks", "nets",
            "index_notation", "training", "optimizers", "random_numbers", "recurrences", "declared_types",
            "custom_gradients", "auto_shapes", "element_types")

if __name__ == "__main__":
    for family in FAMILIES:
        importlib.import_module(family)
    for name, make in cases.items():
        if len(sys.argv) > 1 and name not in sys.argv[1:]:
            continue
        for each in make(name):
            write(each.path, each.tensors)
            print(each.path.name)
