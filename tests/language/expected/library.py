"""Writes the programs ../library_NAME.tel, which use the layers of stdlib/ with random settings, and what they must
compute: values and derivatives by parameters and inputs, by PyTorch in double precision.

    python3 library.py [NAME...]   (needs numpy, torch; the tests need only the files)
"""
import importlib
import pathlib
import random
import sys

import numpy
import torch

from safetensors_files import write

FOLDER = pathlib.Path(__file__).parent
FAMILIES = ("library_convolutions", "library_layers", "library_recurrent", "library_attention", "library_functions",
            "library_torch", "library_optimizers")


class Program:
    """A program with one output for each setting. The loss is the sum of the means of their squares."""

    def __init__(self, name, doc, imports):
        self.name, self.doc, self.imports = f"library_{name}", doc, imports
        self.random = random.Random(name)
        self.draws = numpy.random.default_rng(list(name.encode()))
        self.declarations, self.instances, self.equations = [], [], []
        self.inputs, self.weights, self.outputs, self.next = {}, {}, {}, {}
        self.differentiated = []
        self.largest = None  # what a free dimension is at most, where more take the interpreter long
        self.once = False  # no free dimension: one size is as good as several
        self.entry = "slopes"  # or `gradient`, in which `training` is true; it has no derivatives by inputs
        self.differentiable = True  # or the entry point is `forward`, which has no loss

    def draw(self, *shape):
        """Numbers with few digits, so that each type has them."""
        return torch.tensor(numpy.round(self.draws.normal(size=shape) * 16) / 16, dtype=torch.float64)

    def input(self, name, type, value):
        """`type` is as in `in[N x 3]`."""
        self.declarations.append(f"{name}: in{type}")
        self.inputs[name] = value
        if value.is_floating_point():
            value.requires_grad_()
            self.differentiated.append(name)
        return value

    def constant(self, name, value):
        """An input by which nothing is differentiated. Returns its name."""
        self.declarations.append(f"{name}: in[{' x '.join(map(str, value.shape))}]")
        self.inputs[name] = value
        return name

    def net(self, name, net, **shapes):
        """Declares an instance, and returns its parameters, of these shapes."""
        self.instances.append(f"{name}: {net}")
        result = {}
        for parameter, shape in shapes.items():
            full = f"{name}.{parameter.replace('__', '.')}"
            value = self.draw(*shape) / 2
            if parameter.endswith("gain"):
                value = value + 1
            self.weights[full] = value.requires_grad_()
            self.differentiated.append(full)
            result[parameter] = value
        return result

    def parameter(self, name, type, value):
        self.declarations.append(f"{name}: param{type} = normal(0, 1)")
        self.weights[name] = value.requires_grad_()
        self.differentiated.append(name)
        return value

    def state(self, name, type, value, next_expression, next_value):
        self.declarations.append(f"{name}: state{type}")
        self.equations.append(f"{name}' = {next_expression}")
        self.net_state(name, value, next_value)

    def net_state(self, name, value, next_value):
        """Gives a state that an instance of a net has its value, and the next one to compare with."""
        self.weights[name] = value
        if self.entry == "gradient":  # a derivative changes no state
            self.next[f"next.{name}"] = next_value

    def output(self, name, expression, value):
        """An output, or several with their names in one text, which are the results of one call."""
        self.equations.append(f"{name}: out = {expression}")
        self.outputs |= zip(name.split(", "), value) if ", " in name else {name: value}.items()

    def text(self):
        lines = [f"/// {self.doc}", "// Written by expected/library.py.",
                 "// differences: none (the derivatives are compared with those of PyTorch)"]
        if self.once:
            lines += ["// sizes: 1"]
        elif self.largest:
            lines += [f"// sizes: at most {self.largest}"]
        lines += [f"module {self.name}", "type float64"]
        lines += [f"import {each}" for each in self.imports]
        lines += self.declarations + self.instances + self.equations
        if not self.differentiable:
            return "\n".join(lines) + "\n"
        lines += ["L: loss = " + " + ".join(f"mean({y}^2)" for y in self.outputs)]
        if self.entry == "slopes":
            lines += [f"gradient slopes of L wrt {', '.join(self.differentiated)} keeping {', '.join(self.outputs)}"]
        return "\n".join(lines) + "\n"

    def write(self):
        (FOLDER.parent / f"{self.name}.tel").write_text(self.text())
        if self.differentiable:
            sum((y**2).mean() for y in self.outputs.values()).backward()
        else:
            self.entry = "forward"
        tensors = {f"in.{k}": v for k, v in self.inputs.items()}
        tensors.update({f"weight.{k}": v for k, v in self.weights.items()})
        tensors.update({f"out.{k}": v for k, v in (self.outputs | self.next).items()})
        for name in self.differentiated:
            value = self.inputs.get(name, self.weights.get(name))
            tensors[f"out.gradient.{name}"] = torch.zeros_like(value) if value.grad is None else value.grad
        write(FOLDER / f"{self.name}.{self.entry}.safetensors", {k: v.detach().numpy() for k, v in tensors.items()})


programs = {}


def program(doc, *imports):
    """A function that fills the program of its name."""
    def add(fill):
        name = fill.__name__
        def make():
            result = Program(name, doc, imports)
            fill(result)
            result.write()
            return result.name
        programs[name] = make
        return fill
    return add


if __name__ == "__main__":
    import library  # the families add to the module, not to this script
    for family in FAMILIES:
        importlib.import_module(family)
    for name, make in library.programs.items():
        if len(sys.argv) == 1 or name in sys.argv[1:]:
            print(make())
