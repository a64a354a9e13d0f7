"""Reads and writes safetensors files with NumPy alone."""
import json
import struct

import numpy

NAMES = {"float64": "F64", "float32": "F32", "float16": "F16", "int64": "I64", "int32": "I32", "int16": "I16",
         "int8": "I8", "uint8": "U8", "bool": "BOOL"}


def write(path, tensors):
    header, body = {}, b""
    for name, value in tensors.items():
        value = numpy.asarray(value)
        data = numpy.ascontiguousarray(value).tobytes()
        header[name] = {"dtype": NAMES[str(value.dtype)], "shape": list(value.shape),
                        "data_offsets": [len(body), len(body) + len(data)]}
        body += data
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(struct.pack("<Q", len(text)) + text + body)


def read(path):
    data = path.read_bytes()
    (size,) = struct.unpack("<Q", data[:8])
    header = json.loads(data[8:8 + size])
    header.pop("__metadata__", None)
    types = {short: long for long, short in NAMES.items()}
    body = data[8 + size:]
    return {name: numpy.frombuffer(body[slice(*each["data_offsets"])], types[each["dtype"]]).reshape(each["shape"])
            for name, each in header.items()}
