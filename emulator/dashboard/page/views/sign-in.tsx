import { useEffect, useRef, useState } from 'preact/hooks';
import { TextField } from '../components/fields.js';

interface SignInProps {
  /** Why the control token is asked for again; empty at first. */
  reason: string;
  onSignIn: (token: string) => void;
}

export function SignIn({ reason, onSignIn }: SignInProps) {
  const [token, setToken] = useState('');
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    document.title = 'Control token · tokenctl emulator';
    form.current?.querySelector('input')?.focus();
  }, []);
  const submit = (event: Event) => {
    event.preventDefault();
    onSignIn(token);
  };
  return (
    <main class="sign-in">
      <section class="panel narrow" aria-label="Sign in">
        <h1>
          <span class="mark" aria-hidden="true" /> Control token
        </h1>
        <p>
          Open this page with <code>tokenctl emulator open</code>, or paste the <code>control_token</code> of
          the state file <code>.tokenctl/state.json</code>.
        </p>
        {reason && (
          <div class="notice" data-tone="bad" role="alert">
            <p>{reason}</p>
          </div>
        )}
        <form ref={form} class="form" onSubmit={submit}>
          <TextField label="Control token" type="password" value={token} onChange={setToken} required />
          <div class="row">
            <button type="submit" class="primary">
              Open
            </button>
          </div>
        </form>
      </section>
    </main>
  );
}
