import { isCardNumber } from '../../../contract/card-numbers.js';
import type { CodeProblem } from '../../lib/annotations.js';
import type { ReactorEntry } from '../../manifest/manifest.js';
import { displayPath, readText } from '../project/selection.js';
import type { Bundle } from './bundle.js';
import { ReactorCodeError } from './bundling-problems.js';

/** Finds card numbers and keys in a reactor's own files. The packages that it bundles are not searched. */
export async function scanSources({ sources }: Bundle, cwd: string): Promise<CodeProblem[]> {
  const problems: CodeProblem[] = [];
  for (const source of sources) {
    const text = await readText(source, 'The code file');
    for (const { line, column, kind } of [...findCardNumbers(text), ...findKeys(text)])
      problems.push({ file: displayPath(source, cwd), line, column, message: `looks like ${kind}` });
  }
  return problems;
}

/** Finds card numbers in all values, and keys in those of the manifest, which is committed; keys belong elsewhere. */
export function scanConfiguration(
  entry: Pick<ReactorEntry, 'configuration'>,
  configuration: Readonly<Record<string, string>> = {},
): CodeProblem[] {
  const committed = entry.configuration ?? {};
  return Object.entries(configuration).flatMap(([name, value]) => {
    const keys = committed[name] === value ? findKeys(`${name}=${JSON.stringify(value)}`) : [];
    const findings = [...findCardNumbers(value), ...keys];
    return findings.map(({ kind }) => ({ message: `configuration.${name} looks like ${kind}` }));
  });
}

const SECRETS_HINT =
  'Move keys to an env file that is not committed, and card data to tokens. If this is not a secret, use --allow-secrets.';

export function assertNoSecrets(what: string, found: readonly CodeProblem[]): void {
  if (found.length > 0)
    throw new ReactorCodeError(`${what} appears to contain a secret.`, found, SECRETS_HINT);
}

/** Text that looks like a secret: its position and kind, never the text. */
interface SecretFinding {
  line: number;
  column: number;
  /** With its article: `a card number`. */
  kind: string;
}

const DIGIT_RUN = /(?<![\w.-])\d(?:[ -]?\d){12,18}(?![\w-]|\.\d)/g;

const KEYS: readonly { kind: string; pattern: RegExp }[] = [
  { kind: 'a private key', pattern: /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----/g },
  { kind: 'an API key of a tokenization service', pattern: /\bkey_[1-9A-HJ-NP-Za-km-z]{20,}\b/g },
  { kind: 'a payment processor key', pattern: /\b(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{16,}\b/g },
  { kind: 'a webhook secret', pattern: /\bwhsec_[A-Za-z0-9+/=]{24,}/g },
  { kind: 'an AWS access key', pattern: /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g },
  { kind: 'a GitHub token', pattern: /\b(?:gh[pousr]_[A-Za-z0-9]{36}|github_pat_\w{60,})/g },
  { kind: 'a Slack token', pattern: /\bxox[abprs]-[A-Za-z0-9-]{20,}/g },
  { kind: 'a Google API key', pattern: /\bAIza[A-Za-z0-9_-]{35}/g },
  { kind: 'an npm token', pattern: /\bnpm_[A-Za-z0-9]{36}\b/g },
  { kind: 'a SendGrid key', pattern: /\bSG\.[\w-]{20,}\.[\w-]{30,}/g },
  { kind: 'a signed token (JWT)', pattern: /\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}/g },
];

/** `apiKey: '…'`: the name of a secret, followed by a long quoted text of letters and digits without spaces. */
const NAMED_SECRET =
  /(?:api[_-]?key|secret|passw(?:or)?d|access[_-]?token|auth[_-]?token|private[_-]?key)["'\]]*\s*[:=]\s*(["'`])((?=[^"'`\s]*\d)(?=[^"'`\s]*[A-Za-z])[^"'`\s]{16,})\1/gi;

function locate(text: string, index: number): { line: number; column: number } {
  const before = text.slice(0, index);
  const line = before.split('\n').length;
  return { line, column: index - before.lastIndexOf('\n') };
}

function findMatches(text: string, pattern: RegExp, kind: string): SecretFinding[] {
  return [...text.matchAll(pattern)].map(({ index }) => ({ kind, ...locate(text, index) }));
}

/** Finds card numbers: 13 to 19 digits of an issuer's range with a valid checksum, plain or in groups. */
export const findCardNumbers = (text: string): SecretFinding[] =>
  [...text.matchAll(DIGIT_RUN)]
    .filter(([digits]) => isCardNumber(digits.replace(/\D/g, '')))
    .map(({ index }) => ({ kind: 'a card number', ...locate(text, index) }));

export function findKeys(text: string): SecretFinding[] {
  const known = KEYS.flatMap(({ kind, pattern }) => findMatches(text, pattern, kind));
  const lines = new Set(known.map(({ line }) => line));
  const named = findMatches(text, NAMED_SECRET, 'a secret').filter(({ line }) => !lines.has(line));
  return [...known, ...named];
}
