import { readFileSync } from "node:fs";
import { join } from "node:path";
import { SMTPServer } from "smtp-server";
import { addRepository, bareDebian } from "#tests/drills/debian/image.ts";
import { ROUTER } from "#tests/drills/debian/network.ts";
import { createRack } from "#tests/drills/debian/rack.ts";
import { readOperations, typeAll } from "#tests/drills/debian/typing.ts";
import { startClients } from "#tests/drills/harness/clients.ts";
import type { Context, Drill, Outcome } from "#tests/drills/harness/drill.ts";
import { checkReadsDuring } from "#tests/drills/harness/reads.ts";

const ADDRESS = "10.203.0.1";

/** Needs root and Debian's debootstrap, iproute2, iptables, openssl and systemd-container. */
export const installation: Drill = {
  breaks: "a bare Debian gets the commands of docs/operations.md, an upgrade, a frozen server and a power failure",
  shows: "the site comes up as documented, serves every request, and is back after the freeze and the power failure",
  run: (context) => install(context),
  controls: [
    {
      without: "serving idle connections until nginx has closed them",
      finds: /^a sign-up failed in ten restarts/,
      run: (context) => install(context, { breakSafeguard: OLD_DRAIN }),
    },
    {
      without: "systemd's watchdog",
      finds: /^the frozen server was not restarted/,
      run: (context) => install(context, { breakSafeguard: NO_WATCHDOG }),
    },
    {
      without: "a restart of one server after the other",
      finds: /^a sign-up failed/,
      run: (context) =>
        install(context, { change: (commands) => commands.replace(" && sleep 1 && systemctl restart", "") }),
    },
  ],
};

/** Commands that check the machine; none may fail. */
const CHECKS = `
# A Node that nobody signed isn't installed, and neither is one with another checksum.
git clone --quiet /opt/farwatch.git /root/copy
cp -r /opt/drill/nodejs /root/forged
echo "$(printf 0%.0s {1..64})  $(basename /root/forged/v*/*.tar.gz)" >>/root/forged/v*/SHASUMS256.txt
(! NODE_MIRROR=file:///root/forged /root/copy/deploy/build.sh 2>&1) | grep 'BAD signature'
cp /opt/drill/nodejs/v*/SHASUMS256.txt /root/forged/v*/
echo >>/root/forged/v*/*.tar.gz
rm -r /root/copy/node
(! NODE_MIRROR=file:///root/forged /root/copy/deploy/build.sh) | grep 'tar.gz: FAILED'
[ ! -e /root/copy/node/bin ]
[ "$(realpath "/proc/$(systemctl show --property MainPID --value farwatch-server@3001)/exe")" = "$(realpath /srv/farwatch/node/bin/node)" ]
ls /backups/base-*/base.tar.gz /backups/wal /backups/erasures.jsonl
# The nightly unit restored its backup inside its own sandbox.
curl --silent http://127.0.0.1:13001/metrics | grep '^farwatch_last_restore_timestamp_seconds [1-9]'
# Only root can change what runs, and a server's role can't change the consent ledger.
[ -z "$(find /srv/farwatch-*/ /usr/local/{bin,lib} ! -type l \\( ! -user root -o -perm /022 \\) -print -quit)" ]
su farwatch_serve -c "psql --quiet farwatch --command 'select from consents'"
(! su farwatch_serve -c "psql --quiet farwatch --command 'delete from consents'")
(! su farwatch_serve -c "psql --quiet farwatch --command 'select body from messages'")
su farwatch_work -c "psql --quiet farwatch --command 'select body from messages'"
# The systemd sandbox works: a server can't write to its files or connect to the Internet.
(! nsenter --mount --target "$(systemctl show --property MainPID --value farwatch-server@3001)" touch /srv/farwatch/dist)
external=$(apt-get indextargets --format '$(SITE)' | head --lines 1)
curl --silent --head --output /dev/null "$external"
group=$(systemctl show --property ControlGroup --value farwatch-server@3001)
(echo "$BASHPID" >"/sys/fs/cgroup$group/cgroup.procs"; ! curl --silent --max-time 3 --head "$external")`;

/** Breaks a safeguard on the installed machine. */
const OLD_DRAIN = `
sed -i 's/await acceptBacklog(server);//; s/Listener.prototype.close.call(server);//; s/pause(IDLE_MS,/pause(0,/' /srv/farwatch/core/service/drain.ts
sed -i 's/DRAIN_MS=0/DRAIN_MS=2000/' /etc/systemd/system/farwatch-server@.service
systemctl daemon-reload
systemctl restart farwatch-server@3001 && sleep 1 && systemctl restart farwatch-server@3002`;
const NO_WATCHDOG = `
sed -i '/^Watchdog/d' /etc/systemd/system/farwatch-server@.service
systemctl daemon-reload
systemctl restart farwatch-server@3001 && sleep 1 && systemctl restart farwatch-server@3002`;

