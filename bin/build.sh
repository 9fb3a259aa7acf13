# What ./check and ./headgate share; they source it with $root set to the repository root. POSIX sh.
# shellcheck shell=sh disable=SC2154

# Sets JAVA_HOME and $jdk_version.
find_jdk() {
    jdk=$("$root/bin/find-jdk" --version) || exit 3
    jdk_version=${jdk%% *}
    JAVA_HOME=${jdk#* }
    export JAVA_HOME
}

# Makes sure that Maven is there.
find_maven() {
    if ! command -v mvn >/dev/null 2>&1; then
        cat >&2 <<'EOF'
Headgate is built with Maven 3.8 or newer, and there is no mvn on the PATH. Install it, then try again:
  Debian, Ubuntu   sudo apt-get install maven
  Fedora           sudo dnf install maven
  macOS            brew install maven
  Windows          winget install Apache.Maven, or unpack https://maven.apache.org/download.cgi
EOF
        exit 3
    fi
    # Maven's own libraries make new JDKs warn about themselves on every start.
    if [ "$jdk_version" -ge 24 ]; then
        MAVEN_OPTS="--enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow ${MAVEN_OPTS:-}"
        export MAVEN_OPTS
    fi
}

# Runs Maven in batch mode under the lock directory $1, and names its process there: should this script be killed, the
# lock still holds until Maven has ended too. Users without a usable home directory keep their downloads beside the lock.
maven() {
    holder=$1/pid
    shift
    # What Maven loads is told by callers that count it.
    if [ -z "${counts_files:-}" ]; then set -- --no-transfer-progress "$@"; fi
    if [ ! -w "${HOME:-/nonexistent}" ]; then set -- -Dmaven.repo.local="${holder%/*/pid}/m2" "$@"; fi
    (cd "$root" && exec sh -c 'echo $$ >>"$1" && shift && exec mvn -B -Dstyle.color=never "$@"' maven "$holder" "$@")
}

# Leaves out what Maven says after every failure, whatever failed.
without_boilerplate() {
    grep -v -E \
        -e '^\[(ERROR|INFO)\] *$' \
        -e '^\[ERROR\] (To see the full|Re-run Maven|For more information|After correcting|  mvn <args>|-> \[Help|\[Help)' \
        -e '^\[INFO\] (-----|BUILD FAILURE|Reactor Summary|Headgate.* \.\.\.|Total time|Finished at)' \
        -e '^WARNING: .*sun\.misc\.Unsafe'
}

# Prints a directory for build output that this user can write: $root/.build, unless somebody else's directories are in
# it or in the arguments, or the checkout is read-only. Then one in the user's own cache.
writable_build_home() {
    if [ -w "$root" ] && mine "$root/.build" "$@"; then
        echo "$root/.build"
    else
        private_build_home
    fi
}

private_build_home() {
    id=$(printf %s "$root" | cksum)
    echo "${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/headgate/${id%% *}"
}

# True if no directory below the arguments belongs to somebody else. root may write everywhere.
mine() {
    me=$(id -u)
    [ "$me" = 0 ] && return 0
    for tree in "$@"; do
        [ ! -e "$tree" ] || [ -z "$(find "$tree" -type d ! -user "$me" 2>/dev/null | head -n 1)" ] || return 1
    done
}

# Where process numbers mean the same: this machine and, on Linux, its namespace of process numbers. In a container the
# build of the container next door may have the number that this one has.
neighbourhood() {
    echo "$(uname -n) $(readlink /proc/self/ns/pid 2>/dev/null)"
}

# True if one of the processes with these numbers, which hold the lock directory $1, lives. Of processes that cannot be seen
# from here it is believed for two hours.
alive() {
    there=$(cat "$1/neighbourhood" 2>/dev/null)
    if [ -n "$there" ] && [ "$there" != "$(neighbourhood)" ]; then
        [ -z "$(find "$1" -prune -mmin +120 2>/dev/null)" ]
        return
    fi
    shift
    for process in "$@"; do
        if [ -d "/proc/$process" ] || ps -p "$process" >/dev/null 2>&1; then return 0; fi
    done
    return 1
}

# Takes the lock directory $1; waits while a process that holds it lives. Returns 1 if it was left behind by a build
# that died half-way, so that the caller throws away what that build wrote.
lock() {
    left_behind=0
    told=
    while ! mkdir "$1" 2>/dev/null; do
        [ -d "$1" ] || { echo "cannot create $1" >&2 && exit 3; }
        holders=$(cat "$1/pid" 2>/dev/null)
        # A lock without a number is being taken or given back this very moment, or it was torn: look again in a second.
        if [ -z "$holders" ]; then sleep 1 && holders=$(cat "$1/pid" 2>/dev/null); fi
        # shellcheck disable=SC2086 # one word per process
        if alive "$1" $holders; then
            [ -n "$told" ] || echo "waiting for the build of process ${holders%%[!0-9]*} on ${there%% *}; if it is gone, remove $1…" >&2
            told=yes
            sleep 1
        elif [ -d "$1" ]; then
            unlock "$1"
            left_behind=1
        fi
    done
    neighbourhood >"$1/neighbourhood"
    echo $$ >"$1/pid"
    return $left_behind
}

# The rename is what gives the lock back: of two that try, one succeeds, and nobody removes a lock taken since.
unlock() {
    mv "$1" "$1.$$" 2>/dev/null && rm -rf "$1.$$"
}
