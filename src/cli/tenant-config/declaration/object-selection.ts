import { didYouMean } from '../../../contract/nearest.js';
import { usageError } from '../../lib/errors.js';
import { KINDS, type Kind } from '../resources/content.js';

interface Named {
  kind: Kind;
  name: string;
}

interface SelectionFlags {
  only?: readonly string[] | undefined;
  exclude?: readonly string[] | undefined;
}

interface Pattern {
  text: string;
  matches(object: Named): boolean;
}

const KIND_PATTERN = new RegExp(`^(${KINDS.join('|')})(?:/(.+))?$`, 's');

export const isObjectPattern = (text: string): boolean => KIND_PATTERN.test(text);

/** Converts `charge-*` to a regular expression. `*` stands for any text, `?` for one character. */
function toExpression(glob: string): RegExp {
  const escaped = glob.replace(/[.+^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${escaped.replace(/\*+/g, '.*').replaceAll('?', '.')}$`, 'su');
}

function parsePattern(text: string): Pattern {
  const [, kind, glob] = KIND_PATTERN.exec(text) ?? [];
  if (kind === undefined)
    throw usageError(
      `${JSON.stringify(text)} must be a kind, or a kind and a name.${didYouMean(text, KINDS)}`,
      /\.(json|ya?ml)$/.test(text)
        ? 'The manifest is the tokenctl.yaml or tokenctl.json of this directory or above.'
        : `Kinds: ${KINDS.join(', ')}. Examples: reactor, reactor/charge, 'reactor/charge-*'`,
    );
  const expression = glob === undefined ? undefined : toExpression(glob);
  const matches = (object: Named) =>
    object.kind === kind && (expression === undefined || expression.test(object.name));
  return { text, matches };
}

/** The objects that a command is limited to, by patterns such as `reactor`, `reactor/charge` and `reactor/charge-*`. */
export class ObjectSelection {
  readonly #only: readonly Pattern[];
  readonly #exclude: readonly Pattern[];

  /** @param only none selects all objects. @throws {CliError} if a pattern does not begin with a kind */
  constructor({ only = [], exclude = [] }: SelectionFlags = {}) {
    this.#only = only.map(parsePattern);
    this.#exclude = exclude.map(parsePattern);
  }

  /** For callbacks: it needs no `this`. */
  readonly includes = (object: Named): boolean =>
    (this.#only.length === 0 || this.#only.some((pattern) => pattern.matches(object))) &&
    !this.#exclude.some((pattern) => pattern.matches(object));

  /** @throws {CliError} for a pattern that selects none of these objects. @param owner `The manifest declares` */
  assertMatches(objects: readonly Named[], owner: string): void {
    const unused = this.#only.find((pattern) => !objects.some(pattern.matches));
    if (unused)
      throw usageError(
        `${owner} no ${JSON.stringify(unused.text)}.${didYouMean(
          unused.text,
          objects.map(({ kind, name }) => `${kind}/${name}`),
        )}`,
        "Name objects by kind, or by kind and name: reactor, reactor/charge, 'reactor/charge-*'",
      );
  }
}
