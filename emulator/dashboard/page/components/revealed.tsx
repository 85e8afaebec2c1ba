import { useState } from 'preact/hooks';
import { maskJson } from '../../../../src/contract/masking.js';
import { formatJson } from '../format.js';
import { Code } from './text.js';

/** JSON that may hold token data: masked until the user reveals it. */
export function Revealed({ value, label }: { value: unknown; label: string }) {
  const [isRevealed, setRevealed] = useState(false);
  return (
    <div class="stack">
      <Code text={formatJson(isRevealed ? value : maskJson(value))} label={label} />
      <div class="row">
        <button type="button" aria-pressed={isRevealed} onClick={() => setRevealed(!isRevealed)}>
          {isRevealed ? 'Mask again' : 'Reveal, may show token data'}
        </button>
      </div>
    </div>
  );
}
