import { TextArea, TextField } from './fields.js';
import { parseJson } from './form.js';

/** The fields of a token other than its data, as they are typed. */
export interface TokenDraft {
  containers: string;
  metadata: string;
  mask: string;
  searchIndexes: string;
  fingerprintExpression: string;
  expiresAt: string;
}

export const EMPTY_DRAFT: TokenDraft = {
  containers: '',
  metadata: '',
  mask: '',
  searchIndexes: '',
  fingerprintExpression: '',
  expiresAt: '',
};

interface TokenFieldsProps {
  draft: TokenDraft;
  onChange: (change: Partial<TokenDraft>) => void;
  containersHint: string;
}

export function TokenFields({ draft, onChange, containersHint }: TokenFieldsProps) {
  return (
    <>
      <TextField
        label="Containers"
        mono
        value={draft.containers}
        onChange={(containers) => onChange({ containers })}
        hint={containersHint}
      />
      <TextArea
        label="Metadata"
        rows={3}
        value={draft.metadata}
        onChange={(metadata) => onChange({ metadata })}
        hint="One name=value per line. Not encrypted, shown as it is: never token data."
        placeholder="order=1001"
      />
      <TextArea
        label="Mask"
        rows={4}
        value={draft.mask}
        onChange={(mask) => onChange({ mask })}
        hint={
          <>
            JSON; try it in <a href="#/expressions">Expressions</a>.
          </>
        }
        placeholder={'"{{ data | reveal_last: 4 }}"'}
      />
      <TextArea
        label="Search indexes"
        rows={2}
        value={draft.searchIndexes}
        onChange={(searchIndexes) => onChange({ searchIndexes })}
        hint="One expression per line. A search for data:… finds their values."
        placeholder="{{ data.email }}"
      />
      <TextField
        label="Fingerprint expression"
        mono
        value={draft.fingerprintExpression}
        onChange={(fingerprintExpression) => onChange({ fingerprintExpression })}
        hint="The whole data by default."
      />
      <TextField
        label="Expires at"
        value={draft.expiresAt}
        onChange={(expiresAt) => onChange({ expiresAt })}
        hint="ISO 8601, for example 2030-01-31T12:00:00Z; never by default."
      />
    </>
  );
}

export const parseWords = (text: string): string[] => text.split(/[\s,]+/).filter(Boolean);

export const parseLines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

/** Parses `name=value` lines. @throws Error that shows what is accepted */
export function parsePairs(name: string, text: string): Record<string, string> {
  return Object.fromEntries(
    parseLines(text).map((line, index) => {
      const separator = line.indexOf('=');
      if (separator < 1) throw new Error(`${name}, line ${index + 1}: must be name=value.`);
      return [line.slice(0, separator).trim(), line.slice(separator + 1).trim()];
    }),
  );
}

export const formatPairs = (pairs: Readonly<Record<string, string>> = {}): string =>
  Object.entries(pairs)
    .map(([name, value]) => `${name}=${value}`)
    .join('\n');

/** Parses optional JSON; undefined for an empty field. */
export const parseOptionalJson = (name: string, text: string): unknown =>
  text.trim() === '' ? undefined : parseJson(name, text);
