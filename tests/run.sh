#!/usr/bin/env bash
# Runs every check and every test on a bare Debian 12 with Rust. Installs what is missing, starts a
# throwaway PostgreSQL cluster, and removes it afterwards.
#
#   bash tests/run.sh                      what every push runs
#   bash tests/run.sh --test it chouettes  other arguments go to `cargo test`
#   bash tests/run.sh --light ...          without what needs a browser, GnuCash, hledger or GNU Backgammon
#   bash tests/run.sh --long               what only more time finds as well: before an issue is resolved
set -euo pipefail
cd "$(dirname "$0")/.."

if [ "${CI:-}" = true ]; then
    # CI builds everything once, so there is no point in writing data for incremental builds.
    export CARGO_TERM_COLOR=never NO_COLOR=1 CARGO_INCREMENTAL=0 CARGO_PROFILE_DEV_DEBUG=0
fi

# Some tests hold hundreds of connections at once, and 1,024 files are what many systems allow at first.
[ "$(ulimit -Sn)" = unlimited ] || [ "$(ulimit -Sn)" -ge 8192 ] || ulimit -Sn 8192 2>/dev/null || true

say() { printf '\n== %s\n' "$*" >&2; }
fail() { printf '\ntests/run.sh: %s\n' "$*" >&2; exit 1; }

# --- requirements ---------------------------------------------------------------------------------

[ -e "${CARGO_HOME:-$HOME/.cargo}/env" ] && . "${CARGO_HOME:-$HOME/.cargo}/env"
command -v cargo >/dev/null || fail "there is no cargo: install Rust (https://rustup.rs)"

# On a full disk some tests would fail and others wait for a database that has stopped, for an hour.
room() {
    [ ! -d "$1" ] || [ "$(df --output=avail -k "$1" | tail -1)" -ge "$2" ] \
        || fail "less than $(($2 / 1000000)) GB are free for $1, which a build and the tests' databases need"
}
room . 6000000
room "${CARGO_TARGET_DIR:-.}" 6000000
room /tmp 2000000

as_postgres() {  # PostgreSQL refuses to run as root
    if [ "$(id -u)" = 0 ]; then (cd / && runuser -u postgres -- "$@"); else "$@"; fi
}

# The folder with PostgreSQL's programs: the newest version that works for the user who will run it. A link
# in PATH may point to a folder which that user cannot read.
postgres_programs() {
    local folder
    for folder in $(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -rV) "$(dirname "$(command -v initdb || echo /none/initdb)")"; do
        if [ -x "$folder/initdb" ] && [ -x "$folder/pg_ctl" ] \
            && as_postgres "$folder/initdb" --version >/dev/null 2>&1 \
            && as_postgres "$folder/postgres" --version >/dev/null 2>&1; then
            echo "$folder"
            return
        fi
    done
    return 1
}

light=
if [ "${1:-}" = --light ]; then
    shift
    light=yes
    export OWLBOX_TEST_SKIP_{BROWSER,GNUBG,HLEDGER,GNUCASH}=1
fi

missing=()
command -v cc >/dev/null || missing+=(gcc libc6-dev)
postgres_programs >/dev/null || missing+=(postgresql)
if [ -z "$light" ]; then  # one gigabyte
    command -v chromium-headless-shell >/dev/null || missing+=(chromium-headless-shell)
    [ -d /usr/share/fonts/truetype/liberation ] || missing+=(fonts-liberation)
    gnubg=$(PATH=$PATH:/usr/games command -v gnubg) || missing+=(gnubg)  # checks the files we write
    hledger=$(command -v hledger) || missing+=(hledger)  # these two read the books that we export
    /usr/bin/python3 -c 'import gnucash' 2>/dev/null || missing+=(gnucash python3-gnucash)
fi
command -v curl >/dev/null || missing+=(curl)
command -v jq >/dev/null || missing+=(jq)
command -v mold >/dev/null || missing+=(mold)  # cuts the time to link a dozen programs to a third
# Debian's own: another in PATH may be built without optimisation, which takes it twice as long.
python3=/usr/bin/python3
"$python3" -c 'import ensurepip, venv' 2>/dev/null || missing+=(python3 python3-venv)
if [ "${#missing[@]}" -gt 0 ]; then
    [ "$(id -u)" = 0 ] || fail "missing: ${missing[*]}. Run once as root: apt-get install ${missing[*]}"
    if [ -t 0 ] && [ "${CI:-}" != true ]; then
        read -r -p "Install ${missing[*]} on this machine? [y/N] " answer
        [[ $answer == [yY]* ]] || fail "nothing was installed. --light needs less; a container keeps it all apart"
    fi
    say "installing ${missing[*]}"
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -q >&2
    apt-get install -q -y --no-install-recommends "${missing[@]}" >&2
