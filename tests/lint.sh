#!/bin/sh
# What tests/run.sh has cargo call in rustc's place (RUSTC_WORKSPACE_WRAPPER), with rustc and its arguments: clippy,
# where it has not looked at the same lines before. A library is compiled twice, for others and with its own tests.
case " $* " in
*" --crate-type lib "*) exec "$@" $CLIPPY_ARGS ;;
*) exec clippy-driver "$@" ;; # which reads CLIPPY_ARGS itself
esac
