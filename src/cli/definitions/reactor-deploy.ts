import { type CommandRow, defineCommand } from '../command.js';
import type { Flags } from '../flags/flag.js';
import { ARGUMENT_FLAGS, MODULE_ALIAS_FLAG, reactorCommands } from './reactor.js';
import { SUMMARIES } from './summaries.js';

const FILES = {
  file: {
    variadic: true,
    optional: true,
    suggest: 'file',
    description: 'code files (.js, .ts); the reactors of the manifest by default',
  },
} as const;

/** Flags of every command that reads reactors from files. */
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
  ...MODULE_ALIAS_FLAG,
  allowSecrets: {
    description: 'continue even if the code or configuration appears to contain a card number or key',
  },
} as const satisfies Flags;

const ALLOW_COMMAND = {
  allowCommand: { description: 'run the commands that references in the manifest name' },
} as const satisfies Flags;

const CONCURRENCY = {
  concurrency: {
    value: 'N',
    integer: true,
    description: 'maximum number of objects at a time, 4 by default',
  },
} as const satisfies Flags;

const ALLOW_NET = {
  allowNet: {
    value: 'HOST',
    list: true,
    optionalValue: true,
    description:
      'hosts that the code can connect to; without a value, any host; this machine only by default',
  },
} as const satisfies Flags;

const DEPLOY_OPERATIONS = ['reactors.list', 'reactors.create', 'reactors.replace', 'reactors.get'] as const;

