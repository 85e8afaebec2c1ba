import type { Value } from 'liquidjs';

/** The parts of Liquid's tokens that may contain variables: names, property paths and ranges. */
interface AnyToken {
  readonly content?: unknown;
  readonly props?: readonly AnyToken[];
  readonly variable?: AnyToken;
  readonly lhs?: AnyToken;
  readonly rhs?: AnyToken;
}

/** Lists the variables that an expression reads. Liquid's own analysis takes quadratic time. */
export function findVariables({ initial, filters }: Value): string[] {
  const operands = initial.postfix as readonly AnyToken[];
  const args = filters.flatMap(({ args }) =>
    args.map((argument) => (Array.isArray(argument) ? argument[1] : argument)),
  );
  return [...operands, ...(args as AnyToken[])].flatMap((token) => [...variablesIn(token)]);
}

function* variablesIn(token: AnyToken | undefined): Generator<string> {
  if (token === undefined) return;
  const { props = [], variable } = token;
  const [first, ...rest] = props;
  if (variable !== undefined) yield* variablesIn(variable);
  else if (typeof first?.content === 'string') yield first.content;
  for (const prop of variable === undefined ? rest : props) yield* variablesIn(prop);
  yield* variablesIn(token.lhs);
  yield* variablesIn(token.rhs);
}
