#!/bin/bash
# Restores the newest base backup of a folder, and the WAL archived since, into a scratch PostgreSQL, and runs
# `waitlist verify` on the copy. If the backup is bad, the last line says why, and the exit code is 1. Run it as a user
# who can read the backups, but not as root, because PostgreSQL doesn't start as root:
#   DATABASE_URL=… deploy/verify-backup.sh /backups
set -euo pipefail
umask 77
cd "$(dirname "$0")/.."
backups=$(realpath "$1")
base=$(find "$backups" -maxdepth 1 -name 'base-*' | LC_ALL=C sort | tail -n 1)
database=${DATABASE_URL%%\?*}

# On disk, because /tmp may be in memory.
scratch=$(mktemp --directory --tmpdir="${TMPDIR:-/var/tmp}" restore-XXXXXXXX)
data=$scratch/data
clean_up() {
  [ ! -e "$data/postmaster.pid" ] || "$bin/pg_ctl" stop --pgdata="$data" --mode=immediate --silent
  rm -rf "$scratch"
}
trap clean_up EXIT
fail() {
  echo "Backup check failed: $1" >&2
  exit 1
}
[ -n "$base" ] || fail "there is no backup in $backups"

mkdir -p "$data/pg_wal"
tar -xzf "$base/base.tar.gz" -C "$data" || fail "$base/base.tar.gz can't be unpacked"
tar -xzf "$base/pg_wal.tar.gz" -C "$data/pg_wal" || fail "$base/pg_wal.tar.gz can't be unpacked"
bin=/usr/lib/postgresql/$(cat "$data/PG_VERSION")/bin || fail "$base/base.tar.gz isn't a backup of PostgreSQL"
"$bin/pg_verifybackup" --quiet --manifest-path="$base/backup_manifest" "$data" ||
  fail "$base doesn't match its manifest"

# Replaces the original configuration, which may name an archive to write to or a standby to wait for. Only this user
# can enter the socket's folder, so the copy needs no password. PostgreSQL takes 255 as an error, anything lower as the
# end of the WAL, where it stops replaying.
cat >"$data/postgresql.conf" <<CONF
listen_addresses = ''
unix_socket_directories = '$scratch'
restore_command = 'test -f "$backups/wal/%f.gz" && { gzip -cd "$backups/wal/%f.gz" >"%p" || exit 255; }'
hot_standby = off
dynamic_shared_memory_type = mmap
fsync = off
CONF
echo "local all all trust" >"$data/pg_hba.conf"
true >"$data/pg_ident.conf"
true >"$data/postgresql.auto.conf"
touch "$data/recovery.signal"
"$bin/pg_ctl" start --pgdata="$data" --log="$scratch/log" --wait --timeout=3600 --silent || {
  cat "$scratch/log" >&2
  fail "PostgreSQL doesn't start from $base"
}

DATABASE_URL="postgres:///${database##*/}?host=$scratch&user=postgres" \
  node_modules/.bin/node cli/waitlist.ts verify >"$scratch/verify" 2>&1 || {
  cat "$scratch/verify" >&2
  fail "$base can be restored, but waitlist verify finds errors in the copy"
}
echo "Backup check passed: $base was restored and verified"
