#!/bin/sh
# Runs KEPT_PROGRAM, and ends it and everything it has started when it is over or when whoever started this is gone: then the input ends.
# To be started as the first of a process group of its own.
exec 3<&0
"$KEPT_PROGRAM" "$@" </dev/null 3<&- &
program=$!
{ cat <&3 >/dev/null; kill -KILL 0; } &
wait "$program"
kill -KILL 0
