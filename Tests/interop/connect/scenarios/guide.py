"""The page for users (Shared/Docs/connect.md): D-1 runs its Python, D-2 compares its settings with the program."""

import pathlib
import re

from rig import check, expect, require

PAGE = pathlib.Path(__file__).parents[4] / "Shared/Docs/connect.md"


@check("D-1", "The boto3 block of the page talks to a server as it stands there")
def block(tools):
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.S)
    expect(len(blocks), 1, "blocks of Python")
    names = {}
    exec(re.sub(r"http://127\.0\.0\.1:\d+", tools.own_server().base, blocks[0]), names)
    require(("CUSTOMER", "a table, please") in names["said"], names["said"])
    require(names["said"][-1][0] == "SYSTEM", names["said"])


@check("D-2", "Each key of the page is a setting, and takes the default that the page names")
def settings(tools):
    rows = re.findall(r"^\| `(\w+)` \| `(.*?)` \|", PAGE.read_text(), re.M)
    require(len(rows) > 10, rows)
    given = {}
    for key, default in rows:
        given[key] = {"true": True, "false": False, "{}": {}}.get(default, default.strip('"'))
    server = tools.own_server(connect=given)
    expect(server.request("OPTIONS", "/participant/message").status, 204)