fi
if [ -z "$light" ]; then
    export OWLBOX_TEST_GNUBG=${gnubg:-/usr/games/gnubg} OWLBOX_TEST_HLEDGER=${hledger:-/usr/bin/hledger}
    export OWLBOX_TEST_CHROMIUM=chromium-headless-shell
    export OWLBOX_TEST_GNUCASH_PYTHON=$python3  # GnuCash's bindings are for Debian's own
fi
programs=$(postgres_programs) || fail "no PostgreSQL here runs: looked in /usr/lib/postgresql/*/bin and PATH"

# --- services, started here and stopped again -----------------------------------------------------

work= tmp=
started=()

# What tests write, hundreds of databases that flush every commit, goes to memory where there is room and programs
# may be started from it.
memory_has_room() {
    local program
    [ "$(df --output=avail -k /dev/shm 2>/dev/null | tail -1)" -ge 4000000 ] 2>/dev/null || return 1
    [ "$(sed -n 's/^MemAvailable: *\([0-9]*\) kB/\1/p' /proc/meminfo)" -ge 12000000 ] 2>/dev/null || return 1
    program=$(mktemp /dev/shm/owlbox-try.XXXXXX) || return 1
    printf '#!/bin/sh\n' >"$program" && chmod 700 "$program" && "$program" 2>/dev/null
    local status=$?
    rm -f "$program"
    return "$status"
}

descendants() {  # all descendants of a process, such as the tests that a cargo runs
    local child
    for child in $(cat "/proc/$1/task/"*/children 2>/dev/null); do
        descendants "$child"
        echo "$child"
    done
}

