import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { post } from "#console/app/http/request.ts";
import { ConfirmDialog } from "#console/app/ui/confirm-dialog.tsx";
import type { MessageKind, TestResult } from "#console/contract/messages.ts";

const OUTCOMES: Record<TestResult["outcome"], string> = {
  sent: "Sent. It should be in your inbox soon.",
  bounced: "The mail server doesn't accept this address.",
  refused: "The mail server refused the test.",
  failed: "The mail server can't be reached. Ask an engineer to check SMTP_URL.",
};

interface TestDialogProps {
  text: { id?: string | undefined; kind: MessageKind; subject: string; body: string };
  onClose: () => void;
}

const ADDRESS_KEY = "test address";

export function TestDialog({ text, onClose }: TestDialogProps) {
  const [address, setAddress] = useState(localStorage.getItem(ADDRESS_KEY) ?? "");
  const test = useMutation({
    mutationFn: () => post<TestResult>("/api/message-tests", { ...text, address }),
    onSuccess: () => localStorage.setItem(ADDRESS_KEY, address),
  });
  return (
    <ConfirmDialog
      title="Send a test"
      action="Send test"
      isDisabled={test.isPending || !address}
      error={test.error}
      onConfirm={() => test.mutate()}
      onClose={onClose}
    >
      <p>Sends the email, filled in for a sample person, to this address only. Its links don't work.</p>
      <label className="field">
        <span>Your email address</span>
        <input type="email" autoComplete="email" value={address} onChange={({ target }) => setAddress(target.value)} />
      </label>
      <p role="status" className={test.data && test.data.outcome !== "sent" ? "bad-text" : undefined}>
        {test.isPending ? "Sending…" : test.data && OUTCOMES[test.data.outcome]}
      </p>
    </ConfirmDialog>
  );
}
