import { type CommandRow, defineCommand } from '../../command.js';
import { ARGUMENT_FLAGS, FILES, projectFlags } from '../../flags/project-flags.js';

/** The commands that work on the reactors of a project without a service. */
export const commands: readonly CommandRow[] = [
  defineCommand('reactor run', {
    summary: 'Run a file in the local sandbox, without a service or a deploy',
    details:
      "Uses the emulator's runtime in this process. Tokens from --seed are detokenized; tokens that the code creates are discarded. The console is printed on stderr, the response on stdout.",
    arguments: { file: { suggest: 'file', description: 'code file (.js, .ts)' } },
    flags: {
      ...ARGUMENT_FLAGS,
      ...projectFlags('config', 'envFile', 'external', 'moduleAlias'),
      seed: {
        value: 'FILE',
        suggest: 'file',
        description: 'JSON or YAML file with tokens and applications to create first',
      },
      ...projectFlags('allowNet'),
      watch: { description: 'run again when a file changes' },
    },
    examples: {
      'Run with arguments and configuration.':
        'tokenctl reactor run reactors/charge.ts --arg amount=1999 --config CURRENCY=USD',
      'Run with a token from a seed file.': `tokenctl reactor run reactors/charge.ts --seed seed.json --args '{"card":"{{ my-card }}","amount":1999}'`,
    },
    load: async () => (await import('../../commands/reactor/run.js')).run,
  }),
  defineCommand('reactor test', {
    summary: 'Run the test files of reactors',
    details:
      'The tests of charge.ts are in charge.test.json in the same directory: { "configuration", "application", "tokens": [create requests], "cases": [{ "name", "args", "configuration", "result" or "error" }] }. Every property in `result` must match; { "$type": "string" } and { "$match": "^pi_" } match values that vary. With --record, outbound calls are sent and written to charge.cassette.json, in which token data and configuration values are placeholders; as long as that file exists, they are answered from it, offline.',
    arguments: FILES,
    flags: {
      ...projectFlags('config', 'envFile', 'external', 'moduleAlias', 'allowNet'),
      record: {
        description:
          'send the outbound calls and record them in NAME.cassette.json, to be replayed by later runs',
      },
      watch: { description: 'test again when a file changes' },
    },
    examples: {
      'Test all reactors of the manifest.': 'tokenctl reactor test',
      'Record the calls of one reactor.':
        'tokenctl reactor test reactors/charge.ts --record --allow-net api.stripe.com',
      'Test one reactor after every change.': 'tokenctl reactor test reactors/charge.ts --watch',
    },
    load: async () => (await import('../../commands/reactor/test.js')).run,
  }),
  defineCommand('reactor types', {
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
    load: async () => (await import('../../commands/reactor/types.js')).run,
  }),
];
