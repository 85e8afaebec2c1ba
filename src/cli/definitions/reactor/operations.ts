import { LIMITS } from '../../../contract/limits.js';
import { RESOURCES } from '../../../contract/resources.js';
import { type CommandRow, defineCommand, from } from '../../command.js';
import { ARGUMENT_FLAGS, FILES, INSPECT_FLAGS, projectFlags } from '../../flags/project-flags.js';
import { resourceArgument, resourceCommand } from '../resource-commands.js';
import { commands as deployCommands } from './deploy.js';

const reactModule = () => import('../../commands/reactor/react.js');
const runModule = () => import('../../commands/reactor/run.js');
const buildModule = () => import('../../commands/reactor/build.js');
const testModule = () => import('../../commands/reactor/test.js');
const typesModule = () => import('../../commands/reactor/types.js');

const { minimum, maximum } = LIMITS.asyncTimeoutMs;

const REACTOR = RESOURCES.reactor;

const REACTOR_ARGUMENT = { reactor: resourceArgument(REACTOR) } as const;

const localCommands: readonly CommandRow[] = [
  defineCommand('reactor run', from(runModule, 'run'), {
    summary: 'Run a file in the local sandbox, without a service or a deploy',
    details:
      "Uses the emulator's runtime in this process. Tokens from --seed are detokenized; tokens that the code creates are discarded. The console is printed on stderr, the response on stdout.",
    arguments: { file: { suggest: 'file', description: 'code file (.js, .ts)' } },
    flags: {
      ...ARGUMENT_FLAGS,
      ...projectFlags('config', 'envFile', 'external', 'minify', 'moduleAlias'),
      seed: {
        value: 'FILE',
        suggest: 'file',
        description: 'JSON or YAML file with tokens and applications to create first',
      },
      ...projectFlags('allowNet'),
      watch: { description: 'run again when a file changes' },
      ...INSPECT_FLAGS,
    },
    examples: {
      'Run with arguments and configuration.':
        'tokenctl reactor run reactors/charge.ts --arg amount=1999 --config CURRENCY=USD',
      'Run with a token from a seed file.': `tokenctl reactor run reactors/charge.ts --seed seed.json --args '{"card":"{{ my-card }}","amount":1999}'`,
      'Step through the code with VS Code, or in Chrome at chrome://inspect.':
        'tokenctl reactor run reactors/charge.ts --arg amount=1999 --inspect-brk',
    },
  }),
  defineCommand('reactor build', from(buildModule, 'run'), {
    summary: 'Print the code that deploy would send',
    details:
      'A TypeScript file, an ES module and what a file imports are bundled. With --json or another format, also with name, file and source map.',
    arguments: FILES,
    flags: projectFlags('external', 'minify', 'moduleAlias'),
    examples: {
      'Keep the bundle.': 'tokenctl reactor build reactors/charge.ts > charge.js',
      'Count its characters.': "tokenctl reactor build --jq '.reactors[].code | length'",
    },
  }),
  defineCommand('reactor test', from(testModule, 'run'), {
    summary: 'Run the test files of reactors',
    details:
      'The tests of charge.ts are in charge.test.json in the same directory: { "configuration", "application", "tokens": [create requests], "cases": [{ "name", "args", "configuration", "result" or "error" }] }. Every property in `result` must match; { "$type": "string" } and { "$match": "^pi_" } match values that vary. With --record, outbound calls are sent and written to charge.cassette.json, in which token data and configuration values are placeholders; as long as that file exists, they are answered from it, offline.',
    arguments: FILES,
    flags: {
      ...projectFlags('config', 'envFile', 'external', 'minify', 'moduleAlias', 'allowNet'),
      record: {
        description:
          'send the outbound calls and record them in NAME.cassette.json, to be replayed by later runs',
      },
      watch: { description: 'test again when a file changes' },
      ...INSPECT_FLAGS,
    },
    examples: {
      'Test all reactors of the manifest.': 'tokenctl reactor test',
      'Record the calls of one reactor.':
        'tokenctl reactor test reactors/charge.ts --record --allow-net api.stripe.com',
      'Test one reactor after every change.': 'tokenctl reactor test reactors/charge.ts --watch',
    },
  }),
  defineCommand('reactor types', from(typesModule, 'run'), {
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
    examples: {
      'Write the types.': 'tokenctl reactor types',
      'Fail a pipeline if they are out of date.': 'tokenctl reactor types --check',
    },
  }),
];

