import { useId, useRef } from 'preact/hooks';
import { useWorkbench } from '../hooks/workbench.js';

interface ActionProps {
  /** What stands on the button; with an ellipsis if it asks first. */
  name: string;
  /** Its failure is shown at the top until the next action. */
  run: () => unknown;
  /** Shown when it is done. */
  success?: string;
  /** Tells it from the same button of other objects. Begins with the name. */
  label?: string;
  small?: boolean;
  pressed?: boolean;
  /** What is asked first about what cannot be undone, and what it means. */
  ask?: readonly [question: string, meaning: string];
}

/** A button that does something. */
export function Action({ name, run, success, label, small = false, pressed, ask }: ActionProps) {
  const { attempt } = useWorkbench();
  const dialog = useRef<HTMLDialogElement>(null);
  const title = useId();
  const act = () => {
    dialog.current?.close();
    attempt(async () => run(), success);
  };
  return (
    <>
      <button
        type="button"
        class={[small && 'small', ask && 'danger'].filter(Boolean).join(' ')}
        aria-label={label}
        aria-pressed={pressed}
        onClick={ask ? () => dialog.current?.showModal() : act}
      >
        {name}
      </button>
      {ask && (
        <dialog ref={dialog} aria-labelledby={title}>
          <h2 id={title}>{ask[0]}</h2>
          <p>{ask[1]}</p>
          <div class="row">
            <button type="button" onClick={() => dialog.current?.close()}>
              Cancel
            </button>
            <button type="button" class="danger" onClick={act}>
              {name.replace(' …', '')}
            </button>
          </div>
        </dialog>
      )}
    </>
  );
}
