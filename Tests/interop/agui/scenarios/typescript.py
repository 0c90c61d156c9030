"""S3 once more, with the published TypeScript client under Node, where AGUI_CLIENT names a folder that has it."""

import json
import os
import pathlib
import shutil
import subprocess

import examples
import pages
from rig import HERE, LeftOut, check, equal
from transcripts import STATES, TRANSCRIPTS


def told(tools, names):
    folder = os.environ.get("AGUI_CLIENT")
    if not folder:
        raise LeftOut("AGUI_CLIENT does not name a folder with an npm installation of @ag-ui/client; the page has that client, too")
    if not pathlib.Path(folder, "node_modules/@ag-ui/client").is_dir():
        raise LeftOut(f"{folder} has no node_modules/@ag-ui/client")
    if not shutil.which("node"):
        raise LeftOut("there is no node")
    done = subprocess.run(["node", str(HERE / "client.mjs"), folder, tools.base, *names], capture_output=True, text=True, timeout=120)
    equal(done.returncode, 0, f"exit status of client.mjs: {done.stderr[-400:]}")
    *runs, _ = map(json.loads, done.stdout.splitlines())
    return {each["agent"]: each for each in runs}


@check("S3-T4", "the client under Node completes the valid streams, with the transcripts and states of the page")
def valid(tools):
    for stem, run in told(tools, examples.VALID).items():
        equal(run["error"], None, f"{stem}: what the call rejects with")
        equal(pages.rows(run["messages"]), TRANSCRIPTS[stem], f"{stem}: messages")
        equal(run["state"], STATES.get(stem, {}), f"{stem}: state")
        equal(bool(run["failure"]), stem[:2] in ("10", "11"), f"{stem}: an error of the run")


@check("S5-T4", "the client under Node rejects invalid-01 to 17")
def invalid(tools):
    taken = [stem for stem, run in told(tools, examples.INVALID[:17]).items() if not run["error"]]
    equal(taken, [], "streams that it took")
