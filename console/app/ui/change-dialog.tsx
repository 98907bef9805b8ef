import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { ConfirmDialog, type ConfirmDialogProps } from "./confirm-dialog.tsx";

interface ChangeDialogProps<Result> extends Omit<ConfirmDialogProps, "isPending" | "error" | "onConfirm"> {
  change: () => Promise<Result>;
  onDone: (result: Result) => void;
  progress?: ReactNode;
}

/** Confirms a change and makes it. Everything on the page is read again then. */
export function ChangeDialog<Result>({ change, onDone, progress, children, ...dialog }: ChangeDialogProps<Result>) {
  const client = useQueryClient();
  const { mutate, isPending, error } = useMutation({
    mutationFn: change,
    // Also after a failure, because an interrupted change has made a part of it. Not awaited: the dialog closes first.
    onSettled: () => void client.invalidateQueries(),
  });
  return (
    <ConfirmDialog
      {...dialog}
      isPending={isPending}
      error={error}
      // Here rather than in the mutation, so that nothing happens if the operator has left meanwhile.
      onConfirm={() => mutate(undefined, { onSuccess: onDone })}
    >
      {children}
      {isPending && progress}
    </ConfirmDialog>
  );
}
