import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { RequestError } from '../api/request-error.js';
import type { Resource } from '../hooks/resource.js';
import { Command, None } from './text.js';

/** Lines that stand for data until it is loaded. */
export function Skeleton({ lines = 4 }: { lines?: number }) {
  return (
    <div class="skeleton" role="status" aria-label="Loading">
      {Array.from({ length: lines }, (_, index) => (
        <span key={index} />
      ))}
    </div>
  );
}

interface EmptyStateProps {
  title: string;
  /** A command that changes it. */
  command?: string;
  children?: ComponentChildren;
}

/** Says that there is nothing, and what to do next. */
export function EmptyState({ title, command, children }: EmptyStateProps) {
  return (
    <div class="empty">
      <p>
        <strong>{title}</strong>
      </p>
      {children && <p>{children}</p>}
      {command && <Command text={command} />}
    </div>
  );
}

/** What to do about a failed request, by its status. */
const ADVICE: Readonly<Record<number, string>> = {
  0: 'Is it running? Start it with "tokenctl emulator start"; this page reconnects by itself.',
  401: 'The key of the seeded application is not accepted. Print the keys with "tokenctl emulator keys".',
  403: 'The seeded application lacks the permission. Change it in Applications.',
  404: 'It may have been deleted, or belong to another tenant.',
  429: 'The rate limit applies to this page too. Wait ten seconds, or start the emulator with --no-rate-limit.',
  500: 'Search the log of the emulator for the trace ID. An injected fault also looks like this; see Faults.',
  503: 'An injected fault looks like this; see Faults.',
};

export function ErrorState({ error, onRetry }: { error: Error; onRetry?: () => void }) {
  const advice = error instanceof RequestError ? ADVICE[error.status] : undefined;
  return (
    <div class="notice" data-tone="bad" role="alert">
      <div>
        <p>{error.message}</p>
        {advice && <p>{advice}</p>}
      </div>
      {onRetry && (
        <button type="button" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  );
}

interface LoadedProps<Value> {
  resource: Resource<Value>;
  lines?: number;
  children: (value: Value) => ComponentChildren;
}

/** Shows data once it is loaded; before that lines in its place, and the error if it cannot be loaded. */
export function Loaded<Value>({ resource, lines = 4, children }: LoadedProps<Value>) {
  const { value, error, reload } = resource;
  if (error) return <ErrorState error={error} onRetry={reload} />;
  return value === undefined ? <Skeleton lines={lines} /> : children(value);
}

/** A configuration: its names, and its values, which may be secrets, once the user asks for them. */
export function HiddenValues({ values }: { values: Readonly<Record<string, string | undefined>> }) {
  const [isShown, setShown] = useState(false);
  const entries = Object.entries(values);
  if (entries.length === 0) return <None />;
  return (
    <div class="stack">
      <ul class="pairs">
        {entries.map(([name, value]) => (
          <li key={name} class="mono">
            <span class="quiet">{name}</span> {isShown ? value : '••••••'}
          </li>
        ))}
      </ul>
      <div>
        <button type="button" class="small" aria-pressed={isShown} onClick={() => setShown(!isShown)}>
          {isShown ? 'Hide values' : 'Show values'}
        </button>
      </div>
    </div>
  );
}
