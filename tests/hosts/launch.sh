#!/bin/bash
# Stands for ssh: runs the words behind the name of a host in a shell on that host, in this folder. As ssh does with
# ServerAliveInterval, it ends with status 255 when the host does not answer three times.
# usage: WEFT_HOSTS=FOLDER launch.sh [-OPTION...] HOST WORD...
interval=
while [[ $1 == -* ]]; do
  case $1 in
    -o) case $2 in ServerAliveInterval=*) interval=${2#*=} ;; esac; shift 2 ;;
    *) shift ;;
  esac
done
host=$1
shift
# shellcheck disable=SC2046
nsenter -t "$(cat "$WEFT_HOSTS/$host.pid")" -n -u -i -m -p -- $(cat "$WEFT_HOSTS/$host.prefix") \
  /bin/sh -c 'cd "$1" 2>/dev/null || cd /; shift; eval "$*"' sh "$PWD" "$*" &
command=$!
if [ -z "$interval" ]; then
  wait $command
  exit $?
fi
# A host that is there refuses the connection at once. One without power has taken its processes along, which ssh would
# not hear of.
address=$(sed -n "s/ $host\$//p" "$WEFT_HOSTS/etc-hosts") silent=0
while kill -0 $command 2>/dev/null || [ ! -d "/proc/$(cat "$WEFT_HOSTS/$host.pid")" ]; do
  answer=$(timeout "$interval" bash -c ": <>/dev/tcp/$address/9" 2>&1)
  if [[ $answer == *refused* ]]; then silent=0; else silent=$((silent + 1)); fi
  [ $silent -lt 3 ] || exit 255
  sleep .5
done
wait $command
