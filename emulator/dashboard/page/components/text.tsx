import { type ComponentChildren, Fragment } from 'preact';
import { useState } from 'preact/hooks';
import { formatClockTime, formatTime } from '../format.js';
import { useNames } from '../hooks/names.js';
import { hrefTo } from '../route.js';

/** An id, cut where it does not fit, as a link if it leads somewhere. */
export function Id({ value, href }: { value: string; href?: string }) {
  return href === undefined ? (
    <code class="id" title={value}>
      {value}
    </code>
  ) : (
    <a class="id mono" href={href} title={value}>
      {value}
    </a>
  );
}

export function Time({ value, short = false }: { value: string | undefined; short?: boolean }) {
  if (value === undefined) return <None />;
  return (
    <time class="quiet nowrap" dateTime={value} title={value}>
      {short ? formatClockTime(value) : formatTime(value)}
    </time>
  );
}

/** Containers or a URL, broken after a slash where they do not fit. */
export function Path({ value }: { value: string }) {
  return (
    <span class="mono">
      {value.split(/(?<=[^/]\/)/).map((part, index) => (
        <Fragment key={index}>
          {index > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
    </span>
  );
}

/** Stands for a value that there is not. */
export function None() {
  return (
    <span class="quiet">
      <span aria-hidden="true">–</span>
      <span class="visually-hidden">none</span>
    </span>
  );
}

type Tone = 'good' | 'warn' | 'bad' | 'quiet';

export function Badge({ tone, children }: { tone: Tone; children: ComponentChildren }) {
  return (
    <span class="badge" data-tone={tone}>
      {children}
    </span>
  );
}

/** The status of a response; undefined when there was none. */
export function Status({ value }: { value: number | undefined }) {
  if (value === undefined) return <Badge tone="bad">no response</Badge>;
  const tone = value >= 500 ? 'bad' : value >= 400 ? 'warn' : 'good';
  return <Badge tone={tone}>{value}</Badge>;
}

/** An object by its name, as a link to its page; by its ID if its name is not known. */
export function Named({ id, collection }: { id: string; collection: string }) {
  const name = useNames().get(id);
  const href = hrefTo([collection, id]);
  if (name === undefined) return <Id value={id} href={href} />;
  return (
    <a href={href} title={id}>
      {name}
    </a>
  );
}

/** A method and a path, with the names of objects in place of their IDs. */
export function RequestLine({ method, path, href }: { method: string; path: string; href?: string }) {
  const names = useNames();
  const named = path.replace(/[^/]+/g, (segment) => names.get(segment) ?? segment);
  const line = (
    <>
      <span class="method">{method}</span>
      <span class="path">{named}</span>
    </>
  );
  const attributes = { class: 'mono request', title: path };
  return href === undefined ? (
    <span {...attributes}>{line}</span>
  ) : (
    <a {...attributes} href={href}>
      {line}
    </a>
  );
}

interface CopyButtonProps {
  text: string;
  label: string;
  /** What stands on the button. */
  name?: string;
}

export function CopyButton({ text, label, name = 'Copy' }: CopyButtonProps) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 1_500);
  };
  return (
    <button type="button" class="small" onClick={copy} aria-label={`Copy ${label}`}>
      {copied ? 'Copied' : name}
    </button>
  );
}

/** A command to run in a terminal, or another text to copy. */
export function Command({ text, what = 'the command' }: { text: string; what?: string }) {
  return (
    <span class="command">
      <code>{text}</code>
      <CopyButton text={text} label={what} />
    </span>
  );
}

interface CodeProps {
  text: string;
  label: string;
  /** A line that is marked, from 1: it is shown with the lines around it only. */
  around?: number;
}

/** Lines that are shown before and after a marked one. */
const CONTEXT_LINES = 3;

/** Code with numbered lines. The block scrolls, and takes the focus so that the keyboard scrolls it. */
export function Code({ text, label, around }: CodeProps) {
  const lines = text.trimEnd().split('\n');
  const first = around === undefined ? 0 : Math.max(0, around - 1 - CONTEXT_LINES);
  const last = around === undefined ? lines.length : around + CONTEXT_LINES;
  return (
    // biome-ignore lint/a11y: what scrolls must be reachable by the keyboard, and has a name for screen readers.
    <div class="code" role="group" aria-label={label} tabIndex={0}>
      <pre>
        {lines.slice(first, last).map((line, index) => {
          const number = first + index + 1;
          return (
            <code key={number} data-line={number} class={number === around ? 'failing' : undefined}>
              {`${line}\n`}
            </code>
          );
        })}
      </pre>
    </div>
  );
}

/** Names and values; those without a value are left out. */
export function Facts({ items }: { items: readonly (readonly [name: string, value: ComponentChildren])[] }) {
  return (
    <dl class="facts">
      {items.map(([name, value]) =>
        value === undefined || value === null || value === false || value === 0 || value === '' ? null : (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ),
      )}
    </dl>
  );
}
