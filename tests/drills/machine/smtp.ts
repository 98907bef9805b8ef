/** Stands in for the mail provider on the drill's machine: takes every mail, and writes a line for each. */
import { appendFileSync, readFileSync } from "node:fs";
import { SMTPServer } from "smtp-server";

const [certificate = "", key = "", mails = ""] = process.argv.slice(2);

new SMTPServer({
  secure: true,
  cert: readFileSync(certificate),
  key: readFileSync(key),
  onAuth: ({ username }, _session, done) => done(null, { user: username }),
  onData(stream, _session, done) {
    stream.resume().on("end", () => {
      appendFileSync(mails, "a mail\n");
      done();
    });
  },
}).listen(465);
