#!/bin/sh
# Runs KEPT_PROGRAM. Ends it and all its children when it exits, or when the parent process is gone: then the input ends.
# Must be started as the leader of its own process group.
exec 3<&0
"$KEPT_PROGRAM" "$@" </dev/null 3<&- &
program=$!
{ cat <&3 >/dev/null; kill -KILL 0; } &
wait "$program"
kill -KILL 0
