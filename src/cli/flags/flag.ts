import type { OperationId } from '../../contract/operations.js';
import type { Context } from '../command.js';

/** What a value stands for: shell completion asks the target for ids and names of these. */
export type Suggestion = 'token' | 'reactor' | 'application' | 'profile' | 'permission' | 'snapshot' | 'file';

/** A flag; its long form is its name in kebab case. Without `value` it is a switch. */
export interface Flag {
  description: string;
  /** The placeholder of its value in help texts, e.g. `FILE`. */
  value?: string;
  /** May repeat; gives an array. */
  list?: true;
  /** Its value is a whole number. */
  integer?: true;
  /** The value may be left out. */
  optionalValue?: true;
  /** Only these values; anything else is wrong usage. */
  choices?: readonly string[];
  /** Offered by completion; other values are accepted, since the service may know more. */
  suggest?: readonly string[] | Suggestion;
  short?: string;
  /** Also offered as `--no-<name>`. */
  negatable?: true;
  /** What `--no-<name>` does. */
  negation?: string;
  /** Offered as `--no-<name>` only, true unless given. */
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

export interface Example {
  /** What it is for, one line. */
  does: string;
  /** As typed into a shell. */
  command: string;
}

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

/** What a command gets: its flags, when given, and its arguments, each under its own name. */
export type OptionsOf<F extends Flags, A extends Arguments> = {
  -readonly [Name in keyof F]?: FlagValue<F[Name]> | undefined;
} & { -readonly [Name in keyof A]: ArgumentValue<A[Name]> };

/**
 * A command module: one plain function of its options and of what it works with. It throws when it fails; a number is
 * the exit code of a command that it ran for the user.
 */
export interface CommandModule<Options> {
  run: (options: Options, context: Context) => Promise<number | undefined> | Promise<void>;
}

interface Declaration<F extends Flags, A extends Arguments> {
  /** As typed: `token create`. */
  name: string;
  summary: string;
  /** More than the summary says; paragraphs for the help text. */
  details?: string;
  aliases?: readonly string[];
  arguments?: A;
  flags?: F;
  /** What it calls; the help text takes the permissions from the contract. */
  operations?: readonly OperationId[];
  examples: readonly Example[];
  /** Milliseconds that it may take to clean up after Ctrl-C; 10,000 by default. */
  cleanUpMs?: number;
  /** Left out of help texts. */
  hidden?: true;
  load: () => Promise<CommandModule<OptionsOf<F, A>>>;
}

/** A command as the table holds it, its options no longer known by name. */
export type CommandRow = Omit<Declaration<Flags, Arguments>, 'load'> & {
  load: () => Promise<CommandModule<never>>;
};

// biome-ignore lint/complexity/noBannedTypes: a command without flags has no flag names.
type None = {};

/** All commands, and what the words before their verbs stand for. */
export interface CommandTable {
  commands: readonly CommandRow[];
  nouns: Readonly<Record<string, string>>;
}

/** Checks that the module a command loads takes exactly the flags and arguments declared here. */
export function defineCommand<const F extends Flags = None, const A extends Arguments = None>(
  declaration: Declaration<F, A>,
): CommandRow {
  return declaration;
}
