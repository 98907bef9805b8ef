import { type ReactNode, useLayoutEffect, useRef } from "react";

export interface ConfirmDialogProps {
  title: string;
  children: ReactNode;
  action: string;
  /** For a dialog that asks whether to cancel something. */
  dismiss?: string;
  isDisabled?: boolean;
  /** For what can't be undone. */
  isDestructive?: boolean;
  /** While the action runs. The dialog stays open until then, because closing it wouldn't stop the action. */
  isPending?: boolean;
  error: Error | null;
  onConfirm: () => void;
  onClose: () => void;
}

/** The browser's own modal dialog: it traps focus, closes on Escape and gives focus back. */
export function ConfirmDialog({ isPending = false, onConfirm, onClose, ...props }: ConfirmDialogProps) {
  const { title, children, action, dismiss = "Cancel", isDisabled = false, isDestructive = false, error } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  // A layout effect: a dialog that has left the document gives no focus back.
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
      // Chromium lets a page prevent the cancel event only once; Safari doesn't know the attribute yet.
      closedby={isPending ? "none" : "closerequest"}
      onCancel={(event) => isPending && event.preventDefault()}
      // Open again in Strict Mode, which runs effects twice.
      onClose={({ currentTarget }) => currentTarget.open || onClose()}
      // Escape closes this dialog only, and not the panel behind it.
      onKeyDown={(event) => event.stopPropagation()}
    >
      <form
        method="dialog"
        onSubmit={(event) => {
          event.preventDefault();
          onConfirm();
        }}
      >
        <h2 id="confirm-title">{title}</h2>
        {children}
        {error && <p role="alert">{error.message}</p>}
        <footer>
          <button type="button" disabled={isPending} onClick={() => dialog.current?.close()}>
            {dismiss}
          </button>
          <button type="submit" className={`primary ${isDestructive ? "bad" : ""}`} disabled={isDisabled || isPending}>
            {action}
          </button>
        </footer>
      </form>
    </dialog>
  );
}
