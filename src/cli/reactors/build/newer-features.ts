import type { ecmaVersion, Position, Token } from 'acorn';
import { NEWER_FEATURES } from '../../../contract/newer-features.js';
import type { CodeProblem } from '../../lib/annotations.js';
import type { Bundle } from './bundle.js';

const NODE = 'Node.js 16, with which the service runs this code,';

/** Globals and their functions, by the text that names them: `Object.groupBy`. */
const STATIC = new Set<string>();
/** Methods by their names of several words, with their first owner. Anything may have a method `union` or `map`. */
const METHODS = new Map<string, string>();
for (const [owner, names] of Object.entries(NEWER_FEATURES))
  for (const name of names.split(' ')) {
    if (owner === 'globalThis') STATIC.add(name);
    else if (!owner.endsWith('.prototype')) STATIC.add(`${owner}.${name}`);
    else if (owner !== 'Iterator.prototype' && /[a-z][A-Z]/.test(name) && !METHODS.has(name))
      METHODS.set(name, `${owner}.${name}`);
  }

/** What code that uses one of them contains, in any form. Most code does not, and is parsed once. */
const NAMES = [...STATIC, ...METHODS.keys()].map((feature) => feature.replace(/^.*\./, ''));
const MENTION = new RegExp(String.raw`\b(?:RegExp|${NAMES.join('|')})\b`);

/** @throws {SyntaxError} with the position, if this version cannot parse the code */
async function readTokens(code: string, version: ecmaVersion, keeps = true): Promise<Token[]> {
  const { parse } = await import('acorn');
  const tokens: Token[] = [];
  const isModule = /^\s*(?:import|export)\b/m.test(code);
  const sourceType = isModule ? 'module' : 'commonjs';
  // The first line of a script for a shell is parsed by all versions of Node.js.
  const details = keeps && { locations: true, onToken: tokens };
  parse(code, { ecmaVersion: version, sourceType, allowHashBang: true, ...details });
  return tokens;
}

/**
 * Finds what Node.js 16 lacks in code that is uploaded. esbuild has rewritten the syntax of bundles for it, but no functions, and no
 * code that is uploaded as it is. Features that the code also tests for or defines are left out.
 */
export async function findNewerFeatures({ code, positions }: Bundle): Promise<CodeProblem[]> {
  const report = ({ line, column }: Position, what: string): CodeProblem => ({
    ...positions.find(line, column + 1),
    message: `${NODE} ${what}`,
  });
  const syntax = await readTokens(code, 2022, false).then(
    () => [],
    ({ loc, message }) => [report(loc, `cannot parse this: ${message.replace(/ \(\d+:\d+\)$/, '')}`)],
  );
  if (syntax.length === 0 && !MENTION.test(code)) return [];
  // Code that no version can parse is reported when it is loaded.
  const tokens = await readTokens(code, 'latest').catch(() => []);
  if (tokens.length === 0) return [];
  return [...syntax, ...findUses(tokens, code).map(({ at, feature }) => report(at, `lacks ${feature}`))];
}

function findUses(tokens: readonly Token[], code: string) {
  const text = (index: number): string => {
    const token = tokens[index];
    return token ? code.slice(token.start, token.end) : '';
  };
  const expected = new Set<string>();
  const uses: { feature: string; at: Position }[] = [];
  for (const [index, { loc }] of tokens.entries()) {
    const feature = nameFeature(index, text);
    if (feature === undefined) continue;
    if (isUse(index, text)) uses.push({ feature, at: loc?.start ?? { line: 1, column: 0 } });
    else expected.add(feature);
  }
  return uses.filter(({ feature }) => !expected.has(feature));
}

/** Returns the feature that a token names, in code or in a string. */
function nameFeature(index: number, text: (index: number) => string): string | undefined {
  const name = text(index).replace(/^(['"])(.*)\1$/, '$2');
  const isMember = text(index - 1).endsWith('.');
  const whole = isMember ? `${text(index - 2)}.${name}` : name;
  if (STATIC.has(whole)) return whole;
  if (text(index) === 'RegExp' && /^['"]\w*v/.test(text(index + 4))) return 'the flag v of RegExp';
  return METHODS.get(name);
}

/** Whether a token is a call, `new`, or the owner of what is called; not a test or a definition. */
function isUse(index: number, text: (index: number) => string): boolean {
  const [before, after] = [text(index - 1), text(index + 1)];
  if (before.endsWith('.') || text(index) === 'RegExp') return after === '(';
  return before === 'new' || (after === '.' && before !== 'typeof');
}
