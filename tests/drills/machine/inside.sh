#!/usr/bin/env bash
# Runs on the machine that drill.sh booted: executes the commands of docs/operations.md and checks the result.
set -euo pipefail
export HOME=/root NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt
cd /opt/drill
trap 'journalctl --no-pager --lines 60' ERR

http_status() {
  curl --silent --insecure --max-time 10 --output /dev/null --write-out '%{http_code}\n' "$@" || true
}
sign_up() {
  local person='"firstName": "Ada", "lastName": "Lovelace", "company": "", "newsletter": false, "website": ""'
  http_status --json "{ $person, \"email\": \"$1@example.com\" }" https://farwatch.example/api/waitlist
}
# Once the page is up, requests it a few times a second, and signs up every tenth time.
visit() {
  until [ "$(http_status https://farwatch.example)" = 200 ]; do sleep 1; done
  for ((visitor = 1; ; visitor += 1)); do
    http_status https://farwatch.example
    [ $((visitor % 10)) -gt 0 ] || sign_up "visitor-$visitor"
    sleep 0.2
  done
}
within_a_minute() {
  timeout 60 bash -c "until $1; do sleep 1; done"
}

if [ -e /srv/farwatch ]; then
  within_a_minute "curl --fail --silent --output /dev/null https://farwatch.example"
  [ "$(sign_up after-the-reboot)" = 201 ]
  systemctl is-active farwatch-server@{3001,3002} farwatch-{balancer,mail} farwatch-nightly.timer ufw
  exit
fi

# Fakes for everything outside the machine: the repository, DNS, the certificate authority and the mail provider.
cat >/etc/gitconfig <<'END'
[url "/opt/farwatch.git"]
  insteadOf = https://git.example/farwatch.git
[safe]
  directory = *
END
echo "127.0.0.1 localhost farwatch.example smtp.example" >>/etc/hosts
mkdir -p /etc/systemd/system/farwatch-mail.service.d
cat >/etc/systemd/system/farwatch-mail.service.d/trust.conf <<'END'
[Service]
Environment=NODE_EXTRA_CA_CERTS=/usr/local/share/ca-certificates/drill.crt
END
certbot() {
  [[ " $* " == *" --webroot -w /var/www/html -d farwatch.example --deploy-hook "* ]]
  mkdir -p /var/www/html/.well-known/acme-challenge
  echo found >/var/www/html/.well-known/acme-challenge/drill
  [ "$(curl --silent http://farwatch.example/.well-known/acme-challenge/drill)" = found ]
  RENEWED_LINEAGE=/opt/drill sh -c "${!#}"
}
run_smtp_server() {
  until [ -e /srv/farwatch ]; do sleep 1; done
  exec /srv/farwatch/node_modules/.bin/node /srv/farwatch/tests/drills/machine/smtp.ts fullchain.pem privkey.pem mails
}

run_smtp_server &
visit >visits &
set -x
source commands
cd /opt/drill

within_a_minute "[ -s mails ]"
kill "$!"
# No request failed during the installation and the upgrade.
[ "$(sort -u visits | xargs)" = "200 201" ]
ls /backups/base-*/base.tar.gz /backups/wal /backups/erasures.jsonl
# The nightly unit restored its backup inside its own sandbox.
curl --silent http://127.0.0.1:13001/metrics | grep '^farwatch_last_restore_timestamp_seconds [1-9]'
# Only root can change what runs, and a server's role can't change the consent ledger.
[ -z "$(find /srv/farwatch-*/ /usr/local/{bin,lib} ! -type l \( ! -user root -o -perm /022 \) -print -quit)" ]
su farwatch_serve -c "psql --quiet farwatch --command 'select from consents'"
(! su farwatch_serve -c "psql --quiet farwatch --command 'delete from consents'")
# The systemd sandbox works: a server can't write to its files or connect to the Internet.
(! nsenter --mount --target "$(systemctl show --property MainPID --value farwatch-server@3001)" touch /srv/farwatch/dist)
external=$(apt-get indextargets --format '$(SITE)' | head --lines 1)
curl --silent --head --output /dev/null "$external"
group=$(systemctl show --property ControlGroup --value farwatch-server@3001)
(
  echo "$BASHPID" >"/sys/fs/cgroup$group/cgroup.procs"
  ! curl --silent --max-time 3 --head "$external"
)
sort visits | uniq --count
