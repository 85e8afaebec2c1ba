import { type CommandRow, defineCommand } from '../command.js';
import type { Flags } from '../flags/flag.js';
import { YES_FLAG } from '../flags/globals.js';
import { ARGUMENT_FLAGS } from './reactor.js';

const FILES = {
  file: {
    variadic: true,
    optional: true,
    suggest: 'file',
    description: 'files of code (.js, .ts); the reactors of the manifest when left out',
  },
} as const;

/** Of every command that takes reactors from files. */
const PROJECT_FLAGS = {
  config: {
    value: 'NAME=VALUE',
    list: true,
    description: 'configuration, over what the manifest and env files say',
  },
  envFile: {
    value: 'FILE',
    suggest: 'file',
    description: 'configuration from NAME=value lines; NAME alone takes it from the environment',
  },
  external: {
    value: 'MODULE',
    list: true,
    description: "leave a module to the runtime's own require (emulator start --reactor-runtime node)",
  },
  allowSecrets: {
    description: 'go on when code or configuration looks like it holds a card number or a key',
  },
} as const satisfies Flags;

const CONCURRENCY = {
  concurrency: { value: 'N', integer: true, description: 'reactors at a time, 4 by default' },
} as const satisfies Flags;

const ALLOW_NET = {
  allowNet: {
    value: 'HOST',
    list: true,
    optionalValue: true,
    description: 'let the code reach these hosts, or without a value any; this machine only by default',
  },
} as const satisfies Flags;

