import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

/** Levels that are open at first. */
const OPEN_LEVELS = 5;

interface NodeProps {
  value: unknown;
  /** The property that has it; absent for the whole and for items of arrays. */
  name?: string;
  /** What follows it. */
  end?: string;
  level?: number;
}

/** JSON with colours, whose objects and arrays fold. The block scrolls, and takes the focus so that the keyboard scrolls it. */
export function Json({ value, label }: { value: unknown; label: string }) {
  return (
    // biome-ignore lint/a11y: what scrolls must be reachable by the keyboard, and has a name for screen readers.
    <div class="code json" role="group" aria-label={label} tabIndex={0}>
      <Node value={value} />
    </div>
  );
}

function Node({ value, name, end = '', level = 0 }: NodeProps) {
  const key = name !== undefined && <span class="json-key">{`${JSON.stringify(name)}: `}</span>;
  const parts = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  if (parts.length > 0) return <Parts value={value} name={key} parts={parts} end={end} level={level} />;
  return (
    <div>
      {key}
      <span data-type={typeof value}>{JSON.stringify(value)}</span>
      {end}
    </div>
  );
}

interface PartsProps {
  value: unknown;
  name: ComponentChildren;
  parts: [string, unknown][];
  end: string;
  level: number;
}

/** An object or array. What is in a folded one is not in the page. */
function Parts({ value, name, parts, end, level }: PartsProps) {
  const [isOpen, setOpen] = useState(level < OPEN_LEVELS);
  const isArray = Array.isArray(value);
  const [first, last] = isArray ? ['[', ']'] : ['{', '}'];
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        {name}
        {first}
        {!isOpen && <span class="quiet">{` ${parts.length} … ${last}${end}`}</span>}
      </summary>
      {isOpen && (
        <>
          <div class="json-parts">
            {parts.map(([key, part], index) => (
              <Node
                key={key}
                value={part}
                {...(!isArray && { name: key })}
                end={index < parts.length - 1 ? ',' : ''}
                level={level + 1}
              />
            ))}
          </div>
          {last}
          {end}
        </>
      )}
    </details>
  );
}

/** JSON as it is shown, and on a click what it masks, if that is known. */
export function MaskedJson({ masked, value, label }: { masked: unknown; value?: unknown; label: string }) {
  const [isRevealed, setRevealed] = useState(false);
  return (
    <>
      <Json value={isRevealed ? value : masked} label={label} />
      {value !== undefined && (
        <div class="row">
          <button type="button" aria-pressed={isRevealed} onClick={() => setRevealed(!isRevealed)}>
            {isRevealed ? 'Mask again' : 'Reveal, may show token data'}
          </button>
        </div>
      )}
    </>
  );
}
