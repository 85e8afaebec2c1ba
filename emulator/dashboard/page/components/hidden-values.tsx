import { useState } from 'preact/hooks';
import { None } from './text.js';

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
