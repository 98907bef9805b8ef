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
  breaks: "a bare Debian gets the commands of docs/operations.md, an upgrade and a power failure",
  shows: "the site comes up as documented, serves every request, and is back after the power failure",
  run: (context) => install(context),
  controls: [
    {
      without: "a restart of one server after the other",
      finds: /^a sign-up failed/,
      run: (context) => install(context, (commands) => commands.replace(" && sleep 1 && systemctl restart", "")),
    },
  ],
};

/** Checks on the machine, as a block of commands none of which may fail. */
const CHECKS = `
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

/** Makes the mail worker trust the fake mail provider. */
const TRUST = `mkdir -p /etc/systemd/system/farwatch-mail.service.d
printf '[Service]\\nEnvironment=NODE_EXTRA_CA_CERTS=/opt/drill/fullchain.pem\\n' >/etc/systemd/system/farwatch-mail.service.d/trust.conf`;

async function install(context: Context, change = (commands: string) => commands): Promise<Outcome> {
  const { keep, check } = context;
  const image = await bareDebian();
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
    await typeAll(machine, operations.commands("Enable mail", "Deploy a new version").map(change));
    await ledger.untilAcknowledged(10);
  });
  check(!ledger.others(201), `a sign-up failed: ${ledger.others(201)}`);
  check(mails > 0, "no mail arrived");
  await machine.type(CHECKS);

  await machine.kill();
  await machine.boot();
  await ledger.untilAcknowledged(10);
  await clients.stop();
  await machine.type(`
    systemctl is-active farwatch-server@{3001,3002} farwatch-{balancer,mail} farwatch-nightly.timer ufw
    DATABASE_URL='postgres:///farwatch?host=/run/postgresql' su farwatch_operate -c 'waitlist verify'`);
  const listed = await machine.type(`su postgres -c "psql -At farwatch -c 'select email from sign_ups'"`);
  return {
    acknowledged: ledger.acknowledged.size,
    lost: ledger.acknowledged.difference(new Set(listed.split("\n"))).size,
    duplicated: 0,
    figures: { mails },
  };
}