/** The commands that work on reactors as a project has them in files. */
export const reactorProjectCommands: readonly CommandRow[] = [
  defineCommand({
    name: 'reactor deploy',
    summary: 'Create or update reactors from files',
    details: [
      'Finds each reactor by its name, creates or updates it, skips it when nothing differs, reads it back and compares. TypeScript and npm imports are bundled. Without files it takes the manifest, tokenctl.json or tokenctl.yaml. One failure does not stop the others.',
      'Before anything is uploaded: syntax, export, length, unknown modules, and a scan for card numbers and keys. What neither manifest nor flags say of configuration and application stays as the service has it.',
      'With several reactors a failure exits 1, a single one with its own code.',
    ].join('\n\n'),
    operations: ['reactors.list', 'reactors.create', 'reactors.replace', 'reactors.get'],
    arguments: FILES,
    flags: {
      ...PROJECT_FLAGS,
      ...CONCURRENCY,
      dryRun: { description: 'show what would change, as a unified diff, and change nothing' },
      prune: {
        description:
          'delete what an earlier deploy of this manifest created and it no longer names (tokenctl.lock.json)',
      },
      ...YES_FLAG,
      watch: { description: 'deploy again whenever a file changes' },
      smoke: {
        value: 'JSON|@FILE',
        description:
          'invoke the reactor with these arguments afterwards; put the previous code back when it fails',
      },
      expect: { value: 'JSON|@FILE', description: 'the whole response that --smoke must give' },
    },
    examples: [
      { does: 'All of the manifest.', command: 'tokenctl reactor deploy' },
      { does: 'One file.', command: 'tokenctl reactor deploy reactors/charge.ts --config CURRENCY=USD' },
      { does: 'What would change.', command: 'tokenctl reactor deploy --dry-run' },
      {
        does: 'Try it out at once, and undo it when it does not work.',
        command: `tokenctl reactor deploy reactors/charge.ts --smoke '{"amount":1999}'`,
      },
    ],
    load: () => import('../commands/reactor/deploy.js'),
  }),
  defineCommand({
    name: 'reactor diff',
    summary: 'Show what deploying reactors would change',
    details: 'A unified diff of the code; of configuration the names alone.',
    operations: ['reactors.list'],
    arguments: FILES,
    flags: {
      ...PROJECT_FLAGS,
      ...CONCURRENCY,
      exitCode: { description: 'exit 3 when there is a difference' },
    },
    examples: [
      {
        does: 'Fails a pipeline when someone changed a reactor by hand.',
        command: 'tokenctl reactor diff --exit-code',
      },
    ],
    load: () => import('../commands/reactor/diff.js'),
  }),
  defineCommand({
    name: 'reactor plan',
    summary: 'Write down what deploying reactors would change',
    details:
      'The plan holds the code and a digest of what the service has, so that `reactor apply` does exactly that or nothing. Configuration values are not in it: give `apply` the same --config and --env-file.',
    operations: ['reactors.list'],
    arguments: FILES,
    flags: {
      ...PROJECT_FLAGS,
      ...CONCURRENCY,
      out: { value: 'FILE', suggest: 'file', description: 'where to write the plan' },
      prune: { description: 'plan to delete what the manifest created and no longer names' },
    },
    examples: [{ does: 'For someone to look at.', command: 'tokenctl reactor plan --out plan.json' }],
    load: () => import('../commands/reactor/plan.js'),
  }),
  defineCommand({
    name: 'reactor apply',
    summary: 'Carry out a plan',
    details: 'Refuses when anything in it was changed on the service since it was made.',
    operations: ['reactors.list', 'reactors.create', 'reactors.replace', 'reactors.get', 'reactors.delete'],
    arguments: { plan: { suggest: 'file', description: 'what `reactor plan --out` wrote' } },
    flags: {
      config: PROJECT_FLAGS.config,
      envFile: PROJECT_FLAGS.envFile,
      ...CONCURRENCY,
      ...YES_FLAG,
    },
    examples: [{ does: 'What was planned, or nothing.', command: 'tokenctl reactor apply plan.json' }],
    load: () => import('../commands/reactor/apply.js'),
  }),
  defineCommand({
    name: 'reactor run',
    summary: 'Run a file in the sandbox, without a service and without a deploy',
    details:
      "The emulator's own runtime, in this process: tokens of --seed are detokenized, what the code tokenizes is created and forgotten. The console goes to stderr, the response to stdout.",
    arguments: { file: { suggest: 'file', description: 'the code (.js, .ts)' } },
    flags: {
      ...ARGUMENT_FLAGS,
      config: PROJECT_FLAGS.config,
      envFile: PROJECT_FLAGS.envFile,
      external: PROJECT_FLAGS.external,
      seed: {
        value: 'FILE',
        suggest: 'file',
        description: 'JSON or YAML with tokens and applications to begin with',
      },
      ...ALLOW_NET,
      watch: { description: 'run again whenever a file changes' },
    },
    examples: [
      {
        does: 'With arguments.',
        command: 'tokenctl reactor run reactors/charge.ts --arg amount=1999 --config CURRENCY=USD',
      },
      {
        does: 'With a token of a seed file.',
        command: `tokenctl reactor run reactors/charge.ts --seed seed.json --args '{"card":"{{ my-card }}","amount":1999}'`,
      },
    ],
    load: () => import('../commands/reactor/run.js'),
  }),
  defineCommand({
    name: 'reactor test',
    summary: 'Run the cases that lie beside reactors',
    details:
      'charge.test.json beside charge.ts: { "configuration", "application", "tokens": [create requests], "cases": [{ "name", "args", "configuration", "result" or "error" }] }. Every property that `result` names must be so; { "$type": "string" } and { "$match": "^pi_" } stand for what cannot be known.',
    arguments: FILES,
    flags: {
      config: PROJECT_FLAGS.config,
      envFile: PROJECT_FLAGS.envFile,
      external: PROJECT_FLAGS.external,
      ...ALLOW_NET,
      watch: { description: 'test again whenever a file changes' },
    },
    examples: [
      { does: 'All of the manifest.', command: 'tokenctl reactor test' },
      { does: 'One, again at every change.', command: 'tokenctl reactor test reactors/charge.ts --watch' },
    ],
    load: () => import('../commands/reactor/test.js'),
  }),
  defineCommand({
    name: 'init',
    summary: 'Start a project: a reactor in TypeScript, its test, a manifest, a CI workflow',
    details: 'What is there already is not overwritten without being asked, or --force.',
    arguments: { directory: { optional: true, description: 'where; this directory when left out' } },
    flags: { force: { description: 'overwrite what is there' } },
    examples: [{ does: 'A new project.', command: 'tokenctl init payments' }],
    load: () => import('../commands/init.js'),
  }),
];
