import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Address } from "#contract/sign-up.ts";
import { openSender, permanentFailure, requiresTls } from "./sender.ts";

test.each([
  ["its greeting", "", false],
  ["its response to the mail", "\r\n.\r\n", true],
])(
  "a server that trickles %s is hung up on at the deadline, and only then may have the mail",
  async (_name, after, isUnknown) => {
    let isStuck = false;
    const closed: Promise<unknown>[] = [];
    const server = createServer((socket) => {
      closed.push(once(socket, "close"));
      answerUntil(after, socket, () => {
        isStuck = true;
      });
    }).listen(0, "127.0.0.1");
    onTestFinished(() => void server.close());
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const sender = openSender(
      { smtpUrl: `smtp://127.0.0.1:${port}`, from: "a@example.com", dkim: undefined },
      undefined,
      1000,
    );
    const mail = {
      to: "b@example.com" as Address,
      messageId: "<1@example.com>",
      subject: "",
      text: "",
      html: "",
      headers: {},
    };
    const message = "The mail server 127.0.0.1 failed: timeout";
    await expect(sender.send(mail)).rejects.toMatchObject({ message, isUnknown, stack: "" });
    expect(isStuck).toBe(true);
    await Promise.all(closed);
    expect(closed).toHaveLength(1);
  },
);

/** Accepts every command until the client sends this text, then sends a byte at a time and never ends its line. */
function answerUntil(last: string, socket: Socket, onStuck: () => void) {
  let received = "";
  const trickle = () => {
    onStuck();
    const timer = setInterval(() => socket.write("2"), 50);
    socket.on("close", () => clearInterval(timer));
  };
  socket.on("error", () => {});
  if (last === "") return trickle();
  socket.write("220 hello\r\n");
  socket.on("data", (chunk) => {
    received += chunk;
    if (received.endsWith(last)) trickle();
    else if (!received.includes("\r\nDATA\r\n")) socket.write("250 ok\r\n");
    else if (received.endsWith("\r\nDATA\r\n")) socket.write("354 go\r\n");
  });
}

test.each([
  ["smtp://user:secret@mail.example.com", true],
  ["smtp://mail.example.com", false],
  ["smtp://user:secret@127.0.0.1:2525", false],
  ["smtp://user:secret@localhost", false],
])("credentials need TLS unless the server is on this machine: %s", (url, required) => {
  expect(requiresTls(url)).toBe(required);
});

describe("a 5xx response", () => {
  const failure = (command: string, response: string) =>
    permanentFailure({ command, response, responseCode: Number(response.slice(0, 3)) });

  test.each([
    ["RCPT TO", "550"],
    ["RCPT TO", "551 User not local"],
    ["RCPT TO", "550 5.1.1 No such user"],
    ["DATA", "550 5.2.1 Mailbox disabled"],
  ])("rejects the address if the address is what's wrong: %s %s", (command, response) => {
    expect(failure(command, response)).toBe("bounced");
  });

  test.each([
    ["RCPT TO", "550 relay not permitted"],
    ["RCPT TO", "553 Sorry, authentication required"],
    ["RCPT TO", "550 5.1.8 Bad sender"],
    ["RCPT TO", "554 5.7.1 Relay access denied"],
    ["DATA", "550"],
    ["DATA", "552 5.3.4 Message too big"],
  ])("fails the email and keeps the address if something else is: %s %s", (command, response) => {
    expect(failure(command, response)).toBe("refused");
  });

  test.each([
    ["RCPT TO", "552 5.2.2 Mailbox full"],
    ["DATA", "552-5.2.2 Over quota"],
    ["RCPT TO", "552 Exceeded storage allocation"],
    ["AUTH PLAIN", "535 5.7.8 Bad credentials"],
  ])("is retried if the mailbox is full, or isn't about the email: %s %s", (command, response) => {
    expect(failure(command, response)).toBeUndefined();
  });
});
