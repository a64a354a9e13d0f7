# Text tests: .dl, .kernel, .schedule and .tel files with `// RUN:` lines. Called by ctest, which says where the binaries are:
# lit -D binaries=build/bin -D filecheck=PATH -D output=DIR tests
import os
import subprocess
import sys

sys.path.insert(0, os.path.dirname(__file__))
import run_lines

config.name = "telc"
config.test_format = run_lines.FilesWithRunLines(execute_external=False)
config.suffixes = [".dl", ".kernel", ".schedule", ".tel"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = lit_config.params["output"]

config.environment["TELC_VERIFY_EACH"] = "1"
binaries = lit_config.params["binaries"]
for tool in ("dlopt", "telc"):
    path = os.path.join(binaries, tool)
    if os.path.exists(path):
        config.available_features.add(tool)
    config.substitutions.append((r"(?<![\w/.-])%s(?![\w/.-])" % tool, path))
if lit_config.params.get("hardened") == "ON":
    config.available_features.add("hardened")
if any(os.access(os.path.join(folder, "ptxas"), os.X_OK) for folder in
       [os.environ.get("CUDA_HOME", "") + "/bin", "/usr/local/cuda/bin", *os.environ["PATH"].split(":")]):
    config.available_features.add("ptxas")
config.substitutions.append((r"\bFileCheck\b", lit_config.params["filecheck"]))
config.substitutions.append(("%binaries", binaries))
config.substitutions.append(("%python", sys.executable))
# A container may refuse a process folders of its own.
if subprocess.run(["unshare", "-rm", "sh", "-c", "mount -t tmpfs none /proc"], stderr=subprocess.DEVNULL).returncode == 0:
    config.available_features.add("namespaces")
# The command behind it, and the line "status N".
config.substitutions.append(("%status", "sh -c '\"$@\"; echo status $?' sh"))

# A machine without pseudo-terminals, such as a bare container, cannot play a terminal.
try:
    import pty
    for descriptor in pty.openpty():
        os.close(descriptor)
    config.available_features.add("terminal")
except OSError:
    pass
