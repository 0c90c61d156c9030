# Shared by run.sh and bench.sh. Sourced, never run. Expects `here`, `scratch` and lib/common.sh.

# Sets `connect_python` to an interpreter that has what requirements.txt says, in the versions it says.
need_connect_venv() {
    need_python
    local venv=${POLYMOCK_CONNECT_VENV:-$here/../../../.build/interop-connect} wanted
    wanted=$(sed 's/#.*//' "$here/requirements.txt" | tr -d ' \n')
    connect_python=$venv/bin/python
    if [ -x "$connect_python" ] && [ "$(cat "$venv/wanted" 2>/dev/null)" = "$wanted" ]; then return; fi
    mkdir -p "$(dirname "$venv")"
    make_venv "$venv"
    say "installing boto3 and others from PyPI"
    "$connect_python" -m pip install --quiet --disable-pip-version-check --requirement "$here/requirements.txt" ||
        die "pip could not install requirements.txt"
    printf '%s' "$wanted" >"$venv/wanted"
}
