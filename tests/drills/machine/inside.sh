#!/usr/bin/env bash
# On the machine that drill.sh has booted: types what docs/operations.md says, and looks what comes of it.
set -euo pipefail
export HOME=/root NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt
cd /opt/drill
trap 'journalctl --no-pager --lines 60' ERR

ask() {
  curl --silent --insecure --max-time 10 --output /dev/null --write-out '%{http_code}\n' "$@" || true
}
join() {
  local person='"firstName": "Ada", "lastName": "Lovelace", "company": "", "newsletter": false, "website": ""'
  ask --json "{ $person, \"email\": \"$1@example.com\" }" https://farwatch.example/api/waitlist
}
# From the moment at which the page is there: a few looks a second, and every tenth time a sign-up.
visit() {
  until [ "$(ask https://farwatch.example)" = 200 ]; do sleep 1; done
  for ((visitor = 1; ; visitor += 1)); do
    ask https://farwatch.example
    [ $((visitor % 10)) -gt 0 ] || join "visitor-$visitor"
    sleep 0.2
  done
}
within_a_minute() {
  timeout 60 bash -c "until $1; do sleep 1; done"
}

if [ -e /srv/farwatch ]; then
  within_a_minute "curl --fail --silent --output /dev/null https://farwatch.example"
  [ "$(join after-the-reboot)" = 201 ]
  systemctl is-active farwatch-server@{3001,3002} farwatch-{balancer,mail} farwatch-nightly.timer ufw
  exit
fi

# What lies outside the machine: the repository, names, an authority for certificates, a mail provider.
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
take_mails() {
  until [ -e /srv/farwatch ]; do sleep 1; done
  exec /srv/farwatch/node_modules/.bin/node /srv/farwatch/tests/drills/machine/smtp.ts fullchain.pem privkey.pem mails
}

take_mails &
visit >visits &
set -x
source typed
cd /opt/drill

within_a_minute "[ -s mails ]"
kill "$!"
# Nobody was turned away, whatever was typed meanwhile.
[ "$(sort -u visits | xargs)" = "200 201" ]
ls /backups/base-*/base.tar.gz /backups/wal /backups/erasures.jsonl
# What the units forbid is forbidden: a server can't write to its files, and reaches nobody out there.
(! nsenter --mount --target "$(systemctl show --property MainPID --value farwatch-server@3001)" touch /srv/farwatch/dist)
out_there=$(apt-get indextargets --format '$(SITE)' | head --lines 1)
curl --silent --head --output /dev/null "$out_there"
group=$(systemctl show --property ControlGroup --value farwatch-server@3001)
(
  echo "$BASHPID" >"/sys/fs/cgroup$group/cgroup.procs"
  ! curl --silent --max-time 3 --head "$out_there"
)
sort visits | uniq --count
