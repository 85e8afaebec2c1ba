import type { ComponentChildren } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';
import { useTimeFormat } from '../hooks/clock.js';
import { useNames, useWorkbench } from '../hooks/emulator.js';
import { hrefTo } from '../route.js';

/** An id, cut where it does not fit, as a link if it leads somewhere. */
export const Id = ({ value, href }: { value: string; href?: string }) =>
  href === undefined ? (
    <code class="id" title={value}>
      {value}
    </code>
  ) : (
    <a class="id mono" href={href} title={value}>
      {value}
    </a>
  );

export function Time({ value, short = false }: { value: string | undefined; short?: boolean }) {
  const format = useTimeFormat();
  if (value === undefined) return null;
  return (
    <time class="quiet nowrap" dateTime={value} title={value}>
      {format(value, short)}
    </time>
  );
}

/** Containers, a URL or another value. */
export const Path = ({ value }: { value: string }) => <span class="mono">{value}</span>;

type Tone = 'good' | 'warn' | 'bad' | 'quiet';

export const Badge = ({ tone, children }: { tone: Tone; children: ComponentChildren }) => (
  <span class="badge" data-tone={tone}>
    {children}
  </span>
);

/** The status of a response; undefined when there was none. */
export function Status({ value }: { value: number | undefined }) {
  const tone = value === undefined || value >= 500 ? 'bad' : value >= 400 ? 'warn' : 'good';
  return <Badge tone={tone}>{value ?? 'no response'}</Badge>;
}

interface NamedProps {
  id: string | undefined;
  collection: string;
  name?: string | undefined;
}

/** An object by its name, as a link to its page; by its ID if its name is not known. */
export function Named({ id, collection, name }: NamedProps) {
  const names = useNames();
  if (id === undefined) return null;
  const href = hrefTo([collection, id]);
  const known = name ?? names.get(id);
  if (known === undefined) return <Id value={id} href={href} />;
  return (
    <a href={href} title={id}>
      {known}
    </a>
  );
}

/** A method and a path, with the names of objects in place of their IDs. */
export function RequestLine({ method, path, href }: { method: string; path: string; href?: string }) {
  const names = useNames();
  const Line = href === undefined ? 'span' : 'a';
  return (
    <Line class="mono request" title={path} {...(href !== undefined && { href })}>
      <span class="method">{method}</span>
      <span class="path">{path.replace(/[^/]+/g, (segment) => names.get(segment) ?? segment)}</span>
    </Line>
  );
}

export function CopyButton({ text, label, name = 'Copy' }: { text: string; label: string; name?: string }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 1_500);
  };
  return <Action small name={copied ? 'Copied' : name} label={`Copy ${label}`} run={copy} />;
}

/** A command to run in a terminal, or another text to copy. */
export const Command = ({ text, what = 'the command' }: { text: string; what?: string }) => (
  <span class="command">
    <code>{text}</code>
    <CopyButton text={text} label={what} />
  </span>
);

export type Fact = readonly [name: string, value: ComponentChildren];

/** Names and values; those without a value are left out. */
export const Facts = ({ items }: { items: readonly Fact[] }) => (
  <dl class="facts">
    {items.map(
      ([name, value]) =>
        !!value && (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ),
    )}
  </dl>
);

/** A configuration: its names, and its values, which may be secrets, once the user asks for them. */
export function HiddenValues({ values }: { values: Readonly<Record<string, string>> }) {
  const [isShown, setShown] = useState(false);
  return (
    <div class="mono">
      {Object.entries(values).map(([name, value]) => (
        <p key={name}>
          <span class="quiet">{name}</span> {isShown ? value : '••••••'}
        </p>
      ))}
      <Action small name={isShown ? 'Hide values' : 'Show values'} run={() => setShown(!isShown)} />
    </div>
  );
}

interface ActionProps {
  /** What stands on the button; with an ellipsis if it asks first. */
  name: string;
  /** Its failure is shown at the top until the next action. */
  run: () => unknown;
  success?: string;
  /** Tells it from the same button of other objects. Begins with the name. */
  label?: string;
  small?: boolean;
  pressed?: boolean;
  /** What is asked first about what cannot be undone, and what it means. */
  ask?: readonly [question: string, meaning: string];
}

export function Action({ name, run, success, label, small, pressed, ask }: ActionProps) {
  const { attempt } = useWorkbench();
  const dialog = useRef<HTMLDialogElement>(null);
  const title = useId();
  const [isBusy, setBusy] = useState(false);
  const act = () => {
    setBusy(true);
    attempt(run, success).then(() => setBusy(false));
  };
  return (
    <>
      <button
        type="button"
        class={`${small ? 'small' : ''} ${ask ? 'danger' : ''}`}
        aria-label={label}
        aria-pressed={pressed}
        aria-disabled={isBusy}
        onClick={isBusy ? undefined : ask ? () => dialog.current?.showModal() : act}
      >
        {name}
      </button>
      {ask && (
        <dialog ref={dialog} aria-labelledby={title}>
          <h2 id={title}>{ask[0]}</h2>
          <p>{ask[1]}</p>
          <form method="dialog" class="row">
            <button type="submit">Cancel</button>
            <button type="submit" class="danger" onClick={act}>
              {name.replace(' …', '')}
            </button>
          </form>
        </dialog>
      )}
    </>
  );
}
