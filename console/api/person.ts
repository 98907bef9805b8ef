import * as z from "zod/mini";
import { withId } from "#console/http/filter.ts";
import { needs } from "#console/http/guard.ts";
import type { ConsoleRoutes } from "#console/http/parts.ts";
import { detailsSchema } from "#contract/member.ts";
import type { Actor } from "#core/activity/activity.ts";
import { sendProblem } from "#core/http/problem.ts";
import { defaultInvitation } from "#core/invitations/invitation-text.ts";
import { uninvitePerson } from "#core/invitations/uninvite.ts";
import { invitePerson } from "#core/invitations/waves.ts";
import { type LinkRefusal, sendLink } from "#core/mail/queue/send-link.ts";
import { suppressPerson } from "#core/mail/suppression/suppressions.ts";
import { readMail } from "#core/mail/switch.ts";
import { editPerson } from "#core/members/edit.ts";
import { voidFriends } from "#core/members/friends.ts";
import { setNewsletter } from "#core/members/member.ts";
import { readSignUp } from "#core/members/person-data.ts";
import { erase } from "#core/retention/erase.ts";

/** Accepts any text; `changesSchema` then validates it, so that the operator sees the form's messages. */
const typed = z.partial(z.object({ firstName: z.string(), lastName: z.string(), company: z.string() }));
const changesSchema = z.partial(detailsSchema);

export const MISSING = "This person isn't on the list. They may have left.";
export const NO_KEY = "This console has no key for erasures. Set ERASURE_KEY, or the servers' SECRET.";

const LINK_REFUSALS: Record<LinkRefusal, string> = {
  missing: MISSING,
  "set aside": "This person is set aside, and gets no email until they are back on the list.",
  suppressed: "This address is suppressed: it bounced, complained, or an operator suppressed it.",
  pending: "An email with their link is waiting to be sent.",
  recent: "They got an email with their link recently. Try again in five minutes, in an hour, or tomorrow.",
  limit: "This mailbox has reached its limit for these emails. An engineer can export theirs for you to send yourself.",
};

export const personRoutes: ConsoleRoutes = async (app, { db, keys, invitations }) => {
  const writeWithId = needs("write", withId);
  const withChanges = needs("write", { ...withId, body: typed });
  app.post("/api/people/:id/edit", withChanges, async ({ params, body, operator }, reply) => {
    const { data, error } = changesSchema.safeParse(body);
    if (!data) return sendProblem(reply, 400, `${error.issues[0]?.message}.`);
    const { company: _, ...names } = data;
    // Without a company in the request, the schema's default would delete the stored one.
    const isEdited = await editPerson(db, operator.actor, params.id, body.company === undefined ? names : data);
    return isEdited ? reply.code(204).send() : sendProblem(reply, 404, MISSING);
  });

  const withdrawals = {
    unsubscribe: (actor: Actor, id: string) => setNewsletter(db, actor, id, false),
    "stop-mail": (actor: Actor, id: string) => suppressPerson(db, actor, id),
  };
  for (const [name, change] of Object.entries(withdrawals)) {
    app.post(`/api/people/:id/${name}`, writeWithId, async ({ params, operator }, reply) => {
      if (!(await readSignUp(db, params))) return sendProblem(reply, 404, MISSING);
      await change(operator.actor, params.id);
      return reply.code(204).send();
    });
  }

  app.post("/api/people/:id/invite", writeWithId, async ({ params, operator }, reply) => {
    const mail = await readMail(db);
    const email = mail && invitations && { mail, ...defaultInvitation(invitations) };
    const wave = await invitePerson(db, operator.actor, params.id, email);
    return wave
      ? reply.code(204).send()
      : sendProblem(reply, 409, "They are invited already, set aside, or have left.");
  });

  app.post("/api/people/:id/uninvite", writeWithId, async ({ params, operator }, reply) => {
    const isDone = await uninvitePerson(db, operator.actor, params.id);
    return isDone
      ? reply.code(204).send()
      : sendProblem(reply, 409, "They aren't invited, have used their invitation, or have left.");
  });

  app.post("/api/people/:id/send-link", writeWithId, async ({ params, operator }, reply) => {
    const mail = await readMail(db);
    if (!mail) return sendProblem(reply, 409, "Mail is off.");
    const refusal = await sendLink(db, mail, operator.actor, params.id);
    return refusal ? sendProblem(reply, 409, LINK_REFUSALS[refusal]) : reply.code(204).send();
  });

  const withVoid = needs("erase", { ...withId, body: z.object({ isVoid: z.boolean() }) });
  app.post("/api/people/:id/friends", withVoid, async ({ params, body, operator }, reply) => {
    const isDone = await voidFriends(db, operator.actor, params.id, body.isVoid);
    return isDone ? reply.code(204).send() : sendProblem(reply, 409, "Someone else did, or they have left.");
  });

  const withAddress = needs("erase", { ...withId, body: z.object({ address: z.string() }) });
  app.post("/api/people/:id/erase", withAddress, async ({ params, body, operator }, reply) => {
    const person = await readSignUp(db, params);
    if (!person || person.email !== body.address) {
      return sendProblem(reply, 409, "The address doesn't match. Nobody was erased.");
    }
    if (!keys) return sendProblem(reply, 409, NO_KEY);
    await erase(db, operator.actor, person.email_key, keys);
    return reply.code(204).send();
  });
};
