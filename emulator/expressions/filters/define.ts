import { ExpressionFailure } from '../errors.js';

/** Validates an argument of a filter. @throws ExpressionFailure that names the filter and the argument */
type ReadArgument<T> = (value: unknown, filter: string) => T;

export interface Parameter<T> {
  readonly name: string;
  readonly read: ReadArgument<T>;
}

export interface FilterDefinition {
  readonly name: string;
  /** Validates the arguments and returns the filter as a function of its input. @throws ExpressionFailure */
  readonly bind: (args: readonly unknown[]) => (value: unknown) => unknown;
}

type Values<P extends readonly Parameter<unknown>[]> = {
  [I in keyof P]: P[I] extends Parameter<infer T> ? T : never;
};

/** Defines a filter. @param apply is never called with null or undefined, which become undefined */
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
  for (const argument of args)
    if (isNamed(argument)) bound[indexOf(filter, parameters, argument[0])] = argument[1];
    else bound[position++] = argument;
  if (position > parameters.length)
    throw new ExpressionFailure(
      `filter "${filter}" accepts ${describe(parameters)}, not ${position} arguments`,
    );
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

function parameter<T>(
  name: string,
  accepted: string,
  fallback: T | undefined,
  read: (value: unknown) => T | undefined,
): Parameter<T> {
  return {
    name,
    read(value, filter) {
      const result = value === undefined || value === null ? fallback : read(value);
      if (result !== undefined) return result;
      throw new ExpressionFailure(`filter "${filter}": argument ${name} must be ${accepted}`);
    },
  };
}

export function count(name: string, fallback?: number): Parameter<number> {
  return parameter(name, 'a whole number, 0 or more', fallback, (value) => {
    const number = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value;
    return Number.isSafeInteger(number) && (number as number) >= 0 ? (number as number) : undefined;
  });
}

/** A single character, which may be a code point outside the Basic Multilingual Plane. */
export function character(name: string, fallback?: string): Parameter<string> {
  return parameter(name, 'one character', fallback, (value) =>
    typeof value === 'string' && [...value.slice(0, 3)].length === 1 ? value : undefined,
  );
}

export function text(name: string, fallback?: string): Parameter<string> {
  return parameter(name, 'a string', fallback, (value) => (typeof value === 'string' ? value : undefined));
}

/** A Boolean, or one of the strings `true` and `false`, since expressions often quote them. */
export function flag(name: string, fallback: boolean): Parameter<boolean> {
  return parameter(name, 'true or false', fallback, (value) => {
    if (value === true || value === 'true') return true;
    return value === false || value === 'false' ? false : undefined;
  });
}

/** One of the keys of `words`, compared case-insensitively; its value is passed to the filter. */
export function word<const W extends string>(name: string, words: Record<string, W>): Parameter<W> {
  return parameter<W>(name, `one of ${Object.keys(words).join(', ')}`, undefined, (value) =>
    typeof value === 'string' && Object.hasOwn(words, value.toLowerCase())
      ? words[value.toLowerCase()]
      : undefined,
  );
}

/** Accepts a string, or a finite number, which is converted to a string. */
export function textInput(value: unknown, filter: string): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  throw new ExpressionFailure(`filter "${filter}" accepts a string or a number`);
}

export const anyInput = (value: unknown): unknown => value;

export function objectInput(value: unknown, filter: string): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  throw new ExpressionFailure(`filter "${filter}" accepts an object`);
}
