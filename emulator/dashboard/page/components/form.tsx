import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { SignInError } from '../api/control-client.js';
import { useWorkbench } from '../hooks/workbench.js';
import { ErrorState } from './states.js';

interface FormProps {
  label: string;
  /** The text of its button. */
  submit: string;
  /** Its failure is shown in the form, and what was typed stays. */
  onSubmit: () => Promise<unknown>;
  /** Further buttons. */
  actions?: ComponentChildren;
  children: ComponentChildren;
}

/** A form that sends its fields by its button, Enter in a field, or Ctrl+Enter in an editor. */
export function Form({ label, submit, onSubmit, actions, children }: FormProps) {
  const { signIn } = useWorkbench();
  const [error, setError] = useState<Error | undefined>();
  const [isBusy, setBusy] = useState(false);

  async function send(event: Event) {
    event.preventDefault();
    if (isBusy) return;
    setError(undefined);
    setBusy(true);
    try {
      await onSubmit();
    } catch (failure) {
      if (failure instanceof SignInError) signIn(failure.message);
      else setError(failure instanceof Error ? failure : new Error(String(failure)));
    } finally {
      setBusy(false);
    }
  }

  function sendOnShortcut(event: KeyboardEvent & { currentTarget: HTMLFormElement }) {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.requestSubmit();
  }

  return (
    <form class="form" aria-label={label} onSubmit={send} onKeyDown={sendOnShortcut}>
      {children}
      {error && <ErrorState error={error} />}
      <div class="row">
        <button type="submit" class="primary" aria-disabled={isBusy}>
          {submit}
        </button>
        {actions}
      </div>
    </form>
  );
}

/** Parses what was typed into an editor. @throws Error that names the field */
export function parseJson(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = error instanceof SyntaxError ? withoutContent(error.message) : '';
    throw new Error(`${name} is not valid JSON${reason}. Texts need double quotes: "hello".`);
  }
}

/** Keeps the position of a syntax error, and leaves out the text around it, which may be token data. */
function withoutContent(message: string): string {
  const position = /at position (\d+)(?: \(line (\d+) column (\d+)\))?/.exec(message);
  if (!position) return '';
  const [, offset, line, column] = position;
  return line === undefined ? ` at character ${offset}` : ` at line ${line}, column ${column}`;
}
