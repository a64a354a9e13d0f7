"""Optimizers as functions of a parameter and its derivative, and schedules for their rates."""
import torch

from compare_optimizers import Lion
from library import program

STEPS = 3  # taken before the one that is compared, so that the memory is that of a training


def choices(p):
    """For each optimizer: the names of its memory in PyTorch, whether it counts, and the same settings in both."""
    rate, decay = p.random.randint(1, 100) / 1000, p.random.choice([0, p.random.randint(1, 100) / 1000])
    beta1, beta2, epsilon = p.random.randint(50, 95) / 100, p.random.randint(80, 99) / 100, 10.0 ** -p.random.randint(4, 9)
    nesterov = p.random.random() < 0.5
    adam = dict(beta1=beta1, beta2=beta2, epsilon=epsilon), dict(betas=(beta1, beta2), eps=epsilon)
    yield "sgd", (), False, dict(rate=rate, decay=decay), torch.optim.SGD, dict(lr=rate, weight_decay=decay)
    yield ("momentum", ("momentum_buffer",), False,
           dict(rate=rate, beta=beta1, decay=decay, nesterov=str(nesterov).lower()), torch.optim.SGD,
           dict(lr=rate, momentum=beta1, weight_decay=decay, nesterov=nesterov))
    for name, algorithm in (("adam", torch.optim.Adam), ("adamw", torch.optim.AdamW)):
        yield (name, ("exp_avg", "exp_avg_sq"), True, dict(rate=rate, decay=decay) | adam[0], algorithm,
               dict(lr=rate, weight_decay=decay) | adam[1])
    yield ("rmsprop", ("square_avg",), False, dict(rate=rate, alpha=beta2, epsilon=epsilon, decay=decay),
           torch.optim.RMSprop, dict(lr=rate, alpha=beta2, eps=epsilon, weight_decay=decay))
    yield ("adagrad", ("sum",), False, dict(rate=rate, epsilon=epsilon, decay=decay), torch.optim.Adagrad,
           dict(lr=rate, eps=epsilon, weight_decay=decay))
    yield ("lion", ("m",), False, dict(rate=rate, beta1=beta1, beta2=beta2, decay=decay), Lion,
           dict(lr=rate, betas=(beta1, beta2), weight_decay=decay))


def fill(p, names):
    """Ten settings of each optimizer. The loss depends on what it computes, but its derivatives are of no use."""
    p.differentiable = False
    for i in range(10):
        clip = p.random.choice([0, 0.5, 2])
        for name, memory, counts, settings, algorithm, arguments in choices(p):
            if name not in names:
                continue
            at = f"{name}{i}"
            w = torch.nn.Parameter(p.draw(6))
            optimizer = algorithm([w], **arguments)
            for step in range(STEPS + 1):
                g = p.draw(6)
                before = w.detach().clone(), [optimizer.state[w][each].clone() for each in memory] if step else [torch.zeros(6).double()] * len(memory)
                norm = g.norm()
                w.grad = g * (clip / norm) if clip and norm > clip else g.clone()
                optimizer.step()
            given = [p.constant(f"{at}_p", before[0]), p.constant(f"{at}_g", g)]
            given += [p.constant(f"{at}_{each}", value) for each, value in zip(memory, before[1])]
            given += [f"step: {STEPS + 1}"] if counts else []
            text = ", ".join(given + [f"norm: norm({at}_g)"] + [f"{k}: {v}" for k, v in settings.items()] + [f"clip: {clip}"])
            results = [w.detach()] + [optimizer.state[w][each] for each in memory]
            outputs = [f"{at}_{k}" for k in range(len(results))]
            p.output(", ".join(outputs), f"{name}({text})", results if len(results) > 1 else results[0])


@program("Gradient descent, with momentum and without, and Lion.", "optimizers")
def descents(p):
    fill(p, ("sgd", "momentum", "lion"))


@program("Optimizers that divide by the roots of mean squares.", "optimizers")
def adaptive_optimizers(p):
    fill(p, ("adam", "adamw", "rmsprop", "adagrad"))


def rates(schedule, steps):
    """The rates of the steps 1, 2, 3 … by a schedule of PyTorch, from 1 on."""
    optimizer = torch.optim.SGD([torch.nn.Parameter(torch.zeros(1))], lr=1.0)
    scheduler = schedule(optimizer)
    result = []
    for _ in range(steps):
        result.append(scheduler.get_last_lr()[0])
        optimizer.step()
        scheduler.step()
    return result


@program("Schedules of rates.", "optimizers")
def schedules(p):
    p.differentiable = False
    every = torch.optim.lr_scheduler
    for i in range(10):
        steps, step = p.random.randint(2, 30), p.random.randint(1, 20)
        value = rates(lambda o: every.LinearLR(o, start_factor=1 / steps, total_iters=steps - 1), step)[-1]
        p.output(f"y{i}", f"warmup({step}, {steps})", torch.tensor(value, dtype=torch.float64))
        least, step = p.random.randint(0, 8) / 16, p.random.randint(1, steps)
        value = rates(lambda o: every.CosineAnnealingLR(o, steps, eta_min=least), step)[-1]
        p.output(f"z{i}", f"cosine_decay({step}, {steps}, least: {least})", torch.tensor(value, dtype=torch.float64))
        often, factor, step = p.random.randint(1, 6), p.random.choice([0.1, 0.5, 0.9]), p.random.randint(1, 20)
        value = rates(lambda o: every.StepLR(o, often, gamma=factor), step)[-1]
        p.output(f"w{i}", f"step_decay({step}, every: {often}, factor: {factor})", torch.tensor(value, dtype=torch.float64))
