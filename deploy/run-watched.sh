#!/bin/sh
# run-watched.sh <private port>/<health check> <program>: runs a program under systemd's watchdog. Node can't send to
# systemd's datagram socket, so a loop notifies systemd while the health check responds; the first message says that the
# program has started.
while sleep 1; do
  curl --silent --fail --output /dev/null "http://127.0.0.1:$1" && systemd-notify --ready WATCHDOG=1
done &
exec node_modules/.bin/node "$2"
