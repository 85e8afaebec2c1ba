import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { RequestError } from '../api/client.js';
import type { Resource } from '../hooks/emulator.js';
import { useRoute } from '../route.js';
import { helpOf } from './navigation.js';
import { Command } from './text.js';

type PageProps<Value> = {
  title: string;
  /** One sentence on what the view shows. */
  summary?: ComponentChildren;
  /** The view above it: its name and address. */
  parent?: readonly [name: string, href: string];
  actions?: ComponentChildren;
} & Content<Value>;

/** What something is made of, or how that follows from what it loads. */
type Content<Value> = { resource?: undefined; children: ComponentChildren } | LoadedProps<Value>;

let isFirstView = true;

/** A view with its heading, which gets the focus when the view opens. */
export function Page<Value = never>({ title, summary, parent, actions, ...content }: PageProps<Value>) {
  const heading = useRef<HTMLHeadingElement>(null);
  const { command, href } = helpOf(useRoute());
  useEffect(() => {
    document.title = `${title} · tokenctl emulator`;
  }, [title]);
  useEffect(() => {
    // On the first view of a visit the focus stays at the start of the page.
    if (!isFirstView) heading.current?.focus();
    isFirstView = false;
  }, []);
  return (
    <>
      <header class="head">
        <div>
          {parent && (
            <nav aria-label="Breadcrumb">
              <a href={parent[1]}>{parent[0]}</a> <span aria-hidden="true">/</span>
            </nav>
          )}
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {summary && <p class="quiet">{summary}</p>}
        </div>
        {actions && <div class="row actions">{actions}</div>}
      </header>
      <p class="row">
        <Command text={command} />
        <a href={href}>Docs</a>
      </p>
      {content.resource ? <Loaded {...content} /> : content.children}
    </>
  );
}

type PanelProps<Value> = {
  title: ComponentChildren;
  chip?: ComponentChildren;
  actions?: ComponentChildren;
} & Content<Value>;

/** A part of a view under a heading, and what it is made of once that is loaded. */
export function Panel<Value = never>({ title, chip, actions, ...content }: PanelProps<Value>) {
  const id = useId();
  return (
    <section class="panel" aria-labelledby={id}>
      <div class="head">
        <h2>
          <span id={id}>{title}</span>
          {typeof chip === 'string' ? <span class="badge">{chip}</span> : chip}
        </h2>
        {actions && <div class="row">{actions}</div>}
      </div>
      {content.resource ? <Loaded {...content} /> : content.children}
    </section>
  );
}

export interface Notice {
  tone: 'good' | 'bad';
  text: string;
}

/** The outcome of the last action. The regions are always there, so that screen readers announce what appears in them. */
export function NoticeBar({ notice, onDismiss }: { notice: Notice | undefined; onDismiss: () => void }) {
  const content = notice && (
    <div class="notice" data-tone={notice.tone}>
      <p>{notice.text}</p>
      <button type="button" class="small" onClick={onDismiss}>
        Dismiss
      </button>
    </div>
  );
  return (
    <>
      <div role="alert">{notice?.tone === 'bad' && content}</div>
      <div role="status">{notice?.tone === 'good' && content}</div>
    </>
  );
}

export const Skeleton = ({ lines = 4 }: { lines?: number }) => (
  <div class="skeleton" role="status" aria-label="Loading">
    {Array.from({ length: lines }, (_, index) => (
      <span key={index} />
    ))}
  </div>
);

export interface Empty {
  title?: string;
  /** A command that changes it. */
  command?: string;
  children?: ComponentChildren;
}

export const EmptyState = ({ title, command, children }: Empty) => (
  <div class="empty">
    <strong>{title}</strong>
    {children && <p>{children}</p>}
    {command && <Command text={command} />}
  </div>
);

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
  const advice = error instanceof RequestError && ADVICE[error.status];
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
  children: (value: Value) => ComponentChildren;
}

/** Shows data once it is loaded; before that lines in its place, and the error if it cannot be loaded. */
export function Loaded<Value>({ resource: { value, error, reload }, children }: LoadedProps<Value>) {
  if (error) return <ErrorState error={error} onRetry={reload} />;
  return value === undefined ? <Skeleton /> : children(value);
}
