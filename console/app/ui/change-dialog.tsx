import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { ConfirmDialog, type ConfirmDialogProps } from "./confirm-dialog.tsx";

interface ChangeDialogProps<Result> extends Omit<ConfirmDialogProps, "isPending" | "error" | "onConfirm"> {
  change: () => Promise<Result>;
  /** Called before the dialog closes. */
  onDone?: (result: Result) => void;
  progress?: ReactNode;
}

export function ChangeDialog<Result>({ change, onDone, progress, children, ...dialog }: ChangeDialogProps<Result>) {
  const client = useQueryClient();
  const finish = (result: Result) => {
    onDone?.(result);
    dialog.onClose();
  };
  const { mutate, isPending, error } = useMutation({
    mutationFn: change,
    // Refetches after a failure too, because the change may be half done. Not awaited, so that the dialog closes first.
    onSettled: () => void client.invalidateQueries(),
  });
  return (
    <ConfirmDialog
      {...dialog}
      isPending={isPending}
      error={error}
      // Passed to mutate(), not useMutation(), so that `finish` doesn't run if the operator has left the view.
      onConfirm={() => mutate(undefined, { onSuccess: finish })}
    >
      {children}
      {isPending && progress}
    </ConfirmDialog>
  );
}
