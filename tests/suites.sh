# SPDX-License-Identifier: MIT
# suites.sh - runs groups of tests and adds up; sourced by ./test and .ci/run (bash), in the checkout.
#
# A suite is one command.  How many of its checks passed is read from its output: ctest's summary, unittest's, or the line
# "N passed, N failed" of our own; exit status 77 means that it cannot run here.
passed=0 failed=0 skipped=0 only=${1:-}
bad=()

heading() { printf '\n== %s\n' "$*"; }

# build PRESET
build() {
    heading "build ($1)"
    { cmake --preset "$1" && cmake --build --preset "$1"; } >"$log" 2>&1 && { tail -1 "$log"; return 0; }
    tail -40 "$log"
    return 1
}

# count WORD: the number behind "WORD=" in unittest's last lines, or 0
count() { tail -3 "$log" | grep -oE "$1=[0-9]+" | head -1 | cut -d= -f2 | grep . || echo 0; }

# suite NAME COMMAND...
suite() {
    local name=$1 began=$SECONDS status p=0 f=0 s=0 line
    shift
    case $name in *"$only"*) ;; *) return ;; esac
    heading "$name"
    "$@" 2>&1 | tee "$log"
    status=${PIPESTATUS[0]}
    if [ "$status" = 77 ]; then
        s=1
    elif line=$(grep -E '^[0-9]+% tests passed, [0-9]+ tests failed out of [0-9]+' "$log"); then
        set -- $line                    # 100% tests passed, 0 tests failed out of 12
        f=$4 s=$(grep -cE '\*\*\*Skipped' "$log") p=$((${9} - f - s))
    elif line=$(grep -E '^Ran [0-9]+ tests? in ' "$log"); then
        set -- $line
        s=$(count skipped) f=$(($(count failures) + $(count errors)))
        p=$(($2 - f - s))
    elif line=$(grep -E '^[0-9]+ passed, [0-9]+ failed' "$log" | tail -1) && [ -n "$line" ]; then
        set -- ${line//,/}
        p=$1 f=$3
        [ "${6:-}" = skipped ] && s=$5
    elif [ "$status" = 0 ]; then
        p=1
    fi
    # Whatever was read: a suite that says "no" failed.
    [ "$status" != 0 ] && [ "$status" != 77 ] && [ "$f" = 0 ] && f=1
    [ "$f" = 0 ] || bad+=("$name")
    passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
    echo "-- $name: $p passed, $f failed, $s skipped ($((SECONDS - began)) s)"
}

# unit PRESET
unit() {
    if [ -f tests/CMakeLists.txt ]; then
        suite "unit ($1)" ctest --preset "$1" --no-tests=error
    fi
}

# python_tests NAME GLOB...: each file that is there, with $BIN as the folder of the programs
python_tests() {
    local name=$1 file
    shift
    for file in "$@"; do
        [ -f "$file" ] && suite "$name $(basename "$file" .py)" /usr/bin/python3 "$file"
    done
}

totals() {
    echo
    [ ${#bad[@]} = 0 ] || printf 'failed: %s\n' "${bad[@]}"
    echo "$passed passed, $failed failed, $skipped skipped"
    [ "$failed" = 0 ] && [ ${#bad[@]} = 0 ]
}

log=$(mktemp)
trap 'rm -f "$log"' EXIT
