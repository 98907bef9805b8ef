import { type ReactNode, useEffect, useRef } from "react";

interface ConfirmDialogProps {
  title: string;
  children: ReactNode;
  action: string;
  isDisabled?: boolean;
  onConfirm: () => void;
  onClose: () => void;
}

/** The browser's own modal dialog: it traps focus, closes on Escape and gives focus back. */
export function ConfirmDialog({ title, children, action, isDisabled = false, onConfirm, onClose }: ConfirmDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      className="confirm"
      aria-labelledby="confirm-title"
      onClose={onClose}
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
        <footer>
          <button type="button" onClick={() => dialog.current?.close()}>
            Cancel
          </button>
          <button type="submit" className="primary" disabled={isDisabled}>
            {action}
          </button>
        </footer>
      </form>
    </dialog>
  );
}
