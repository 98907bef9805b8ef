import { type ReactNode, useLayoutEffect, useRef } from "react";
import { Button } from "./button.tsx";

export interface ConfirmDialogProps {
  title: string;
  children: ReactNode;
  action?: string;
  /** Replaces "Cancel" in a dialog that asks whether to cancel something. */
  dismiss?: string;
  isDisabled?: boolean;
  isDestructive?: boolean;
  /** Whether the action is running. The dialog then stays open, because closing it wouldn't stop the action. */
  isPending?: boolean;
  error?: Error | null;
  /** Not set if the dialog only informs. */
  onConfirm?: () => void;
  onClose: () => void;
}

/** The browser's modal dialog, which traps focus, closes on Escape and restores focus. */
export function ConfirmDialog({ isPending = false, onConfirm, onClose, ...props }: ConfirmDialogProps) {
  const { title, children, action = "Done", dismiss = "Cancel", isDisabled, isDestructive, error } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  // A layout effect, because a dialog can't restore focus once it is removed from the document.
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      className="confirm"
      aria-labelledby="confirm-title"
      // `closedby`, because Chromium lets a page prevent cancel only once; onCancel, because Safari lacks `closedby`.
      closedby={isPending ? "none" : "closerequest"}
      onCancel={(event) => isPending && event.preventDefault()}
      // Strict Mode runs effects twice, so the dialog may be open again.
      onClose={({ currentTarget }) => currentTarget.open || onClose()}
      // Escape closes only this dialog, not the panel behind it.
      onKeyDown={(event) => event.stopPropagation()}
    >
      <form
        method="dialog"
        onSubmit={(event) => {
          event.preventDefault();
          (onConfirm ?? onClose)();
        }}
      >
        <h2 id="confirm-title">{title}</h2>
        {children}
        {error && <p role="alert">{error.message}</p>}
        <footer className="actions">
          {onConfirm && (
            <Button disabled={isPending} onClick={() => dialog.current?.close()}>
              {dismiss}
            </Button>
          )}
          <button type="submit" className={`primary ${isDestructive ? "bad" : ""}`} disabled={isDisabled || isPending}>
            {action}
          </button>
        </footer>
      </form>
    </dialog>
  );
}
