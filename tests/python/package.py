#!/usr/bin/env python3
"""Installs the Debian package in a bare root of Debian's own making, and uses it there: starts the service as systemd
would, founds a club, upgrades with an old club's data, copies, checks, restores, removes.

    sudo python3 tests/python/package.py             builds the package first, which takes minutes
    sudo PROGRAM=target/debug/owlbox python3 ...     with a program that is there already

Needs root, mmdebstrap, systemd-analyze, and what packaging/make.sh needs."""

import contextlib
import json
import os
import pathlib
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request

PROJECT = pathlib.Path(__file__).resolve().parent.parent.parent
SUITES = sys.argv[1:] or ["bookworm"]
OLDER = "0.0.1-1"


def run(*command, **options):
    return subprocess.run(command, check=True, text=True, stdout=subprocess.PIPE, **options).stdout


def package(**environment):
    made = run("bash", "packaging/make.sh", cwd=PROJECT, env=os.environ | environment).split()
    return PROJECT / made[-1]


class Machine:
    """A bare root with nothing but what Debian cannot do without, and a user for each package that makes one."""

    def __init__(self, root, suite):
        self.root = root
        run("mmdebstrap", "--quiet", "--variant=minbase", "--include=adduser", suite, str(root))

    def inside(self, *command, user="root"):
        there = f"cd {'/var/lib/owlbox' if user != 'root' else '/'} && exec {shlex.join(command)}"
        return run("chroot", f"--userspec={user}:{user}", str(self.root), "sh", "-c", there)

    def install(self, deb):
        shutil.copy(deb, self.root / "tmp/owlbox.deb")
        return self.inside("dpkg", "--install", "/tmp/owlbox.deb")

    def unit(self, name):
        """What a unit starts."""
        text = (self.root / f"usr/lib/systemd/system/{name}.service").read_text()
        return shlex.split(re.search(r"^ExecStart=(.*)$", text, re.MULTILINE)[1])

    def job(self, name):
        return self.inside(*self.unit(name), user="owlbox")

    @contextlib.contextmanager
    def service(self, watchdog_seconds=2):
        """The service as its unit starts it, behind a socket that listens as systemd does."""
        notified = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        path = self.root / "run/notify"
        path.unlink(missing_ok=True)
        notified.bind(str(path))
        path.chmod(0o777)
        notified.settimeout(60)
        told = {
            "NOTIFY_SOCKET": "/run/notify",
            "WATCHDOG_USEC": str(watchdog_seconds * 1_000_000),
            "OWLBOX_HTTP__LISTEN": "127.0.0.1:0",
        }
        start = f"cd /var/lib/owlbox && umask 077 && exec {shlex.join(self.unit('owlbox'))}"
        process = subprocess.Popen(
            ["chroot", "--userspec=owlbox:owlbox", str(self.root), "sh", "-c", start],
            env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin"} | told, stdout=subprocess.PIPE, text=True,
        )
        try:
            assert notified.recv(64).strip() == b"READY=1"
            address = re.match(r"listening on (http://\S+)", process.stdout.readline())[1]
            for _ in range(2):
                assert notified.recv(64).strip() == b"WATCHDOG=1"
            yield process, address, notified
        finally:
            process.send_signal(signal.SIGCONT)
            process.terminate()
            assert process.wait(30) == 0, process.returncode
            notified.close()


def found_a_club(process, address):
    code = re.search(r"enter the code (\S+)", process.stdout.readline())[1]
    club = {"name": "Lugano", "time_zone": "Europe/Zurich", "currencies": ["CHF"],
            "public": {"tables": False, "standings": False}}
    body = {"code": code, "settings": club, "login": "maria", "password": "quattro oche sul lago"}
    request = urllib.request.Request(
        f"{address}/api/v1/set-up", json.dumps(body).encode(), {"content-type": "application/json"})
    with urllib.request.urlopen(request) as answer:
        assert answer.status < 300


