import { mapLeaves } from '../../contract/json.js';
import { saysNothing } from '../../contract/named-values.js';
import { base64Forms, ESCAPES } from '../../contract/text-forms.js';
import { escapeData, isGitHubActions } from './github.js';
import { openStderr } from './stderr.js';

const HIDDEN = '***';

/** Shorter values occur in any text, and would hide the rest of it. */
const MINIMUM_LENGTH = 6;

const forms = new Set<string>();
let pattern: RegExp | undefined;

function formsOf(value: string): string[] {
  const escaped = Object.values(ESCAPES).map((encode) => encode(value));
  const hex = Buffer.from(value).toString('hex');
  return [
    ...[value, ...escaped, JSON.stringify(JSON.stringify(value)).slice(3, -3)],
    ...base64Forms(Buffer.from(value)),
    ...[hex, hex.toUpperCase()],
  ];
}

const isTelling = (value: string): boolean => value.length >= MINIMUM_LENGTH && !saysNothing(value);

/** Hides values and their usual encodings in everything that is printed; each line of a text is a value. GitHub Actions learns them too. */
export function keepSecrets(values: readonly string[], env: NodeJS.ProcessEnv): void {
  const parts = values.flatMap((value) => [value, ...value.split(/\r?\n/).map((line) => line.trim())]);
  const kept = [...new Set(parts)].filter((value) => isTelling(value) && !forms.has(value));
  for (const value of kept) for (const form of formsOf(value)) forms.add(form);
  pattern = undefined;
  // The only lines that are printed with a secret: the runner takes them out of the log.
  if (isGitHubActions(env))
    for (const value of kept) openStderr().write(`::add-mask::${escapeData(value)}\n`);
}

/** Compiles all forms. The longest come first: one may contain another. */
function compile(): RegExp {
  const sorted = [...forms].sort((a, b) => b.length - a.length);
  const escaped = sorted.map((form) => form.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(escaped.join('|'), 'g');
}

export function hideSecrets(text: string): string {
  if (forms.size === 0) return text;
  pattern ??= compile();
  return text.replace(pattern, HIDDEN);
}

/** Replaces every secret in a value that is printed as JSON or in a table, numbers that are one included. */
export function hideSecretsIn<Value>(value: Value): Value;
export function hideSecretsIn(value: unknown): unknown {
  if (forms.size === 0) return value;
  const hideLeaf = (leaf: unknown) => {
    if (typeof leaf === 'string') return hideSecrets(leaf);
    return typeof leaf === 'number' && forms.has(String(leaf)) ? HIDDEN : leaf;
  };
  return mapLeaves(value, hideLeaf, hideSecrets);
}
