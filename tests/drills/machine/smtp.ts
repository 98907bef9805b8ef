/** A fake mail provider for the machine drill: accepts every mail and appends a line for each to a file. */
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
