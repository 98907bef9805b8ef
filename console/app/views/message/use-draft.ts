import { useEffect, useState } from "react";
import type { DraftFields } from "#console/contract/messages.ts";

/**
 * The form's fields. What isn't saved is kept in this tab, so that a reload loses nothing, and closing the tab asks.
 */
export function useDraft(name: string, saved: DraftFields) {
  const key = `draft ${name}`;
  const [fields, setFields] = useState<DraftFields>(() => readUnsaved(key) ?? saved);
  const isChanged = toText(fields) !== toText(saved);
  useEffect(() => {
    if (isChanged) sessionStorage.setItem(key, JSON.stringify(fields));
    else sessionStorage.removeItem(key);
  }, [key, fields, isChanged]);
  useEffect(() => {
    if (!isChanged) return;
    const ask = (event: Event) => event.preventDefault();
    addEventListener("beforeunload", ask);
    return () => removeEventListener("beforeunload", ask);
  }, [isChanged]);
  return {
    fields,
    isChanged,
    change: (changes: Partial<DraftFields>) => setFields((before) => ({ ...before, ...changes })),
    discard: () => setFields(saved),
    /** After it was saved under another name. */
    forget: () => sessionStorage.removeItem(key),
  };
}

function readUnsaved(key: string): DraftFields | undefined {
  const text = sessionStorage.getItem(key);
  return text ? JSON.parse(text) : undefined;
}

/** In one order, because that of the filters means nothing. */
function toText({ subject, body, audience, pace }: DraftFields): string {
  return JSON.stringify([subject, body, Object.entries(audience).toSorted(), pace?.count, pace?.unit]);
}
