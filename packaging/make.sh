#!/usr/bin/env bash
# Makes what can be installed, from a clean clone, and prints where it is:
#
#   bash packaging/make.sh            a Debian package, for the machine's own architecture
#   bash packaging/make.sh static     one program that needs no library, for any Linux of that architecture
#   bash packaging/make.sh container  an image for containers around that program (needs buildah)
#
# PROGRAM=target/debug/owlbox packages a program that has been built already: quick, to try the package itself.
set -euo pipefail
cd "$(dirname "$0")/.."

target=${CARGO_TARGET_DIR:-target}
# Where Cargo.toml looks for it.
stage=target/package
host=$(rustc -vV | sed -n 's/^host: //p')
version=$(cargo metadata --format-version 1 --no-deps --locked | python3 -c 'import json, sys
print(next(p["version"] for p in json.load(sys.stdin)["packages"] if p["name"] == "owlbox"))')

# The program, built for packaging, with `$@` as further arguments of cargo.
build() {
    if [ -n "${PROGRAM:-}" ]; then
        cp "$PROGRAM" "$stage/owlbox"
    else
        cargo build --profile dist --locked --bin owlbox "$@" >&2
        cp "$target/${2:+$2/}dist/owlbox" "$stage/owlbox"
    fi
}

# What is installed beside the program. All of it comes from the program or from the sources.
accompany() {
    rm -rf "$stage/man" && mkdir -p "$stage/man"
    "$stage/owlbox" man "$stage/man"
    gzip -9n "$stage"/man/*
    for shell in bash zsh fish; do "$stage/owlbox" completions "$shell" >"$stage/owlbox.$shell"; done
    # Every setting with its comment, none of them set but the place of the club.
    "$stage/owlbox" config default \
        | sed -e 's/^\([a-z_]* = \)/#\1/' \
            -e '/^\[database\]/,/^#url = /s|^#url = .*|url = "sqlite:///var/lib/owlbox/owlbox.db"|' >"$stage/owlbox.toml"
    "$stage/owlbox" --config "$stage/owlbox.toml" config check >/dev/null
    python3 packaging/licences.py | gzip -9n >"$stage/THIRD-PARTY-LICENCES.gz"
}

deb() {
    local version_of_tool=3.8.0
    build
    accompany
    cargo install --quiet --locked --root "$target/tools" --version "$version_of_tool" cargo-deb >&2
    PATH=$target/tools/bin:$PATH cargo deb --no-build --quiet ${PROGRAM:+--fast} --deb-version "${DEB_VERSION:-$version-1}" --output "$stage/" >&2
    ls "$stage"/owlbox_"${DEB_VERSION:-$version-1}"_*.deb
}

static() {
    RUSTFLAGS="${RUSTFLAGS:-} -C target-feature=+crt-static" build --target "$host"
    accompany
    ! ldd "$stage/owlbox" 2>/dev/null | grep -q '=>' || { echo "packaging/make.sh: the program needs libraries" >&2; exit 1; }
    local folder=owlbox-$version-${host%%-*}-linux
    rm -rf "${stage:?}/$folder" && mkdir "$stage/$folder"
    cp -r "$stage"/owlbox "$stage"/owlbox.{bash,zsh,fish,toml} "$stage"/man "$stage"/THIRD-PARTY-LICENCES.gz \
        README.md CHANGELOG.md LICENSE LICENSE-APACHE packaging/systemd "$stage/$folder"
    tar -C "$stage" --owner=0 --group=0 --sort=name -czf "$stage/$folder.tar.gz" "$folder"
    echo "$stage/$folder.tar.gz"
}

container() {
    static >&2
    mkdir -p "$stage/empty"
    cp /etc/ssl/certs/ca-certificates.crt "$stage/"
    buildah build --quiet --format docker --file packaging/Containerfile --tag "owlbox:$version" "$stage" >&2
    echo "owlbox:$version"
}

mkdir -p "$stage"
case ${1:-deb} in
    deb | static | container) "${1:-deb}" ;;
    *) sed -n '2,9s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
esac
