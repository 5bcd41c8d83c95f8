/**
 * The script that the shell runs inside of the sandbox, around the command. It closes all inherited
 * files (an outside folder among them would be a way out), sets limits, and gives the processes that
 * the command has left running time to print, as outside of a sandbox.
 *
 * Its arguments, after the shell's own path: the command; `separate` or `joined`, for its two streams of output; the most processes;
 * the most kilobytes of a file; how many times 50 ms to wait for remaining processes; and, for named
 * hosts, Node's path and a script for it. It writes `r` to descriptor 3 when the command is about to
 * start, and `l` at the end if processes are left.
 */
export const insideScript = `
for fd in /proc/self/fd/*; do
  fd=\${fd##*/}
  case $fd in
    [0-3]) ;;
    [4-9]) eval "exec $fd>&-" ;;
    *) if [ -n "$BASH_VERSION" ]; then eval "exec $fd>&-"; elif [ -e "/proc/self/fd/$fd" ]; then exit 126; fi ;;
  esac
done
trap : TERM
{
  ulimit -c 0
  if [ -n "$BASH_VERSION" ]; then
    ulimit -u "$3"
    ulimit -f "$4"
  else
    ulimit -p "$3"
    ulimit -f "$(($4 * 2))"
  fi
} 2>/dev/null
own=2
if [ -n "$6" ]; then
  ready=$(ELECTRON_RUN_AS_NODE=1 "$6" -e "$7" /run/proxy.sock 2>/dev/null 3>&- &)
  own=3
fi
printf r >&3
exec 4>&2 2>/dev/null
if [ "$2" = separate ]; then "$0" -c "$1" 2>&4 3>&- 4>&-; else "$0" -c "$1" 2>&1 3>&- 4>&-; fi
code=$?
tries=$5
while set -- /proc/[0-9]*; [ $# -gt $own ] && [ $tries -gt 0 ]; do
  sleep 0.05
  tries=$((tries - 1))
done
[ $# -gt $own ] && printf l >&3
exit $code
`;
