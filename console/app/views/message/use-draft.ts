import { useEffect, useRef, useState } from "react";
import type { DraftFields, Message } from "#console/contract/messages.ts";

interface Draft {
  /** The stored version that the fields started from. */
  base: DraftFields;
  /** The newest stored version, which a colleague may have saved. */
  stored: DraftFields;
  fields: DraftFields;
}

/**
 * The form's fields. What isn't saved is kept in this tab, so that a reload loses nothing, and closing the tab asks.
 */
export function useDraft(name: string, stored: DraftFields) {
  const key = keyOf(name);
  const [draft, setDraft] = useState<Draft>(() => ({ base: stored, fields: stored, ...readUnsaved(key), stored }));
  const latest = useRef(draft);
  const isChanged = !isSame(draft.fields, draft.stored);
  useEffect(() => setDraft((before) => follow(before, stored)), [toText(stored)]);
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
    isChangedElsewhere: isChanged && !isSame(draft.base, draft.stored),
    change: (changes: Partial<DraftFields>) =>
      setDraft((before) => ({ ...before, fields: { ...before.fields, ...changes } })),
    discard: () => setDraft((before) => startFrom(before.stored)),
    /** After `sent` was saved; a new draft has its id now. What was typed meanwhile isn't saved yet. */
    wasSaved(sent: DraftFields, message: Message) {
      const { fields } = latest.current;
      const saved = startFrom(draftOf(message));
      const next = isSame(fields, sent) ? saved : { ...saved, fields };
      if (message.id === name) return setDraft(next);
      sessionStorage.removeItem(key);
      keepUnsaved(keyOf(message.id), next);
    },
  };
}

export function draftOf({ subject, body, audience, pace }: Message): DraftFields {
  return { subject, body, audience, pace };
}

/** Fields that nobody has changed here become what is stored now. */
function follow({ base, fields }: Draft, stored: DraftFields): Draft {
  return isSame(fields, base) || isSame(fields, stored) ? startFrom(stored) : { base, fields, stored };
}

function startFrom(stored: DraftFields): Draft {
  return { base: stored, stored, fields: stored };
}

const keyOf = (name: string) => `draft ${name}`;

function keepUnsaved(key: string, { base, fields, stored }: Draft): void {
  if (isSame(fields, stored)) sessionStorage.removeItem(key);
  else sessionStorage.setItem(key, JSON.stringify({ base, fields }));
}

function readUnsaved(key: string): Pick<Draft, "base" | "fields"> | undefined {
  const text = sessionStorage.getItem(key);
  return text ? JSON.parse(text) : undefined;
}

function isSame(one: DraftFields, other: DraftFields): boolean {
  return toText(one) === toText(other);
}

/** In one order, because that of the filters means nothing. */
function toText({ subject, body, audience, pace }: DraftFields): string {
  return JSON.stringify([subject, body, Object.entries(audience).toSorted(), pace?.count, pace?.unit]);
}
