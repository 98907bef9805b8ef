#!/bin/sh
# Patroni's callback on_role_change: ends a new primary's first WAL segment. If two promotions shared a segment, a standby
# that missed both could never follow, because PostgreSQL would look for it in a file that the second promotion renames.
case $2 in master | primary) ;; *) exit 0 ;; esac
for _ in $(seq 100); do
  psql --quiet --command 'select pg_switch_wal()' && exit
  sleep 0.2
done
exit 1
