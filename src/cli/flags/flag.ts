import type { Noun } from '../../contract/resources.js';

/** The kind of thing a value names; shell completion asks the target service for ids and names of that kind. */
export type Suggestion = 'token' | Noun | 'profile' | 'permission' | 'snapshot' | 'file';

/** A flag. Its key in `Flags`, in kebab case, is its long form. Without `value` it is a switch. */
export interface Flag {
  description: string;
  /** Placeholder for the value in help texts, e.g. `FILE`. */
  value?: string;
  /** The flag can be repeated; its values become an array. */
  list?: true;
  /** With `list`: several values may follow the flag, unless the command takes arguments. */
  variadic?: true;
  /** Another value is refused; of other flags, the last value counts, so that an alias of the shell can be overridden. */
  once?: true;
  integer?: true;
  /** Of a whole number, 0 by default. */
  minimum?: number;
  maximum?: number;
  optionalValue?: true;
  choices?: readonly string[];
  /** Values offered by completion. Others are accepted, because the service may know more. */
  suggest?: readonly string[] | Suggestion;
  short?: string;
  /** Also offered as `--no-<name>`. */
  negatable?: true;
  negation?: string;
  /** Offered only as `--no-<name>`; true by default. */
  onByDefault?: true;
}

/** A positional argument; required unless `optional`. */
export interface Argument {
  description: string;
  optional?: true;
  variadic?: true;
  choices?: readonly string[];
  suggest?: readonly string[] | Suggestion;
}

export type Flags = Readonly<Record<string, Flag>>;
export type Arguments = Readonly<Record<string, Argument>>;

type FlagValue<F extends Flag> = F extends { list: true; optionalValue: true }
  ? string[] | true
  : F extends { list: true }
    ? string[]
    : F extends { integer: true }
      ? number
      : F extends { optionalValue: true }
        ? string | true
        : F extends { value: string; negatable: true }
          ? string | false
          : F extends { value: string }
            ? string
            : boolean;

type ArgumentValue<A extends Argument> = A extends { variadic: true }
  ? string[]
  : A extends { optional: true }
    ? string | undefined
    : string;

/** The options object of a command: its flags, undefined when not given, and its arguments, each under its own name. */
export type OptionsOf<F extends Flags, A extends Arguments> = {
  -readonly [Name in keyof F]?: FlagValue<F[Name]> | undefined;
} & { -readonly [Name in keyof A]: ArgumentValue<A[Name]> };

export type FlagValues<F extends Flags> = OptionsOf<F, Record<never, never>>;

/** Values of flags of one type, which may all be missing. */
export type Options<Names extends string, Value = string> = { [Name in Names]?: Value | undefined };

/** The flag of a time that `toExpiry` reads. @param what happens then: `when the key stops working` */
export const expiryFlag = (what: string) =>
  ({ value: 'TIME', description: `${what}: ISO 8601, or a duration such as 24h` }) as const;

/** Converts a camel-case name to the form used on the command line: `dataDir` becomes `data-dir`. */
export function toKebabCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** Converts the name of a property of the API to that of an option: `destination_url` becomes `destinationUrl`. */
export function toCamelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());
}

/** Writes a flag as it is typed: `--output <MODE>`, `--no-color`. */
export function longFlag(name: string, flag: Flag): string {
  const long = `--${flag.onByDefault ? 'no-' : ''}${toKebabCase(name)}`;
  if (flag.value === undefined) return long;
  return flag.optionalValue ? `${long} [${flag.value}]` : `${long} <${flag.value}>`;
}
