#!/bin/sh
# Prepares `docker compose up`: creates the passwords and keys in secrets/, and copies .env.example to .env. It keeps
# every file that exists, so it can be run again.
set -eu
cd "$(dirname "$0")/.."
# Containers run as different users, so everyone may read the files, but only you can open the folder of secrets.
umask 022
find . -path ./secrets -prune -o -exec chmod a+rX {} +
mkdir -p -m 700 secrets

write() {
  [ -e "$1" ] || { printf '%s\n' "$2" >"$1" && echo "Wrote $1"; }
}
random() { openssl rand -hex 32; }

write secrets/postgres_password "$(random)"
for role in migrate: serve:_serve work:_work operate:_operate console:_console; do
  write "secrets/${role%:*}_url" "postgres://farwatch${role#*:}:$(random)@postgres/farwatch"
done
for key in secret erasure_key; do write "secrets/$key" "$(random)"; done
write secrets/smtp_url smtp://mailpit:1025
for unused in dkim_key invite_keys oidc_client_secret; do write "secrets/$unused" ""; done
# A self-signed certificate, until you put in your own.
[ -e secrets/privkey.pem ] || { openssl req -x509 -newkey rsa:2048 -nodes -subj /CN=localhost -days 365 \
  -keyout secrets/privkey.pem -out secrets/fullchain.pem 2>/dev/null && echo "Wrote secrets/{privkey,fullchain}.pem"; }
chmod 644 secrets/*
write .env "$(cat .env.example)"

cat <<END
Start     docker compose up --detach --wait
Page      $(sed -n 's/^PUBLIC_ORIGIN=//p' .env)
Mail      http://localhost:8025 (caught, not sent)
Console   docker compose run --rm --service-ports console
END
