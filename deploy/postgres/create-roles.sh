#!/bin/sh
# Run by the PostgreSQL image of compose.yaml when it creates the database: three roles, none of them a superuser, with
# the passwords in the URLs of secrets/. Run it by hand to change a password.
set -eu
secrets=${SECRETS:-/run/secrets}

password() {
  sed -E 's|^[^:]+://[^:]+:([^@]+)@.*|\1|' "$secrets/$1"
}

psql --quiet --no-psqlrc --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" \
  --set database="$POSTGRES_DB" --set migrate="$(password migrate_url)" --set serve="$(password serve_url)" \
  --set operate="$(password operate_url)" <<'END'
select format('create role %I login', name)
from unnest(array['farwatch', 'farwatch_serve', 'farwatch_operate']) as name
where name not in (select rolname from pg_roles) \gexec
alter role farwatch password :'migrate';
-- See "Create the database" in docs/operations.md.
alter role farwatch_serve password :'serve' connection limit 50;
alter role farwatch_operate password :'operate';
alter database :"database" owner to farwatch;
-- Hands over what the superuser has created in this database.
create temporary view ours as
  select oid as schema from pg_namespace where nspname = 'public';
select format('alter table %s owner to farwatch', oid::regclass)
from pg_class join ours on relnamespace = schema where relkind in ('r', 'p') \gexec
select format('alter routine %s owner to farwatch', oid::regprocedure)
from pg_proc join ours on pronamespace = schema \gexec
select format('alter type %s owner to farwatch', oid::regtype)
from pg_type join ours on typnamespace = schema where typtype = 'e' \gexec
END
