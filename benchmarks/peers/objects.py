"""Calls of compiled networks through their C interface, described by their manifests: the argument struct of an entry
point is filled in once, and called as often as wanted."""
import ctypes
import json
import math
import os

DEVICES = {"cpu": 3, "cuda": 1, "emulator": 2}


class Error(ctypes.Structure):
    _fields_ = [("code", ctypes.c_int32), ("text", ctypes.c_char * 512)]


class Execution(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("kind", ctypes.c_int32), ("device", ctypes.c_int32),
                ("stream", ctypes.c_void_p), ("order", ctypes.c_uint64), ("later", ctypes.c_int32),
                ("threads", ctypes.c_int32), ("parallel_for", ctypes.c_void_p), ("user", ctypes.c_void_p)]


class Options(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("execution", ctypes.POINTER(Execution)), ("seed", ctypes.c_uint64),
                ("accumulate", ctypes.c_int32)]


class CallFailed(Exception):
    """An entry point gave a status."""


class Network:
    """A shared object and its manifest."""

    def __init__(self, folder, name):
        with open(os.path.join(folder, name + ".json")) as file:
            self.manifest = json.load(file)
        self.library = ctypes.CDLL(os.path.join(folder, name + ".so"))

    def entry(self, name):
        for entry in self.manifest["entries"]:
            if entry["name"] == name:
                return entry
        raise KeyError(f"no entry point '{name}' in {self.manifest['module']}")

    def function(self, symbol):
        return self.library[symbol]


def extent(value, dimensions):
    """An extent of a manifest: a number, or an expression over named dimensions."""
    if isinstance(value, int):
        return value
    return eval(value, {"__builtins__": {}, "floor": math.floor}, dimensions)


def shape_of(tensor, dimensions):
    return tuple(extent(e, dimensions) for e in tensor["shape"])


class Call:
    """One entry point with all its memory. `inputs` holds tensors by name (`x`, `cotangent.y`), `parameters` and
    `outputs` likewise (`gradient.W1` is a derivative); scalars among the outputs are read by `scalar`."""

    def __init__(self, network, entry, dimensions, memory, draw, device, later=False):
        self.memory, self.dimensions = memory, dimensions
        self.entry = network.entry(entry)
        self.members = self.entry["arguments"]["members"]
        self.struct = ctypes.create_string_buffer(self.entry["arguments"]["size"])
        self.inputs, self.parameters, self.outputs, self.scalars, self.blocks = {}, {}, {}, {}, {}
        self.error = Error()
        self.execution = Execution(ctypes.sizeof(Execution), DEVICES[device], 0, None, 0, int(later))
        self.options = Options(ctypes.sizeof(Options), ctypes.pointer(self.execution), 0, 0)
        self.arguments = ctypes.byref(self.struct)
        self._fill(network.manifest, draw)
        self._freeze(network)
        self._prepare(network)
        self.run_entry = network.function(self.entry["symbol"])

    def __call__(self):
        if self.run_entry(self.arguments, ctypes.byref(self.error)) != 0:
            raise CallFailed(self.error.text.decode(errors="replace"))

    def scalar(self, name):
        offset, type_ = self.scalars[name]
        return (ctypes.c_float if type_ == "float32" else ctypes.c_double).from_buffer(self.struct, offset).value

    def min_bytes(self):
        """Every input and parameter once, every output once."""
        return sum(t.bytes for part in (self.inputs, self.parameters, self.outputs) for t in part.values())

    def poison(self):
        for tensor in self.outputs.values():
            self.memory.poison(tensor)

    def _set(self, offset, kind, value):
        kind.from_buffer(self.struct, offset).value = value

    def _fill(self, manifest, draw):
        self._set(0, ctypes.c_size_t, len(self.struct))
        for member in self.members:
            kind, offset = member["kind"], member["offset"]
            if kind in ("input", "cotangent", "output", "gradient", "loss"):
                self._fill_tensor(member, draw)
            elif kind in ("parameters", "constants", "gradients"):
                self._fill_store(member, manifest["parameters" if kind == "gradients" else kind], draw)
            elif kind == "dimension":
                self._set(offset, ctypes.c_int64, self.dimensions[member["member"]])
            elif kind == "options":
                self._set(offset, ctypes.c_void_p, ctypes.addressof(self.options))

    def _fill_tensor(self, member, draw):
        tensor, kind = member["tensor"], member["kind"]
        shape = shape_of(tensor, self.dimensions)
        written = kind not in ("input", "cotangent")
        name = {"cotangent": "cotangent.", "gradient": "gradient."}.get(kind, "") + tensor["name"]
        if not shape:
            self.scalars[name] = (member["offset"], tensor["type"])
            return
        made = self.memory.zeros(tensor["type"], shape) if written else draw(name, tensor["type"], shape)
        (self.outputs if written else self.inputs)[name] = made
        self._set(member["offset"], ctypes.c_void_p, made.pointer)
        for other in self.members:
            if other["member"] == member["member"] + "_extents":
                (ctypes.c_int64 * len(shape)).from_buffer(self.struct, other["offset"])[:] = shape

    def _fill_store(self, member, store, draw):
        """The tensors of a store as views of its block."""
        block = self.memory.zeros("float32", (max(1, store["size"] // 4),))
        self.blocks[member["kind"]] = block
        self._set(member["offset"], ctypes.c_void_p, block.pointer)
        for tensor in store["tensors"]:
            view = self.memory.part(block, tensor["offset"], tensor["type"], tensor["shape"])
            if member["kind"] == "gradients":
                self.outputs["gradient." + tensor["name"]] = view
            else:
                self.memory.copy(view, draw(tensor["name"], tensor["type"], tuple(tensor["shape"])))
                self.parameters[tensor["name"]] = view

    def _freeze(self, network):
        """Packs the parameters once, as peers with frozen parameters do."""
        offset = {m["kind"]: m["offset"] for m in self.members}
        if self.execution.kind != DEVICES["cpu"] or "frozen" not in offset:
            return
        size = network.function(network.manifest["frozen_size"])
        size.restype = ctypes.c_size_t
        if size() == 0:
            return
        self.frozen = self.memory.zeros("float32", (size() // 4,))
        parameters = ctypes.c_void_p.from_buffer(self.struct, offset["parameters"])
        if network.function(network.manifest["freeze"])(parameters, ctypes.c_void_p(self.frozen.pointer),
                                                        ctypes.byref(self.error)) != 0:
            raise CallFailed(self.error.text.decode(errors="replace"))
        self._set(offset["frozen"], ctypes.c_void_p, self.frozen.pointer)

    def _prepare(self, network):
        prepare = network.function(self.entry["prepare"])
        if prepare(self.arguments, ctypes.byref(self.error)) != 0:
            raise CallFailed(self.error.text.decode(errors="replace"))
        offset = {m["kind"]: m["offset"] for m in self.members}
        bytes_ = ctypes.c_size_t.from_buffer(self.struct, offset["workspace_size"]).value
        self.workspace = self.memory.zeros("float32", (max(16, -(-bytes_ // 4)),))
        self._set(offset["workspace"], ctypes.c_void_p, self.workspace.pointer)
        self._set(offset["workspace_size"], ctypes.c_size_t, self.workspace.bytes)
