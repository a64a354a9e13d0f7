"""One case: who computes it rightly, and how long each of them takes, in turn."""
import math
import os
import statistics
import time

import cases as all_cases
import objects
import peaks
import peers as all_peers

TURNS, WARM = 11, 2
TURN_SECONDS, MOST_CALLS = 4e-3, 200
SPIN_SECONDS = 0.25  # OpenMP's threads look for work so long before they sleep
WAKE_SECONDS = 0.02  # a core that has slept may not have its full speed before
TURN_SECONDS_OF_THREADS = 0.02  # one call of several threads that another program disturbs is not the turn's time


class Ours:
    name = "ours"

    def build(self, case, kind, call):
        return call

    def finish(self, results):
        pass


def draws(case, memory):
    """Random tensors by name. Weights are small enough for values to stay near 1."""

    def draw(name, type_, shape):
        seed = sum(ord(c) * 31**i for i, c in enumerate(name)) % 100003
        if type_ == "int32":
            return memory.integers(type_, shape, case.classes, seed)
        weight = name.split(".")[-1][0].isupper() and name not in ("A", "B") and len(shape) > 1
        # The terms of each sum: all axes of a filter but its own, the rows of a matrix.
        terms = math.prod(shape[1:]) if len(shape) > 2 else shape[0]
        return memory.random(type_, shape, (3.0 / terms) ** 0.5 if weight else 1.0, seed)

    return draw


def our_results(case, call):
    """By the names that peers give results."""
    if case.wrt:
        return {"gradient." + name: call.outputs["gradient." + name] for name in case.wrt}
    (only,) = call.outputs.values()
    return {"value": only}


def wrong_by(results, expected, memory):
    """The largest error of a result, as a share of its size (or, where it is small beside the others, of a tenth of
    the largest of them); infinite where something is not a number."""
    pairs = [memory.differences(results[name], value) for name, value in expected.items()]
    least = 0.1 * max(size for _, size in pairs)
    errors = [difference / (max(size, least) or 1) for difference, size in pairs]
    return max(error if error == error else float("inf") for error in errors)


def build_all(case, kind, call, expected, contestants, memory):
    """Who computes rightly, with its function; of the others, why not."""
    able, reasons = [], {}
    limit = all_cases.tolerance(case, kind)
    for contestant in contestants:
        if contestant.name == "torch.compile, graphs" and not case.small:
            continue
        try:
            run = contestant.build(case, kind, call)
            if isinstance(contestant, Ours):
                call.poison()
                run()
                memory.synchronize()
                results = our_results(case, call)
            else:
                made = run()
                contestant.finish(made)
                results = {name: contestant.result(made, name) for name in expected}
            error = wrong_by(results, expected, memory)
            if not error <= limit:
                raise ArithmeticError(f"wrong by {error:.2g}, allowed {limit:g}")
            able.append((contestant, run, error))
        except NotImplementedError:
            pass
        except Exception as problem:
            reasons[contestant.name] = f"{type(problem).__name__}: {problem}".splitlines()[0][:200]
    return able, reasons


def one_turn(contestant, run, calls, memory, threads=1):
    if threads > 1:  # the threads of the contestant before may still look for work, and then its own must wake
        time.sleep(SPIN_SECONDS)
        awake = time.perf_counter() + WAKE_SECONDS
        while time.perf_counter() < awake:
            contestant.finish(run())
    memory.synchronize()
    begin = time.perf_counter()
    for _ in range(calls):
        results = run()
    contestant.finish(results)
    memory.synchronize()
    return (time.perf_counter() - begin) / calls


def take_turns(able, memory, threads):
    """Seconds of each turn by name."""
    calls, seconds = {}, {}
    for contestant, run, _ in able:
        one_turn(contestant, run, 1, memory, threads)
        once = one_turn(contestant, run, 3, memory, threads)
        turn = TURN_SECONDS if threads == 1 else TURN_SECONDS_OF_THREADS
        calls[contestant.name] = max(1, min(MOST_CALLS, round(turn / once)))
        seconds[contestant.name] = []
    for turn in range(WARM + TURNS):
        for contestant, run, _ in able:
            taken = one_turn(contestant, run, calls[contestant.name], memory, threads)
            if turn >= WARM:
                seconds[contestant.name].append(taken)
    return seconds


def compile_cost(options, name):
    """What telc took for a network, as build-objects noted it."""
    with open(os.path.join(options.objects, name + ".cost")) as file:
        seconds, kibibytes, bytes_ = file.read().split()
    return {"seconds": float(seconds), "memory": 1024 * int(kibibytes), "object": int(bytes_)}


def measure_case(case, kind, options, memory, contestants, rates):
    """The row of a case: errors, seconds of each turn, floor, medians and ratios."""
    network = objects.Network(options.objects, case.object_name(kind))
    draw = draws(case, memory)
    make = lambda device, later: objects.Call(network, case.entry, case.sizes, memory, draw, device, later)
    call = make(options.device, options.device == "cuda")
    if memory.name == "plain":
        serial = make("cpu", False)
        serial()
        expected = our_results(case, serial)
    else:
        expected = all_peers.reference(case, memory, call)
    able, reasons = build_all(case, kind, call, expected, contestants, memory)
    del expected
    memory.free()
    seconds = take_turns(able, memory, options.threads)
    row = {"case": case.name, "group": case.group, "type": kind, "bytes": call.min_bytes(),
           "operations": case.operations, "workspace": call.workspace.bytes,
           "compile": compile_cost(options, case.object_name(kind)),
           "errors": {contestant.name: error for contestant, _, error in able}, "problems": reasons, "seconds": seconds}
    return finish_row(row, rates, kind)


def finish_row(row, rates, kind):
    arithmetic = peaks.arithmetic_rate(rates, kind)
    floors = {"bytes": row["bytes"] / rates["copy"]}
    if row["operations"] and arithmetic:
        floors["arithmetic"] = row["operations"] / arithmetic
    row["bound"] = max(floors, key=floors.get)
    row["floor"] = floors[row["bound"]]
    row["medians"] = {name: statistics.median(times) for name, times in row["seconds"].items()}
    ours = row["seconds"].get("ours")
    row["ratios"] = {name: statistics.median(theirs / mine for theirs, mine in zip(times, ours))
                     for name, times in row["seconds"].items() if ours and name != "ours"}
    return row
