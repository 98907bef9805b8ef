#!/bin/sh
# Run by the PostgreSQL image of compose.yaml when it creates the database: five roles, none of them a superuser, with
# the passwords in the URLs of secrets/. Run it by hand to change a password.
set -eu
secrets=${SECRETS:-/run/secrets}

password() {
  sed -E 's|^[^:]+://[^:]+:([^@]+)@.*|\1|' "$secrets/$1"
}

# Exported, because everyone on the machine can read a command's arguments.
for role in migrate serve work operate console; do export "$role=$(password "${role}_url")"; done
PGOPTIONS=--client-min-messages=warning psql --quiet --no-psqlrc --set ON_ERROR_STOP=1 \
  --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" --set database="$POSTGRES_DB" <<'END'
\getenv migrate migrate
\getenv serve serve
\getenv work work
\getenv operate operate
\getenv console console
select format('create role %I login', name)
from unnest(array['farwatch', 'farwatch_serve', 'farwatch_work', 'farwatch_operate', 'farwatch_console']) as name
where name not in (select rolname from pg_roles) \gexec
alter role farwatch password :'migrate';
-- See "Create the database" in docs/operations.md.
alter role farwatch_serve password :'serve' connection limit 35;
alter role farwatch_work password :'work' connection limit 15;
alter role farwatch_operate password :'operate';
alter role farwatch_console password :'console' connection limit 15;
-- Only a superuser or a member of the role may make it the database's owner.
grant farwatch to current_user;
alter database :"database" owner to farwatch;
END
