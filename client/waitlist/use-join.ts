import { useMutation, useQueryClient } from "@tanstack/react-query";
import { send } from "#client/http/request.ts";
import { toasts } from "#client/toast/toasts.ts";
import { STATS_PATH, WAITLIST_PATH } from "#contract/paths.ts";
import { ALREADY_JOINED, type SignUp } from "#contract/sign-up.ts";
import type { Stats } from "#contract/stats.ts";
import { isTooSoon } from "./page-age.ts";

export type FormState = "idle" | "submitting" | "joined";

const JOINING = ["join"];

/** Sends a sign-up, says how it went, and has the stats read again when it went well. */
export function useJoin() {
  const queryClient = useQueryClient();
  const mutation = useMutation({
    mutationKey: JOINING,
    mutationFn: async (signUp: SignUp): Promise<Stats> => (await send("POST", WAITLIST_PATH, signUp)).json(),
    onSuccess: () => {
      toasts.show({
        variant: "default",
        title: "Successfully joined the waitlist!",
        description: "We'll be in touch soon with exclusive updates.",
      });
      queryClient.invalidateQueries({ queryKey: [STATS_PATH] });
    },
    onError: ({ message }) =>
      showError(
        message.includes(ALREADY_JOINED)
          ? "This email is already on our waitlist."
          : "Failed to join waitlist. Please try again.",
      ),
  });

  const state: FormState = mutation.isSuccess ? "joined" : mutation.isPending ? "submitting" : "idle";
  return {
    state,
    totals: mutation.data?.data,
    join(signUp: SignUp): void {
      // Asked of the cache, because a second click can come before React has disabled the button.
      if (queryClient.isMutating({ mutationKey: JOINING }) > 0) return;
      if (isTooSoon()) showError("Please take a moment to review your information before submitting.");
      else mutation.mutate(signUp);
    },
  };
}

function showError(description: string): void {
  toasts.show({ variant: "destructive", title: "Error", description });
}
