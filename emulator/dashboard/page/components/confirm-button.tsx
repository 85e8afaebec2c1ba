import type { ComponentChildren } from 'preact';
import { useId, useRef } from 'preact/hooks';

interface ConfirmButtonProps {
  /** The text of the button that asks. */
  label: string;
  /** What is asked. */
  question: string;
  /** The text of the button that confirms. */
  confirm: string;
  onConfirm: () => void;
  /** What it means. */
  children: ComponentChildren;
}

/** A button for what cannot be undone: it asks before it acts. */
export function ConfirmButton({ label, question, confirm, onConfirm, children }: ConfirmButtonProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const title = useId();
  return (
    <>
      <button type="button" class="danger" onClick={() => dialog.current?.showModal()}>
        {label}
      </button>
      <dialog ref={dialog} aria-labelledby={title}>
        <h2 id={title}>{question}</h2>
        <p>{children}</p>
        <div class="row end">
          <button type="button" onClick={() => dialog.current?.close()}>
            Cancel
          </button>
          <button
            type="button"
            class="danger"
            onClick={() => {
              dialog.current?.close();
              onConfirm();
            }}
          >
            {confirm}
          </button>
        </div>
      </dialog>
    </>
  );
}
