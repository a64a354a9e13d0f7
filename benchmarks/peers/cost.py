"""cost.py FILE COMMAND…: runs the command, and writes its seconds of processor time and its largest memory in KiB into
FILE, a line each. The status is the command's."""
import resource
import subprocess
import sys

status = subprocess.run(sys.argv[2:]).returncode
used = resource.getrusage(resource.RUSAGE_CHILDREN)
with open(sys.argv[1], "w") as file:
    print(f"{used.ru_utime + used.ru_stime:.3f}\n{used.ru_maxrss}", file=file)
sys.exit(status)
