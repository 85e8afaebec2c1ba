import { EMULATOR_FLAGS, INSPECTOR_FLAG } from '../../contract/emulator-options.js';
import type { Flags, FlagValues } from './flag.js';

const { variadic: _, ...moduleAlias } = EMULATOR_FLAGS.moduleAlias;

export const ARGUMENT_FLAGS = {
  args: {
    value: 'JSON|@FILE|-',
    description: 'arguments; {{ token id }} is replaced by the data of the token',
  },
  arg: {
    value: 'NAME=VALUE',
    list: true,
    description: 'one argument; JSON if the value is valid JSON, otherwise a string',
  },
} as const satisfies Flags;

export type ArgumentFlags = FlagValues<typeof ARGUMENT_FLAGS>;

const { value, optionalValue } = INSPECTOR_FLAG;

export const INSPECT_FLAGS = {
  inspect: {
    value,
    optionalValue,
    description:
      'let a debugger attach, at 127.0.0.1:9229 by default; the code runs in Node.js then, without time limit',
  },
  inspectBrk: {
    value,
    optionalValue,
    description: 'the same, but wait for the debugger, and stop at the first statement of the reactor',
  },
} as const satisfies Flags;

export type InspectFlags = FlagValues<typeof INSPECT_FLAGS>;

/** Flags of the commands that work on reactors from files or on a whole manifest. Each command takes some of them. */
const PROJECT_FLAGS = {
  config: {
    value: 'NAME=VALUE',
    list: true,
    description: 'one configuration value; overrides the manifest and env files',
  },
  envFile: {
    value: 'FILE',
    suggest: 'file',
    description: 'configuration from lines of NAME=value; NAME alone takes the value from the environment',
  },
  external: {
    value: 'MODULE',
    list: true,
    description:
      'module that is not bundled but required at run time (emulator start --reactor-runtime node)',
  },
  minify: { description: 'always minify the code, not only if it is too long' },
  moduleAlias,
  allowSecrets: {
    description: 'continue even if code or configuration appears to contain a card number or key',
  },
  allowCommand: { description: 'run the commands that references in the manifest name' },
  allowWeaken: {
    description:
      'allow changes that weaken security: more permissions, reveal, wider containers, open proxies, other hosts, stronger applications',
  },
  concurrency: {
    value: 'N',
    integer: true,
    minimum: 1,
    maximum: 32,
    description: 'maximum number of objects at a time, 4 by default',
  },
  retarget: {
    description: 'accept another tenant than the one in the lock file, whose records are dropped',
  },
  allowNet: {
    value: 'HOST',
    list: true,
    optionalValue: true,
    description:
      'hosts that the code can connect to; without a value, any host; this machine only by default',
  },
  prune: {
    description: 'delete what this manifest created but no longer declares (recorded in the lock file)',
  },
  partial: { description: 'apply what is valid even if something else is not' },
  only: {
    value: 'PATTERN',
    list: true,
    description: "limit it to objects by kind, or kind and name: reactor, reactor/charge, 'reactor/charge-*'",
  },
  exclude: { value: 'PATTERN', list: true, description: 'leave out objects, named as with --only' },
  summary: {
    value: 'FILE',
    suggest: 'file',
    description: 'file to write the report to as Markdown, for a comment on a pull request',
  },
} as const satisfies Flags;

export interface ProjectFlags extends FlagValues<typeof PROJECT_FLAGS> {
  /** Code files; the reactors of the manifest by default. */
  file?: string[];
  confirm?: string | undefined;
}

export function projectFlags<const Name extends keyof typeof PROJECT_FLAGS>(
  ...names: readonly Name[]
): Pick<typeof PROJECT_FLAGS, Name> {
  return Object.fromEntries(names.map((name) => [name, PROJECT_FLAGS[name]])) as Pick<
    typeof PROJECT_FLAGS,
    Name
  >;
}

export const FILES = {
  file: {
    variadic: true,
    optional: true,
    suggest: 'file',
    description: 'code files (.js, .ts); the reactors of the manifest by default',
  },
} as const;