def is_silent(process, notified):
    """A service that hangs is not said to be alive."""
    process.send_signal(signal.SIGSTOP)
    notified.setblocking(False)
    with contextlib.suppress(BlockingIOError):
        while notified.recv(64):
            pass
    notified.settimeout(3)
    try:
        notified.recv(64)
    except TimeoutError:
        return True
    finally:
        process.send_signal(signal.SIGCONT)
    return False


def check_units(machine):
    """A bare root has no systemd, so the units that ours name come from this machine."""
    folder = machine.root / "usr/lib/systemd/system"
    for other in pathlib.Path("/usr/lib/systemd/system").glob("*.target"):
        if not (folder / other.name).exists():
            shutil.copy(other, folder)
    units = sorted(unit.name for unit in folder.glob("owlbox*.*") if unit.is_file())
    assert len(units) == 5, units
    run("systemd-analyze", "verify", "--man=no", f"--root={machine.root}", *units)
    for unit in units:
        if unit.endswith(".service"):
            run("systemd-analyze", "security", "--offline=true", "--threshold=25", f"--root={machine.root}", unit)


def try_everything(machine, older, newer):
    said = machine.install(newer)
    assert "journalctl -u owlbox" in said, said
    after_install = (machine.root / "var/lib/dpkg/info/owlbox.postinst").read_text()
    assert "deb-systemd-invoke start owlbox-backup.timer owlbox-verify.timer" in after_install
    with machine.service() as (process, address, notified):
        found_a_club(process, address)
        assert is_silent(process, notified)
    assert machine.job("owlbox-verify").startswith("owlbox: streams 1,")

    # Nothing that a package leaves is lost by removing it; only a purge takes the configuration.
    data, settings = machine.root / "var/lib/owlbox/owlbox.db", machine.root / "etc/owlbox/owlbox.toml"
    machine.inside("dpkg", "--remove", "owlbox")
    assert data.exists() and settings.exists() and not (machine.root / "usr/bin/owlbox").exists()
    said = machine.inside("dpkg", "--purge", "owlbox")
    assert data.exists() and not settings.exists() and "/var/lib/owlbox" in said

    # An older package, an old club, a changed setting: all survive the upgrade.
    for left in data.parent.iterdir():
        left.unlink()
    machine.install(older)
    old_club = sorted((PROJECT / "tests/data/clubs").glob("*.sqlite"))[-1]
    shutil.copy(old_club, data)
    machine.inside("chown", "owlbox:owlbox", "/var/lib/owlbox/owlbox.db")
    settings.write_text(settings.read_text().replace('#level = "info"', 'level = "warn"'))
    machine.install(newer)
    assert 'level = "warn"' in settings.read_text().splitlines()
    assert oct(settings.stat().st_mode & 0o777) == "0o640"
    with machine.service():
        machine.job("owlbox-backup")
    copies = list((machine.root / "var/backups/owlbox").iterdir())
    assert len(copies) == 1, copies
    before = machine.job("owlbox-verify")
    machine.inside("owlbox", "restore", "--config", "/etc/owlbox/owlbox.toml", "--replace",
                   f"/var/backups/owlbox/{copies[0].name}", user="owlbox")
    after = machine.job("owlbox-verify")
    assert after == before, (before, after)
    with machine.service() as (_, address, _):
        with urllib.request.urlopen(f"{address}/readyz") as answer:
            assert answer.read().strip() == b"ready"
    check_units(machine)


def main():
    newer, older = package(), package(DEB_VERSION=OLDER)
    print(f"{newer.name}: {newer.stat().st_size / 1e6:.1f} MB")
    for suite in SUITES:
        with tempfile.TemporaryDirectory(prefix="owlbox-package.") as folder:
            os.chmod(folder, 0o755)
            started = time.monotonic()
            try_everything(Machine(pathlib.Path(folder) / "root", suite), older, newer)
            print(f"{suite}: installed, used, upgraded, restored, removed in {time.monotonic() - started:.0f} s")


main()
