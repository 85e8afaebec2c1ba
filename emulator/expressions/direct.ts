import type { Value } from 'liquidjs';
import { applyFilter } from './apply-filter.js';
import type { Evaluation } from './evaluation.js';
import { serviceFilters } from './filters/index.js';

/** Evaluates an expression without Liquid's interpreter. */
export type Direct = (scope: Readonly<Record<string, unknown>>, evaluation: Evaluation) => unknown;

const RUN = new Map(serviceFilters.map(({ name, run }) => [name, run]));

/** Names that Liquid answers for arrays and strings although they are no properties. */
const COMPUTED: ReadonlySet<unknown> = new Set(['size', 'first', 'last']);

/**
 * The short cut for what nearly every mask and index is: a path of plain names, and filters of this service with literal
 * arguments. Such a filter is linear and checks its input itself, so that the time between two of them is bounded.
 * @returns undefined for any other expression
 */
export function compileDirect({ initial, filters }: Value): Direct | undefined {
  const path = plainPath(initial.postfix);
  const steps = filters.map(({ name, args }) => {
    const run = RUN.get(name);
    const literals = args.map(literalArgument);
    return run && literals.every((literal) => literal !== undefined)
      ? (value: unknown) =>
          applyFilter(name, () =>
            run(
              value,
              literals.map((literal) => literal?.value),
            ),
          )
      : undefined;
  });
  if (path === undefined || steps.includes(undefined)) return undefined;
  return (scope, evaluation) => {
    let value: unknown = scope;
    for (const name of path) value = ownProperty(value, name);
    for (const step of steps) {
      evaluation.remainingMs();
      value = step?.(value);
    }
    return value;
  };
}

function ownProperty(value: unknown, name: string): unknown {
  if (value === undefined || value === null) return value;
  return Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
}

function plainPath(postfix: readonly unknown[]): string[] | undefined {
  const [token] = postfix as { props?: unknown[]; variable?: unknown }[];
  if (postfix.length !== 1 || !token?.props || token.variable !== undefined) return undefined;
  const names = token.props.map((prop) => literal(prop)?.value);
  return names.every((name): name is string => typeof name === 'string' && !COMPUTED.has(name))
    ? names
    : undefined;
}

/** An argument by position, or by name as a pair. */
function literalArgument(argument: unknown): { value: unknown } | undefined {
  if (!Array.isArray(argument)) return literal(argument);
  const given = literal(argument[1]);
  return given && { value: [argument[0], given.value] };
}

/** Literals and names are the tokens that carry their content. */
function literal(token: unknown): { value: unknown } | undefined {
  return typeof token === 'object' && token !== null && 'content' in token
    ? { value: token.content }
    : undefined;
}