/** The commands that work on the reactors of a project, `init`, which creates one, and those that work on single reactors. */
export const commands: readonly CommandRow[] = [
  defineCommand({
    name: 'reactor deploy',
    summary: 'Create or update reactors from files',
    details: [
      'Finds each reactor by name, creates or updates it unless it is already up to date, and verifies the result. TypeScript and npm imports are bundled. Without files, it deploys the reactors of the manifest, tokenctl.json or tokenctl.yaml. A failure at the service does not stop the other reactors.',
      'Before it uploads anything, it checks syntax, export, length and modules, and scans for card numbers and keys. Configuration and application are unchanged unless the manifest or a flag sets them.',
      'If a reactor is not valid, nothing is deployed unless --partial is given. If all fail for the same reason, the exit code is that of the reason, otherwise 1.',
    ].join('\n\n'),
    operations: DEPLOY_OPERATIONS,
    arguments: FILES,
    flags: {
      ...PROJECT_FLAGS,
      ...ALLOW_COMMAND,
      ...CONCURRENCY,
      dryRun: { description: 'show the changes as a unified diff without deploying' },
      partial: { description: 'deploy the valid reactors even if others are not valid' },
      prune: {
        description:
          'delete reactors that this manifest created but no longer names (recorded in the lock file)',
      },
      watch: { description: 'deploy again when a file changes' },
      smoke: {
        value: 'JSON|@FILE',
        description:
          'invoke the reactor with these arguments after the deploy; restore the previous code if that fails',
      },
      expect: { value: 'JSON|@FILE', description: 'complete response that --smoke must return' },
    },
    examples: [
      { does: 'Deploy all reactors of the manifest.', command: 'tokenctl reactor deploy' },
      {
        does: 'Deploy one file.',
        command: 'tokenctl reactor deploy reactors/charge.ts --config CURRENCY=USD',
      },
      { does: 'Show what would change.', command: 'tokenctl reactor deploy --dry-run' },
      {
        does: 'Test the deployed reactor and roll back if the test fails.',
        command: `tokenctl reactor deploy reactors/charge.ts --smoke '{"amount":1999}'`,
      },
    ],
    load: () => import('../commands/reactor/deploy.js'),
  }),
  defineCommand({
    name: 'reactor diff',
    summary: 'Show what a deploy would change',
    details: 'Prints a unified diff of the code, and the names but not the values of changed configuration.',
    operations: ['reactors.list'],
    arguments: FILES,
    flags: {
      ...PROJECT_FLAGS,
      ...ALLOW_COMMAND,
      ...CONCURRENCY,
      exitCode: { description: 'exit 3 if there is a difference' },
    },
    examples: [
      {
        does: 'Fail a pipeline if someone changed a reactor by hand.',
        command: 'tokenctl reactor diff --exit-code',
      },
    ],
    load: () => import('../commands/reactor/diff.js'),
  }),
  defineCommand({
    name: 'reactor plan',
    summary: 'Save what a deploy would change to a plan file',
    details:
      'The plan contains the code and a digest of the current state of the service, so that `reactor apply` makes exactly these changes or none. It does not contain configuration values; pass the same --config and --env-file to `apply`. Without --out, the plan is only shown.',
    operations: ['reactors.list'],
    arguments: FILES,
    flags: {
      ...PROJECT_FLAGS,
      ...ALLOW_COMMAND,
      ...CONCURRENCY,
      out: { value: 'FILE', suggest: 'file', description: 'plan file to write' },
      prune: { description: 'include deleting reactors that the manifest created but no longer names' },
    },
    examples: [{ does: 'Save a plan for review.', command: 'tokenctl reactor plan --out plan.json' }],
    load: () => import('../commands/reactor/plan.js'),
  }),
  defineCommand({
    name: 'reactor apply',
    summary: 'Apply a plan file',
    details:
      'Fails without changes if a planned reactor has changed on the service since the plan was made. It can be applied again after an interruption.',
    operations: [...DEPLOY_OPERATIONS, 'reactors.delete'],
    arguments: { plan: { suggest: 'file', description: 'file written by `reactor plan --out`' } },
    flags: {
      config: PROJECT_FLAGS.config,
      envFile: PROJECT_FLAGS.envFile,
      ...ALLOW_COMMAND,
      ...CONCURRENCY,
    },
    examples: [{ does: 'Apply a reviewed plan.', command: 'tokenctl reactor apply plan.json' }],
    load: () => import('../commands/reactor/apply.js'),
  }),
  defineCommand({
    name: 'reactor history',
    summary: 'List the versions of a reactor that were deployed from the manifest',
    details:
      'The last ten versions are in tokenctl.lock.json, for each service: when each was deployed, from which commit, and its hash, which is the same for the same code, application and names of configuration.',
    operations: ['applications.key'],
    arguments: { reactor: { suggest: 'reactor', description: 'reactor id or exact name' } },
    examples: [{ does: 'See what was deployed.', command: 'tokenctl reactor history charge' }],
    load: () => import('../commands/reactor/history.js'),
  }),
  defineCommand({
    name: 'reactor rollback',
    summary: 'Restore an earlier version of a reactor',
    details:
      'Restores code, application and configuration of a version that was deployed from the manifest. Configuration values are not recorded: references are resolved again, other values are those of the manifest or, failing that, of the service.',
    operations: ['applications.key', 'reactors.list', 'reactors.replace', 'reactors.get'],
    arguments: { reactor: { suggest: 'reactor', description: 'reactor id or exact name' } },
    flags: {
      to: {
        value: 'N',
        integer: true,
        description: 'version to restore; by default the last that differs from the current one',
      },
      config: PROJECT_FLAGS.config,
      envFile: PROJECT_FLAGS.envFile,
      ...ALLOW_COMMAND,
    },
    examples: [
      { does: 'Undo the last deployment.', command: 'tokenctl reactor rollback charge' },
      { does: 'Restore a certain version.', command: 'tokenctl reactor rollback charge --to 1' },
    ],
    load: () => import('../commands/reactor/rollback.js'),
  }),
  defineCommand({
    name: 'reactor run',
    summary: 'Run a file in the local sandbox, without a service or a deploy',
    details:
      "Uses the emulator's runtime in this process. Tokens from --seed are detokenized; tokens that the code creates are discarded. The console is printed on stderr, the response on stdout.",
    arguments: { file: { suggest: 'file', description: 'code file (.js, .ts)' } },
    flags: {
      ...ARGUMENT_FLAGS,
      config: PROJECT_FLAGS.config,
      envFile: PROJECT_FLAGS.envFile,
      external: PROJECT_FLAGS.external,
      ...MODULE_ALIAS_FLAG,
      seed: {
        value: 'FILE',
        suggest: 'file',
        description: 'JSON or YAML file with tokens and applications to create first',
      },
      ...ALLOW_NET,
      watch: { description: 'run again when a file changes' },
    },
    examples: [
      {
        does: 'Run with arguments and configuration.',
        command: 'tokenctl reactor run reactors/charge.ts --arg amount=1999 --config CURRENCY=USD',
      },
      {
        does: 'Run with a token from a seed file.',
        command: `tokenctl reactor run reactors/charge.ts --seed seed.json --args '{"card":"{{ my-card }}","amount":1999}'`,
      },
    ],
    load: () => import('../commands/reactor/run.js'),
  }),
  defineCommand({
    name: 'reactor test',
    summary: 'Run the test files of reactors',
    details:
      'The tests of charge.ts are in charge.test.json in the same directory: { "configuration", "application", "tokens": [create requests], "cases": [{ "name", "args", "configuration", "result" or "error" }] }. Every property in `result` must match; { "$type": "string" } and { "$match": "^pi_" } match values that vary. With --record, outbound calls are sent and written to charge.cassette.json, in which token data and configuration values are placeholders; as long as that file exists, they are answered from it, offline.',
    arguments: FILES,
    flags: {
      config: PROJECT_FLAGS.config,
      envFile: PROJECT_FLAGS.envFile,
      external: PROJECT_FLAGS.external,
      ...MODULE_ALIAS_FLAG,
      ...ALLOW_NET,
      record: {
        description:
          'send the outbound calls and record them in NAME.cassette.json, to be replayed by later runs',
      },
      watch: { description: 'test again when a file changes' },
    },
    examples: [
      { does: 'Test all reactors of the manifest.', command: 'tokenctl reactor test' },
      {
        does: 'Record the calls of one reactor.',
        command: 'tokenctl reactor test reactors/charge.ts --record --allow-net api.stripe.com',
      },
      {
        does: 'Test one reactor after every change.',
        command: 'tokenctl reactor test reactors/charge.ts --watch',
      },
    ],
    load: () => import('../commands/reactor/test.js'),
  }),
  defineCommand({
    name: 'reactor types',
    summary: 'Write TypeScript types of reactors for their code and their callers',
    details: [
      "Declares configuration, arguments and result of each reactor of the manifest: names of configuration values from the manifest, its env file and the test file, the others from the test cases that succeed. An expression has the type of its token's data in the code, and of a string for callers.",
      "A reactor declared as Reactor<'charge'>, with types/reactor.d.ts of `tokenctl init`, fails to compile when its code and its test cases differ. The command reads files only, and runs no code.",
    ].join('\n\n'),
    flags: {
      out: {
        value: 'FILE',
        suggest: 'file',
        description: 'file to write; types/reactors.d.ts next to the manifest by default',
      },
      check: { description: 'write nothing; exit 3 if the file is not up to date' },
    },
    examples: [
      { does: 'Write the types.', command: 'tokenctl reactor types' },
      { does: 'Fail a pipeline if they are out of date.', command: 'tokenctl reactor types --check' },
    ],
    load: () => import('../commands/reactor/types.js'),
  }),
  defineCommand({
    name: 'init',
    summary: SUMMARIES.init,
    details: 'Existing files are overwritten only after confirmation or with --force.',
    arguments: {
      directory: { optional: true, description: 'project directory; the current directory by default' },
    },
    flags: { force: { description: 'overwrite existing files' } },
    examples: [{ does: 'Create a project in a new directory.', command: 'tokenctl init payments' }],
    load: () => import('../commands/init.js'),
  }),
  ...reactorCommands,
];
