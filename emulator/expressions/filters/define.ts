import { ExpressionFailure } from '../errors.js';

/** Validates an argument of a filter. @throws ExpressionFailure that names the filter and the argument */
type ReadArgument<T> = (value: unknown, filter: string) => T;

export interface Parameter<T> {
  readonly name: string;
  readonly read: ReadArgument<T>;
}

/** A filter of this service. */
export interface FilterDefinition {
  readonly name: string;
  /** Validates the arguments and returns the filter as a function of its input. @throws ExpressionFailure */
  readonly bind: (args: readonly unknown[]) => (value: unknown) => unknown;
}

type Values<P extends readonly Parameter<unknown>[]> = {
  [I in keyof P]: P[I] extends Parameter<infer T> ? T : never;
};

/**
 * Defines a filter.
 * @param input validates the value that the filter is applied to
 * @param apply is never called with null or undefined, which become undefined
 */
export function defineFilter<V, const P extends readonly Parameter<unknown>[]>(
  name: string,
  input: (value: unknown, filter: string) => V,
  parameters: P,
  apply: (value: V, ...args: Values<P>) => unknown,
): FilterDefinition {
  return {
    name,
    bind(args) {
      const boundArgs = bindArguments(name, parameters, args);
      const values = parameters.map((parameter, index) =>
        parameter.read(boundArgs[index], name),
      ) as Values<P>;
      return (value) =>
        value === undefined || value === null ? undefined : apply(input(value, name), ...values);
    },
  };
}

/** Assigns arguments to parameters. Liquid passes a named argument as a pair of name and value. */
function bindArguments(filter: string, parameters: readonly Parameter<unknown>[], args: readonly unknown[]) {
  const bound: unknown[] = [];
  let position = 0;
  for (const argument of args) {
    if (isNamed(argument)) bound[indexOf(filter, parameters, argument[0])] = argument[1];
    else bound[position++] = argument;
  }
  if (position > parameters.length) {
    throw new ExpressionFailure(
      `filter "${filter}" accepts ${describe(parameters)}, not ${position} arguments`,
    );
  }
  return bound;
}

function isNamed(argument: unknown): argument is [string, unknown] {
  return Array.isArray(argument) && argument.length === 2 && typeof argument[0] === 'string';
}

function indexOf(filter: string, parameters: readonly Parameter<unknown>[], name: string): number {
  const index = parameters.findIndex((parameter) => parameter.name === name);
  if (index >= 0) return index;
  throw new ExpressionFailure(
    `filter "${filter}" has no argument "${name}"; it accepts ${describe(parameters)}`,
  );
}

function describe(parameters: readonly Parameter<unknown>[]): string {
  return parameters.length === 0 ? 'no argument' : parameters.map((parameter) => parameter.name).join(', ');
}
