"""Candidates that want something else than to solve the task: code that runs when their module is imported.

`{secret}`, `{outside}`, `{port}` and `{mark}` are filled in. No code here ends processes that it
does not know, or starts more than 200.
"""

from __future__ import annotations

from collections.abc import Mapping

HOSTILE: Mapping[str, str] = {
    "reads-secrets": "import pathlib\npathlib.Path('{outside}/leak').write_text(open('{secret}').read())",
    "reads-variables": "import os\nopen('{outside}/leak', 'w').write(os.environ['GATELINE_SECRET'])",
    "reads-others": "import os\nopen('{outside}/leak', 'w').write(str(os.listdir('../..')))",
    "reads-base-objects": "import glob\nopen('{outside}/leak', 'w').write(str(glob.glob('../git/**/*')[0]))",
    "opens-tcp": "import socket\nsocket.create_connection(('127.0.0.1', {port}), 2).sendall(b'x')",
    "opens-raw-tcp": (
        "import _socket\ns = _socket.socket()\ns.settimeout(2)\n"
        "s.connect(('127.0.0.1', {port}))\ns.send(b'x')"
    ),
    "writes-outside": "open('{outside}/evil', 'w').write('x')",
    "writes-home": (
        "import os, pwd\nopen(pwd.getpwuid(os.getuid()).pw_dir + '/evil-{mark}', 'w').write('x')"
    ),
    "links-outside": "import os\nos.symlink('{outside}', 'way')\nopen('way/evil', 'w').write('x')",
    "patches-interpreter": (
        "import sys, os\nopen(os.path.join(sys.prefix, 'evil-{mark}.pth'), 'w').write('import evil')"
    ),
    "mounts": (
        "import ctypes\nctypes.CDLL(None).mount(b'none', b'{outside}', b'tmpfs', 0, None)\n"
        "open('{outside}/evil', 'w').write('x')"
    ),
    "many-processes": "import os, time\nfor _ in range(200):\n    os.fork() or (time.sleep(60), os._exit(0))",
    "fills-disk": "with open('big', 'wb') as f:\n    for _ in range(3000):\n        f.write(bytes(1 << 20))",
    "leaves-grandchildren": (
        "import subprocess\n"
        "subprocess.Popen(['sh', '-c', 'setsid sh -c \"exec -a {mark} sleep 300\" & exit'])"
    ),
    "becomes-daemon": (
        "import os, time\n"
        "if os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0:\n"
        "        os.execvp('sh', ['{mark}', '-c', 'sleep 300; true'])\n    os._exit(0)"
    ),
    "kills-parent": "import os, signal\nos.kill(os.getppid(), signal.SIGKILL)",
    "stops-parent": "import os, signal\nos.kill(os.getppid(), signal.SIGSTOP)",
    "patches-pytest": "import _pytest.runner as r\nr.call_runtest_hook = lambda *a, **k: None",
    "edits-its-report": (
        "import os\nfor n in range(3, 30):\n    try:\n        os.write(n, b'junk' * 9)\n"
        "    except OSError:\n        pass"
    ),
    "closes-everything": "import os\nos.closerange(0, 100)",
    "hangs": "while True:\n    pass",
    "sleeps": "import time\ntime.sleep(10_000)",
    "takes-memory": "x = bytearray(10 << 30)\nfor n in range(0, len(x), 4096):\n    x[n] = 1",
    "ends-at-once": "import os\nos._exit(0)",
    "crashes": "import ctypes\nctypes.string_at(0)",
    "removes-itself": "import os, shutil\nshutil.rmtree(os.getcwd(), ignore_errors=True)",
    "floods": "import os\nfor _ in range(2000):\n    os.write(1, b'x' * (1 << 20))",
}