const TEN_RESTARTS = `
for restart in 1 2 3 4 5; do
  systemctl restart farwatch-server@3001 && sleep 1 && systemctl restart farwatch-server@3002
done`;

/** Freezes a server, waits half a minute, and prints how often systemd has restarted it. */
const FREEZE = `
kill -STOP "$(systemctl show --property MainPID --value farwatch-server@3001)"
sleep 30
systemctl show --property NRestarts --value farwatch-server@3001`;
/** Half of the 48 visitors. With HAProxy in front of the servers, the same number had to wait. */
const MAX_FAILED_BY_FREEZE = 24;

/** Makes the mail worker trust the fake mail provider. */
const TRUST = `mkdir -p /etc/systemd/system/farwatch-mail.service.d
printf '[Service]\\nEnvironment=NODE_EXTRA_CA_CERTS=/opt/drill/fullchain.pem\\n' >/etc/systemd/system/farwatch-mail.service.d/trust.conf`;

interface Control {
  change?: (commands: string) => string;
  /** Commands that replace the upgrade. */
  breakSafeguard?: string;
}

async function install(context: Context, { change = String, breakSafeguard }: Control = {}): Promise<Outcome> {
  const { keep, check } = context;
  const image = await bareDebian("trixie");
  const rack = await createRack(keep, "results/machine");
  const operations = readOperations();
  const machine = await rack.boot("machine", ADDRESS, { image: [image], prepare: addRepository });
  let mails = 0;
  const provider = new SMTPServer({
    secure: true,
    key: readFileSync(join(image, "opt/drill/privkey.pem")),
    cert: readFileSync(join(image, "opt/drill/fullchain.pem")),
    onAuth: ({ username }, _session, done) => done(null, { user: username }),
    onData(stream, _session, done) {
      mails += 1;
      stream.resume().on("end", () => done());
    },
  }).listen(465, ROUTER);
  await keep({ stop: () => provider.close() });

  await operations.openShell(machine);
  await typeAll(machine, operations.commands("Install packages", "Check that it works"));
  const origin = `https://${ADDRESS}`;
  const clients = await keep(startClients([origin], { count: 4, perSecond: 4, keepAlive: false }));
  const { ledger } = clients;
  await checkReadsDuring(origin, context, async () => {
    await ledger.untilAcknowledged();
    await machine.type(TRUST);
    await typeAll(machine, operations.commands("Enable mail", "Enable mail").map(change));
    const deploy = operations.commands("Deploy a new version", "Deploy a new version").map(change);
    await typeAll(machine, breakSafeguard ? [breakSafeguard] : deploy);
    await ledger.untilAcknowledged(10);
  });
  check(!ledger.others(201), `a sign-up failed: ${ledger.others(201)}`);
  check(mails > 0, "no mail arrived");
  await machine.type(CHECKS);

  // Pauses between sign-ups leave idle connections, which nginx reuses.
  const visitors = await keep(startClients([origin], { count: 48, perSecond: 150 }));
  const figures: Record<string, unknown> = { mails };
  const count = () => ({ signUps: visitors.ledger.entries.length, failed: visitors.ledger.others(201) });
  await visitors.ledger.untilAcknowledged(100);
  await machine.type(TEN_RESTARTS);
  figures.tenRestarts = count();
  check(!visitors.ledger.others(201), `a sign-up failed in ten restarts: ${visitors.ledger.others(201)}`);
  visitors.ledger.clear();
  const restarts = await machine.type(FREEZE);
  await visitors.stop();
  const failed = visitors.ledger.entries.filter(({ status }) => status !== 201).length;
  figures.freeze = { ...count(), slowestMs: Math.round(Math.max(...visitors.ledger.latencies())) };
  check(restarts === "1", `the frozen server was not restarted once, but ${restarts} times`);
  check(failed <= MAX_FAILED_BY_FREEZE, `${failed} sign-ups failed while a server was frozen`);

  await machine.kill();
  await machine.boot();
  await ledger.untilAcknowledged(10);
  await clients.stop();
  await machine.type(`
    systemctl is-active farwatch-server@{3001,3002} farwatch-mail farwatch-nightly.timer ufw
    DATABASE_URL='postgres:///farwatch?host=/run/postgresql' su farwatch_operate -c 'waitlist verify'`);
  const listed = await machine.type(`su postgres -c "psql -At farwatch -c 'select email from sign_ups'"`);
  const acknowledged = ledger.acknowledged.union(visitors.ledger.acknowledged);
  return {
    acknowledged: acknowledged.size,
    lost: acknowledged.difference(new Set(listed.split("\n"))).size,
    duplicated: 0,
    figures,
  };
}
