import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Action } from './text.js';

interface ScrollProps {
  label: string;
  class: string;
  role?: 'log' | 'group';
  children: ComponentChildren;
}

/** A block that scrolls, and takes the focus so that the keyboard scrolls it. */
export const Scroll = ({ label, role = 'group', children, ...rest }: ScrollProps) => (
  // biome-ignore lint/a11y: what scrolls must be reachable by the keyboard, and has a name for screen readers.
  <div {...rest} role={role} aria-live="off" aria-label={label} tabIndex={0}>
    {children}
  </div>
);

interface CodeProps {
  text: string;
  label: string;
  /** A line that is marked, from 1: it is shown with the lines around it only. */
  around?: number;
}

const CONTEXT_LINES = 3;

export function Code({ text, label, around }: CodeProps) {
  const lines = text.trimEnd().split('\n');
  const first = around === undefined ? 0 : Math.max(0, around - 1 - CONTEXT_LINES);
  const last = around === undefined ? lines.length : around + CONTEXT_LINES;
  return (
    <Scroll class="code" label={label}>
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
    </Scroll>
  );
}

const OPEN_LEVELS = 5;

interface NodeProps {
  value: unknown;
  /** The property that has it; absent for the whole and for items of arrays. */
  name?: string;
  /** What follows it. */
  end?: string;
  level?: number;
}

export const Json = ({ value, label }: { value: unknown; label: string }) => (
  <Scroll class="code json" label={label}>
    <Node value={value} />
  </Scroll>
);

function Node({ value, name, end = '', level = 0 }: NodeProps) {
  const key = name !== undefined && <span class="json-key">{`${JSON.stringify(name)}: `}</span>;
  const parts = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  if (parts.length === 0)
    return (
      <div>
        {key}
        <span data-type={typeof value}>{JSON.stringify(value)}</span>
        {end}
      </div>
    );
  const isArray = Array.isArray(value);
  const [first, last] = isArray ? '[]' : '{}';
  return (
    <details open={level < OPEN_LEVELS}>
      <summary>
        {key}
        {first}
        <span class="folded">{` ${parts.length} … ${last}${end}`}</span>
      </summary>
      <div class="json-parts">
        {parts.map(([part, content], index) => (
          <Node
            key={part}
            value={content}
            {...(!isArray && { name: part })}
            end={index < parts.length - 1 ? ',' : ''}
            level={level + 1}
          />
        ))}
      </div>
      {last}
      {end}
    </details>
  );
}

interface MaskedJsonProps {
  masked: unknown;
  label: string;
  /** Returns what it masks, if that can be known. */
  reveal?: (() => unknown) | false | undefined;
  note?: string;
}

/** JSON as it is shown, and in its place what it masks once the user asks for it. */
export function MaskedJson({ masked, label, reveal, note }: MaskedJsonProps) {
  const [revealed, setRevealed] = useState<{ value: unknown } | undefined>();
  const value = revealed ? revealed.value : masked;
  return (
    <>
      {value === undefined ? (
        <p class="quiet">No mask: nothing is shown.</p>
      ) : (
        <Json value={value} label={label} />
      )}
      {reveal && (
        <div class="row">
          <Action
            name={revealed ? 'Mask again' : 'Reveal, may show token data'}
            pressed={revealed !== undefined}
            run={async () => setRevealed(revealed ? undefined : { value: await reveal() })}
          />
          <small class="quiet">{note}</small>
        </div>
      )}
    </>
  );
}
