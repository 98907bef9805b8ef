import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import * as content from "#brand/content.ts";
import { FORM_ERRORS, type FormError } from "#contract/form-errors.ts";
import type { Joined } from "#contract/joined.ts";
import { STATS_PATH, WAITLIST_PATH } from "#contract/paths.ts";
import { ALREADY_JOINED, IDEMPOTENCY_KEY_HEADER, type SignUp } from "#contract/sign-up.ts";
import { send } from "#site/http/request.ts";
import { toasts } from "#site/toast/toasts.ts";
import { visitor } from "#site/ui/visitor.ts";
import { createIdempotencyKeys } from "./idempotency-key.ts";
import { isTooSoon } from "./page-age.ts";
import { refusedFields } from "./refused-fields.ts";

/** "loading" until hydrated. */
export type FormState = "loading" | "idle" | "submitting" | "joined";

const JOINING = ["join"];

export function useJoin() {
  const queryClient = useQueryClient();
  const initial = useFormReturn();
  const [keyOf] = useState(createIdempotencyKeys);
  /** Cancels first, because invalidating a query that has no response yet doesn't refetch it. */
  async function refetchStats(): Promise<void> {
    await queryClient.cancelQueries({ queryKey: [STATS_PATH] });
    queryClient.invalidateQueries({ queryKey: [STATS_PATH] });
  }
  const mutation = useMutation({
    mutationKey: JOINING,
    mutationFn: async (signUp: SignUp): Promise<Joined> =>
      (await send("POST", WAITLIST_PATH, signUp, { headers: { [IDEMPOTENCY_KEY_HEADER]: keyOf(signUp) } })).json(),
    onSuccess: () => {
      showSuccess();
      refetchStats();
    },
    onError: ({ message }) => showFormError(message.includes(ALREADY_JOINED) ? "already-joined" : "not-joined"),
  });

  const state: FormState = mutation.isSuccess ? "joined" : mutation.isPending ? "submitting" : initial;
  const refused = useMemo(() => refusedFields(mutation.error), [mutation.error]);
  return {
    state,
    refused,
    totals: mutation.data?.data,
    mailedTo: mutation.data?.confirmByEmail ? mutation.variables.email : undefined,
    join(signUp: SignUp, submittedAt: number): void {
      // Reads the mutation cache, because a second click can come before React disables the button.
      if (queryClient.isMutating({ mutationKey: JOINING }) > 0) return;
      if (isTooSoon(submittedAt)) showError(content.tooSoon);
      else mutation.mutate(signUp);
    },
  };
}

/**
 * Shows the outcome of a form that the browser posted, as given by the fragment it was redirected to. Returns the
 * form's state before its next submission. Ignores a fragment that was typed or linked to.
 */
function useFormReturn(): FormState {
  const [state, setState] = useState<FormState>("loading");
  useEffect(() => {
    setState("idle");
    const [navigation] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
    if (!navigation?.redirectCount) return;
    const fragment = location.hash.slice(1);
    if (fragment !== "joined" && !Object.hasOwn(FORM_ERRORS, fragment)) return;
    // Replacing the fragment doesn't scroll, so the card or the form stays in view.
    history.replaceState(null, "", "#waitlist");
    if (fragment === "joined") {
      showSuccess();
      setState("joined");
    } else showFormError(fragment as FormError);
  }, []);
  return state;
}

function showSuccess(): void {
  visitor.state = "joined";
  toasts.show({
    variant: "default",
    title: content.joinedToast,
    description: content.joinedToastText,
  });
}

function showFormError(error: FormError): void {
  if (error === "already-joined") visitor.state = "joined";
  showError(FORM_ERRORS[error]);
}

function showError(description: string): void {
  toasts.show({ variant: "destructive", title: content.errorTitle, description });
}