export const commands: readonly CommandRow[] = [
  ...deployCommands,
  ...localCommands,
  resourceCommand(REACTOR, 'create', {
    examples: {
      'Create a reactor from a file, with a configuration.':
        'tokenctl reactor create --name greet --code @greet.js --config GREETING=Hello',
    },
  }),
  resourceCommand(REACTOR, 'replace', {
    summary: 'Replace a reactor completely',
    examples: {
      'Set new code and an empty configuration.': `tokenctl reactor replace greet --name greet --code @greet.js --configuration '{}'`,
    },
  }),
  resourceCommand(REACTOR, 'update', {
    examples: {
      'Change one configuration value and keep the others.':
        'tokenctl reactor update greet --config GREETING=Salut',
    },
  }),
  resourceCommand(REACTOR, 'get', {
    summary: 'Get reactors; configuration values are never shown',
    variadic: true,
    examples: { 'Print the deployed code.': 'tokenctl reactor get greet --jq .code' },
  }),
  resourceCommand(REACTOR, 'list', {
    examples: { 'Print names and ids.': `tokenctl reactor list --name 'gr*' --json id,name` },
  }),
  defineCommand('reactor react', from(reactModule, 'reactTo'), {
    summary: 'Invoke a reactor with detokenized arguments',
    details:
      'Without a reactor, it prompts for one and for its arguments on a terminal. With --callback-url, the result is posted to that URL. With --async, `reactor result` gets it.',
    operations: ['reactors.react', 'reactors.reactAsync', 'reactors.list'],
    aliases: ['invoke'],
    arguments: { reactor: { ...REACTOR_ARGUMENT.reactor, optional: true } },
    flags: {
      ...ARGUMENT_FLAGS,
      callbackUrl: { value: 'URL', description: 'run asynchronously and post the result to this URL' },
      async: { description: 'run asynchronously and print the request id for `reactor result`' },
      timeoutMs: {
        value: 'N',
        integer: true,
        description: `with --callback-url or --async: time limit in milliseconds, ${minimum} to ${maximum}`,
      },
      trace: {
        description:
          'print the trace id on stderr and, on an emulator, also the time of each phase, the console and the requests with masked data',
      },
    },
    examples: {
      'Pass token data to the code without exposing it to the caller.': `tokenctl reactor react greet --arg name=Ada --arg 'card={{ customer-1042-card }}'`,
      'Pass all arguments as JSON.': `tokenctl reactor invoke greet --args '{"name":"Ada"}' --jq .raw`,
    },
  }),
  defineCommand('reactor result', from(reactModule, 'getResult'), {
    summary: 'Get the result of an invocation with --async, kept for 24 hours',
    operations: ['reactors.result', 'reactors.list'],
    arguments: {
      ...REACTOR_ARGUMENT,
      requestId: { description: 'request id that `reactor react --async` printed' },
    },
    examples: { 'Print what the code returned.': 'tokenctl reactor result greet "$REQUEST_ID" --jq .raw' },
  }),
  resourceCommand(REACTOR, 'delete', {
    summary: 'Delete reactors',
    variadic: true,
    examples: { 'Delete without confirmation.': 'tokenctl reactor delete greet --yes' },
  }),
  defineCommand('reactor logs', from(reactModule, 'showLogs'), {
    summary: 'Show the console output and requests of a reactor on an emulator',
    prints: 'events',
    operations: ['reactors.list'],
    arguments: REACTOR_ARGUMENT,
    flags: {
      follow: {
        short: 'f',
        description: 'keep printing new events until Ctrl-C; --jq is applied to each event',
      },
    },
    examples: { 'Show recent logs.': 'tokenctl reactor logs greet' },
  }),
];
