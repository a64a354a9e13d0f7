"""Peers that compute on the processor alone. Those that freeze parameters, as programs that only call `forward` may,
have packed them before the first call that counts."""
import ctypes
import glob
import os

import peers


def module_of(case, call, ops, torch):
    """A network as a module of PyTorch, its parameters constants in it, and the inputs to call it with."""

    def member(name):
        return "given_" + name.replace(".", "_")

    class Network(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.names = list(call.inputs)
            for name, tensor in call.parameters.items():
                self.register_parameter(member(name), torch.nn.Parameter(tensor.value.clone(), requires_grad=False))

        def forward(self, *inputs):
            given = dict(zip(self.names, inputs))
            given.update((name, getattr(self, member(name))) for name in call.parameters)
            return case.formula(ops, given)

    if case.wrt:
        raise NotImplementedError("no derivatives")
    return Network().eval(), tuple(tensor.value for tensor in call.inputs.values())


class FrozenPeer:
    """torch.compile with freezing: weights are constants of the compiled code."""

    name = "torch.compile, frozen"

    def __init__(self, memory):
        self.torch, self.ops = memory.torch, peers.TorchOps(memory.torch)

    def build(self, case, kind, call):
        if not call.parameters:
            raise NotImplementedError("nothing to freeze")
        torch = self.torch
        module, inputs = module_of(case, call, self.ops, torch)
        torch._dynamo.reset()
        with torch.no_grad(), torch._inductor.config.patch(freezing=True):
            compiled = torch.compile(module, dynamic=False)
            compiled(*inputs)

        def run():
            with torch.no_grad():
                return {"value": compiled(*inputs)}

        return run

    def finish(self, results):
        pass

    def result(self, results, name):
        return results[name]


class OnnxPeer:
    """ONNX Runtime on what PyTorch exports."""

    name = "ONNX Runtime"

    def __init__(self, memory, threads):
        import onnx  # noqa: F401  (the exporter needs it)
        import onnxruntime

        self.runtime, self.torch, self.threads = onnxruntime, memory.torch, threads
        self.ops = peers.TorchOps(memory.torch, plain_attention=True)

    def build(self, case, kind, call):
        import io

        module, inputs = module_of(case, call, self.ops, self.torch)
        file = io.BytesIO()
        names = [f"input_{i}" for i in range(len(inputs))]
        self.torch.onnx.export(module, inputs, file, input_names=names, output_names=["value"], dynamo=False)
        options = self.runtime.SessionOptions()
        options.intra_op_num_threads = self.threads
        session = self.runtime.InferenceSession(file.getvalue(), options, providers=["CPUExecutionProvider"])
        binding = session.io_binding()
        given = [tensor.contiguous() for tensor in inputs]
        for name, tensor in zip(names, given):
            binding.bind_cpu_input(name, tensor.numpy())
        binding.bind_output("value", "cpu")

        def run():
            session.run_with_iobinding(binding)
            return {"value": binding}

        return run

    def finish(self, results):
        pass

    def result(self, results, name):
        return self.torch.from_numpy(results[name].copy_outputs_to_cpu()[0])


class OpenVinoPeer:
    """OpenVINO on the module of PyTorch: oneDNN with packed weights inside."""

    name = "OpenVINO"

    def __init__(self, memory, threads):
        import openvino

        self.openvino, self.torch, self.threads = openvino, memory.torch, threads
        self.ops = peers.TorchOps(memory.torch)

    def build(self, case, kind, call):
        module, inputs = module_of(case, call, self.ops, self.torch)
        with self.torch.no_grad():
            model = self.openvino.convert_model(module, example_input=inputs)
        model.reshape({i: self.openvino.PartialShape(list(tensor.shape)) for i, tensor in enumerate(inputs)})
        compiled = self.openvino.compile_model(model, "CPU", {
            "INFERENCE_NUM_THREADS": self.threads, "INFERENCE_PRECISION_HINT": "f32", "NUM_STREAMS": "1"})
        request = compiled.create_infer_request()
        for i, tensor in enumerate(inputs):
            request.set_input_tensor(i, self.openvino.Tensor(tensor.contiguous().numpy(), shared_memory=True))

        def run():
            request.infer()
            return {"value": request}

        return run

    def finish(self, results):
        pass

    def result(self, results, name):
        return self.torch.from_numpy(results[name].get_output_tensor(0).data.copy())


class OpenBlasPeer:
    """Single products, by the OpenBLAS that NumPy brings."""

    name = "OpenBLAS"

    def __init__(self, memory, threads):
        import numpy

        self.memory = memory
        folder = os.path.join(os.path.dirname(os.path.dirname(numpy.__file__)), "numpy.libs")
        library = ctypes.CDLL(glob.glob(os.path.join(folder, "*openblas64*.so*"))[0])
        library.scipy_openblas_set_num_threads64_(threads)
        self.multiply = library.scipy_cblas_sgemm64_

    def build(self, case, kind, call):
        if case.network != "gemm" or kind != "float32":
            raise NotImplementedError("no single product in float32")
        a, b = call.inputs["A"], call.inputs["B"]
        (m, k), n = a.shape, b.shape[1]
        c = self.memory.zeros(a.type, (m, n))
        integer, pointer, real = ctypes.c_int64, ctypes.c_void_p, ctypes.c_float
        row_major, as_it_is = ctypes.c_int(101), ctypes.c_int(111)
        arguments = (row_major, as_it_is, as_it_is, integer(m), integer(n), integer(k), real(1), pointer(a.pointer),
                     integer(k), pointer(b.pointer), integer(n), real(0), pointer(c.pointer), integer(n))

        def run():
            self.multiply(*arguments)
            return {"value": c.value}

        return run

    def finish(self, results):
        pass

    def result(self, results, name):
        return results[name]
