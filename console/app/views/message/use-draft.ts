import { useEffect, useRef, useState } from "react";
import type { DraftFields, Message } from "#console/contract/messages.ts";

const PARTS = ["subject", "body", "audience", "pace", "delay"] as const;

interface Draft {
  /** The stored version that the fields started from. */
  base: DraftFields;
  /** The newest stored version, which a colleague may have saved. */
  stored: DraftFields;
  fields: DraftFields;
  /** The user's own edits, while the fields show a colleague's version. */
  mine?: DraftFields | undefined;
}

/** The form's fields. Unsaved edits stay in this browser; closing the tab asks first. */
export function useDraft(name: string, stored: DraftFields) {
  const key = keyOf(name);
  const [draft, setDraft] = useState<Draft>(() => ({ base: stored, fields: stored, ...readUnsaved(key), stored }));
  const latest = useRef(draft);
  const isChanged = !isSame(draft.fields, draft.stored);
  useEffect(() => setDraft((before) => follow(before, stored)), [stored.version]);
  useEffect(() => {
    latest.current = draft;
    keepUnsaved(key, draft);
  }, [key, draft]);
  useEffect(() => {
    if (!isChanged) return;
    const ask = (event: Event) => event.preventDefault();
    addEventListener("beforeunload", ask);
    return () => removeEventListener("beforeunload", ask);
  }, [isChanged]);
  return {
    fields: draft.fields,
    isChanged,
    mine: draft.mine,
    isConflicting: isChanged && draft.fields.version !== draft.stored.version,
    changedElsewhere: PARTS.filter((part) => JSON.stringify(draft.base[part]) !== JSON.stringify(draft.stored[part])),
    /** Switches between the user's edits and a colleague's version, so that either can be saved. */
    swap: () =>
      setDraft(({ stored, fields, mine }) => (mine ? changeOf(stored, mine) : changeOf(stored, stored, fields))),
    change: (changes: Partial<DraftFields>) =>
      setDraft((before) => ({ ...before, fields: { ...before.fields, ...changes } })),
    discard: () => setDraft(({ stored }) => changeOf(stored)),
    /** Call after `sent` is saved. A new draft then has its id; edits made since `sent` stay unsaved. */
    wasSaved(sent: DraftFields, message: Message) {
      const { fields } = latest.current;
      const saved = draftOf(message);
      const next = changeOf(saved, isSame(fields, sent) ? saved : fields);
      if (message.id === name) return setDraft(next);
      localStorage.removeItem(key);
      keepUnsaved(keyOf(message.id), next);
    },
  };
}

export function draftOf({ subject, body, audience, pace, delay, version }: Message): DraftFields {
  return { subject, body, audience, pace, delay, version };
}

/** Takes the newly stored version if there are no local edits; otherwise keeps the edits. */
function follow({ base, fields, mine }: Draft, stored: DraftFields): Draft {
  if (isSame(fields, base) || isSame(fields, stored)) return changeOf(stored, stored, mine);
  return isSame(base, stored) ? changeOf(stored, fields, mine) : { base, fields, stored, mine };
}

function changeOf(stored: DraftFields, fields = stored, mine?: DraftFields): Draft {
  return { base: stored, stored, fields: { ...fields, version: stored.version }, mine };
}

const keyOf = (name: string) => `draft ${name}`;

function keepUnsaved(key: string, { stored, ...unsaved }: Draft): void {
  if (isSame(unsaved.fields, stored) && !unsaved.mine) localStorage.removeItem(key);
  else localStorage.setItem(key, JSON.stringify(unsaved));
}

/** Nothing if another release stored it differently. */
function readUnsaved(key: string): Omit<Draft, "stored"> | undefined {
  try {
    const { base, fields, mine } = JSON.parse(localStorage.getItem(key) ?? "{}");
    if ([base, fields, mine ?? fields].every(isDraft)) return { base, fields, mine };
  } catch {}
  return undefined;
}

function isDraft({ subject, body, audience, pace, delay, version }: DraftFields): boolean {
  const texts: unknown[] = [subject, body, ...Object.values(audience)];
  const isTimed = typeof pace === "object" && (delay === null || typeof delay === "number");
  return isTimed && typeof version === "number" && texts.every((text) => typeof text === "string");
}

function isSame(one: DraftFields, other: DraftFields): boolean {
  return toText(one) === toText(other);
}

/** Sorts the filters, because their order doesn't matter. */
function toText({ subject, body, audience, pace, delay }: DraftFields): string {
  return JSON.stringify([subject, body, Object.entries(audience).toSorted(), pace?.count, pace?.unit, delay]);
}