clean_up() {
    local status=$?
    trap - EXIT INT TERM
    set +e
    # Every test that uses the cluster fails with it, and none of them knows why.
    [ "$status" = 0 ] || grep -hE 'PANIC|terminated by|No space left' "$work/cluster/log" 2>/dev/null | tail -20 >&2
    for pid in "${started[@]}"; do
        if kill -0 "$pid" 2>/dev/null; then
            family="$(descendants "$pid") $pid"
            kill $family 2>/dev/null
            for _ in {1..30}; do kill -0 "$pid" 2>/dev/null || break; sleep 0.1; done
            kill -KILL $family 2>/dev/null
        fi
    done
    # And those of tests that were killed.
    for cluster in "$work/cluster" "$tmp"/owlbox-test.*/data; do
        [ ! -e "$cluster/postmaster.pid" ] \
            || as_postgres "$programs/pg_ctl" -D "$cluster" -m immediate -w stop >/dev/null 2>&1
    done
    # A browser that was just killed may still be writing to its profile.
    for _ in 1 2 3 4 5; do rm -rf ${work:+"$work"} ${tmp:+"$tmp"} 2>/dev/null && break; sleep 0.2; done
    exit "$status"
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# A run that was killed outright has stopped and removed nothing.
bury() {
    local old=$1 pid
    # What another user has made there is not ours to look into, nor what a link of theirs leads to.
    [ -d "$old" ] && [ ! -L "$old" ] && [ -O "$old" ] && [ -f "$old/pid" ] && [ ! -L "$old/pid" ] || return 0
    read -r pid <"$old/pid" || return 0
    ! kill -0 "$pid" 2>/dev/null || return 0
    say "removing what the run of process $pid has left"
    [ ! -e "$old/cluster/postmaster.pid" ] \
        || as_postgres "$programs/pg_ctl" -D "$old/cluster" -m immediate -w stop >/dev/null 2>&1 || true
    rm -rf "$old" "/dev/shm/${old##*/}" || true
}
for old in /tmp/owlbox-run.*; do bury "$old"; done

work=$(mktemp -d /tmp/owlbox-run.XXXXXX)
echo $$ >"$work/pid"
tmp=$work/tmp
if memory_has_room; then tmp=/dev/shm/${work##*/}; fi
mkdir "$tmp" || { tmp=; fail "somebody else has made the folder for the tests' files"; }
chmod 755 "$work" "$tmp"

of_process() {  # whether the state (1) or the parent (2) of a process is this
    [ "$(sed 's/.*) //' "/proc/$1/stat" 2>/dev/null | cut -d' ' -f"$2")" = "$3" ]
}

# Ends the run when PostgreSQL has stopped: every test that needs it would wait for its deadline.
stop_with_postgres() {
    # It removes this file when it stops; one that was killed leaves it, and perhaps a zombie.
    local server run=$$ self=$BASHPID
    while read -r server 2>/dev/null <"$work/cluster/postmaster.pid" && ! of_process "$server" 1 Z \
        && kill -0 "$server" 2>/dev/null; do sleep 2; done
    # A run that was killed outright is not to be ended a second time, under a number that may be another's by now.
    of_process "$self" 2 "$run" || return 0
    say "PostgreSQL has stopped, and the tests with it"
    kill "$run"
}

start_postgres() {
    local password port
    password=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
    mkdir "$work/socket" "$work/cluster"
    (umask 077 && echo "$password" >"$work/password")
    [ "$(id -u)" != 0 ] || chown postgres "$work/socket" "$work/cluster" "$work/password"
    as_postgres "$programs/initdb" -D "$work/cluster" -U owlbox --auth=scram-sha-256 \
        --pwfile="$work/password" --encoding=UTF8 --locale=C.UTF-8 --no-sync >"$work/initdb.log" 2>&1 \
        || { cat "$work/initdb.log" >&2; fail "initdb failed"; }
    # The only way to know that a port is free is to take it.
    for _ in {1..20}; do
        port=$((20000 + RANDOM % 12000))
        if as_postgres "$programs/pg_ctl" -D "$work/cluster" -w -t 60 -l "$work/cluster/log" -o "-p $port -k $work/socket \
            -c listen_addresses=127.0.0.1 -c fsync=off -c synchronous_commit=off -c full_page_writes=off \
            -c max_connections=200" start >/dev/null 2>&1; then
            export OWLBOX_TEST_POSTGRES="postgres://owlbox:$password@127.0.0.1:$port/postgres"
            export OWLBOX_TEST_POSTGRES_PROGRAMS="$programs"
            stop_with_postgres &
            started=("$!" "${started[@]}")
            disown "$!"  # so that its end is not reported
            return
        fi
    done
    cat "$work/cluster/log" >&2
    fail "PostgreSQL does not start"
}

# The Python programs that use the OpenAPI document as any client would, from PyPI, in a virtual environment. It
# is kept until the list of requirements changes.
wanted=tests/python/requirements.txt
prepare_python() {
    local folder=${CARGO_TARGET_DIR:-target}/python
    if ! cmp -s "$wanted" "$folder/installed.txt"; then
        say "installing what $wanted lists"
        rm -rf "$folder"
        "$python3" -m venv "$folder" >&2
        "$folder/bin/pip" install --quiet --disable-pip-version-check --no-input --no-deps -r "$wanted" >&2
        cp "$wanted" "$folder/installed.txt"
    fi
}

# What lints the OpenAPI document and generates TypeScript from it, from npm, and kept likewise. Node.js is one of
# the Python packages.
locked=tests/node/package-lock.json
prepare_node() {
    local programs folder=${CARGO_TARGET_DIR:-target}/node
    if ! cmp -s "$locked" "$folder/installed.json"; then
        say "installing what $locked lists"
        programs=$(cd "${CARGO_TARGET_DIR:-target}/python/bin" && pwd)
        rm -rf "$folder"
        mkdir -p "$folder"
        cp "$locked" "${locked%-lock.json}.json" "$folder"
        (cd "$folder" && PATH="$programs:$PATH" npm ci --silent --ignore-scripts --no-audit --no-fund >&2)
        cp "$locked" "$folder/installed.json"
    fi
}

# --- the checks and the tests ---------------------------------------------------------------------

say "format"
cargo fmt --all --check
"$python3" tests/python/house.py >&2 || fail "something has grown that should shrink: tests/python/house.py says what"

say "starting PostgreSQL ($programs)"
start_postgres
# Runs in parallel with the build.
(prepare_python; prepare_node) >"$work/python.log" 2>&1 &
python=$!
started=("$python" "${started[@]}")

long=
if [ "${1:-}" = --long ]; then
    shift
    long=yes
    # Each of these is a number that every run has smaller; where it stands says what of.
    export OWLBOX_SEEDS=300 OWLBOX_WALKS=3000 OWLBOX_KILLS=100 OWLBOX_YEAR=whole OWLBOX_OPENINGS=all
    export OWLBOX_TEST_EXAMPLES=5 OWLBOX_MODEL_NIGHTS=10000 PROPTEST_CASES=2048
fi

say "build, linted as it is compiled"
# The wrapper is what `cargo clippy` sets, for a build instead of a check: compiling everything a second time to lint
# it would take a fifth of the run. A library is linted alone and with its tests, which may do what it may not.
export RUSTC_WORKSPACE_WRAPPER=clippy-driver CLIPPY_ARGS=-Dwarnings
# In the background: a shell that waits for a foreground process runs no trap, so it could not clean up
# when it is told to stop.
beside() {
    "$@" &
    started=("$!" "${started[@]}")
    wait "$!"
}
beside mold -run cargo test --locked --no-run "$@"
wait "$python" || { cat "$work/python.log" >&2; fail "what $wanted and $locked list could not be installed"; }
OWLBOX_TEST_PYTHON=$(cd "${CARGO_TARGET_DIR:-target}/python" && pwd)/bin/python
export OWLBOX_TEST_PYTHON
export TMPDIR="$tmp"
# Tests that use a browser or the clock mostly wait, so run more of them than there are cores.
export RUST_TEST_THREADS="${RUST_TEST_THREADS:-$((2 * $(nproc)))}"

if [ "$#" -gt 0 ]; then
    say "tests"
    beside cargo test --locked --no-fail-fast "$@"
    exit
fi

# What the default build has otherwise than the tests: no OpenAPI feature in the pages and below them, no building blocks, and no feature at all in the
# engine alone. The crates above have none of their own. The wrapper lints it as it does the tests.
lint() {
    sleep 5  # let the tests take cargo's build lock first
    "$OWLBOX_TEST_PYTHON" tests/python/prose.py && "$OWLBOX_TEST_PYTHON" packaging/make_site.py || return
    lint_document || return
    nice cargo check --quiet --locked -p owlbox-site --config profile.dev.package.owlbox-site.debug-assertions=false \
        && nice cargo check --quiet --locked -p owlbox-engine
}
# The OpenAPI document, read by what others lint theirs with: ten seconds of one core.
lint_document() {
    local linters=${CARGO_TARGET_DIR:-target}/node/node_modules/.bin document=crates/api/src/docs/openapi.json
    local PATH="${OWLBOX_TEST_PYTHON%/*}:$PATH"
    nice "$linters/spectral" lint --quiet --fail-severity hint --ruleset tests/node/spectral.yaml "$document" \
        && REDOCLY_TELEMETRY=off REDOCLY_SUPPRESS_UPDATE_NOTICE=true \
            nice "$linters/redocly" lint --config tests/node/redocly.yaml "$document"
}
# What is installed, used as its users do; and whether every library may be passed on. As root, with programs of Debian's
# that nothing else here needs.
try_package() {
    local tools=${CARGO_TARGET_DIR:-target}/tools
    if [ "$(id -u)" = 0 ]; then
        say "the package, in bare roots of Debian 12 and 13"
        local program
        for program in mmdebstrap systemd-analyze dpkg-shlibdeps; do
            command -v "$program" >/dev/null && continue
            apt-get install -q -y --no-install-recommends mmdebstrap systemd dpkg-dev >&2
            break
        done
        # Without the wrapper that lints: other people's programs are built here, and ours as it is passed on.
        beside env -u RUSTC_WORKSPACE_WRAPPER -u CLIPPY_ARGS "$python3" tests/python/package.py bookworm trixie || return
    else
        say "only root can try the package in a root of its own: left out"
    fi
    say "licences and sources of the libraries"
    env -u RUSTC_WORKSPACE_WRAPPER -u CLIPPY_ARGS \
        cargo install --quiet --locked --root "$tools" --version 0.20.2 cargo-deny && "$tools/bin/cargo-deny" check licenses bans sources
}

stories=(--skip Db__other)  # in a long run, on the other database as well
[ -z "$long" ] || stories=()

say "tests from outside, and beside them the lints of what no test compiles"
cargo test --locked --no-fail-fast --test it -- "${stories[@]}" &
outside=$!
lint >"$work/lint.log" 2>&1 &
lint=$!
started=("$outside" "$lint" "${started[@]}")
status=0
wait "$outside" || status=$?
if ! wait "$lint"; then
    cat "$work/lint.log" >&2
    say "the lints found something (above); the tests go on"
    status=1
fi
if [ -n "$long" ]; then
    try_package || status=$?
    say "benches, and attacks and records at their full size"
    beside cargo bench --locked --no-fail-fast --bench '*' || status=$?
    OWLBOX_FULL_SIZE=1 beside cargo test --locked --release --test it -- shares:: records:: || status=$?
fi
# Not beside those from outside: some measure how soon something happens.
say "tests of the libraries"
beside cargo test --locked --no-fail-fast --lib --bins || status=$?
beside cargo test --locked --no-fail-fast --doc || status=$?
exit "$status"
