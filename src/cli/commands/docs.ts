import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { packageFile } from '../../contract/files.js';
import { findNearest } from '../../contract/nearest.js';
import type { CommandRow, Context, LoadDefinitions } from '../command.js';
import { FIRST_STEPS, GLOBAL_OPTIONS } from '../help.js';
import { EXIT_CODES, usageError } from '../lib/errors.js';
import { createProgram, helpOf, withGlobalOptionsHelp } from '../program.js';

const DIRECTORY = join(dirname(packageFile('tokenctl/package.json')), 'docs');
/** The page that is no file: it is written from the command table. */
const CLI_REFERENCE = 'cli';

export async function run({ topic }: { topic: string | undefined }, context: Context) {
  const files = (await readdir(DIRECTORY)).filter((name) => name.endsWith('.md'));
  const topics = [CLI_REFERENCE, ...files.map((name) => name.slice(0, -'.md'.length))].sort();
  if (topic === undefined) return await listTopics(topics, context);
  if (!topics.includes(topic)) {
    const nearest = findNearest(topic, topics);
    throw usageError(
      `There is no page ${JSON.stringify(topic)}.`,
      nearest === undefined
        ? `The pages are: ${topics.join(', ')}`
        : `Did you mean: tokenctl docs ${nearest}`,
    );
  }
  await show(await readPage(topic, context), context);
}

async function readPage(topic: string, { loadDefinitions }: Context): Promise<string> {
  if (topic === CLI_REFERENCE) return await cliReference(loadDefinitions);
  return await readFile(join(DIRECTORY, `${topic}.md`), 'utf8');
}

async function listTopics(topics: readonly string[], context: Context): Promise<void> {
  const pages = await Promise.all(
    topics.map(async (topic) => {
      const [, title = topic] = /^# (.+)$/m.exec(await readPage(topic, context)) ?? [];
      return { topic, title: title.replaceAll('`', '') };
    }),
  );
  await context.output.plainList(pages, {
    columns: [
      { title: 'TOPIC', field: 'topic', importance: 1 },
      { title: 'PAGE', field: 'title' },
    ],
  });
  context.output.notice('Read a page: tokenctl docs TOPIC');
}

/** Prints a text, on a terminal through `PAGER` or less; in full where neither can be started. */
async function show(text: string, { output, settings }: Context): Promise<void> {
  const { terminal, interactive, env, platform } = settings;
  const pager = env.PAGER ?? (platform === 'win32' ? 'more' : 'less -FRX');
  if (!terminal.stdout || !interactive || pager === '' || !(await page(text, pager))) output.text(text);
}

async function page(text: string, command: string): Promise<boolean> {
  const child = spawn(command, { shell: true, stdio: ['pipe', 'inherit', 'inherit'] });
  // A pager that is left before its end reads no more.
  child.stdin.on('error', () => {});
  child.stdin.end(text);
  const [code] = (await once(child, 'close')) as [number | null];
  return code !== SHELL_FOUND_NO_PROGRAM;
}

const SHELL_FOUND_NO_PROGRAM = 127;

const INTRODUCTION = `# The command line

\`tokenctl <noun> <verb>\`. A noun alone prints its help and exits 2; \`--help\` works everywhere. Data goes to stdout,
everything else to stderr. Token data is shown masked unless \`--reveal\` is given, keys and configuration values are not
shown at all. Prompts appear only when stdin is a terminal, no variable of a CI or an agent is set and \`--no-input\` is not given.

\`--json FIELDS\` accepts the fields of the result, and of nested objects with a dot. A field that the result never has is an
error with exit code 2: for the objects of the service before anything is sent, for other results when none of the fields is found.

## Which service, which key

The service, in this order: \`--base-url\`, \`TOKENCTL_BASE_URL\`, \`--profile\`, \`TOKENCTL_PROFILE\`, \`--data-dir\` or \`--local\`
when given, the project file (\`base_url\` or \`profile\` in \`tokenctl.json|yaml\`), the emulator running for this directory
(\`.tokenctl\` here or in the nearest parent, \`TOKENCTL_DATA_DIR\`), the current profile. \`--local\` uses the emulator in the
process itself. A command that writes prints the service on stderr (\`→ production https://…\`) unless \`--quiet\` is given. With
a profile made with \`--protected\` it asks first, and needs \`--yes\` when prompts are disabled.

The key: each operation's permission decides whether the management or the private key is used. They come from
\`--key-file\`, \`TOKENCTL_API_KEY\` (for everything), \`TOKENCTL_MANAGEMENT_KEY\` and \`TOKENCTL_PRIVATE_KEY\`, else the profile
or the emulator. A key is sent to the service it belongs to and to no other; no flag takes one. Keys in the environment are not
sent to a \`base_url\` that only the project file names. A state file of an emulator is used only if it belongs to the user,
no other user can write it, and its address is loopback. Over plain http, keys are sent only to this machine, unless
\`--insecure\` is given.

Also read: \`TOKENCTL_CONFIG_DIR\` (else \`XDG_CONFIG_HOME/tokenctl\`, \`%AppData%\`, \`~/.config/tokenctl\`),
\`TOKENCTL_HEADER_PREFIX\`, \`HTTP_PROXY\`, \`HTTPS_PROXY\`, \`NO_PROXY\`, \`NO_COLOR\`, \`TERM\`, \`CI\`. A flag overrides the
environment, which overrides the project file, which overrides the user's configuration.

Requests are retried up to 3 times after 408, 429, 5xx (but not a reactor's own error), a reset connection, and a
409 while an idempotency key is in flight; \`Retry-After\` is honoured up to 60 s. Every write carries an idempotency key.
`;

const EXITS: readonly [number, string][] = [
  [0, 'all of it worked'],
  [EXIT_CODES.failed, 'it failed (also: a reactor failed, some of several failed)'],
  [EXIT_CODES.usage, 'wrong usage, or the input is not valid (400, 415, 422)'],
  [EXIT_CODES.difference, '`diff --exit-code`, `verify`: there is a difference'],
  [EXIT_CODES.forbidden, '401, 403, or there is no key'],
  [EXIT_CODES.not_found, '404'],
  [EXIT_CODES.rate_limited, 'still rate limited after the retries'],
  [EXIT_CODES.timeout, 'timeout, or the service cannot be reached'],
  [EXIT_CODES.interrupted, 'interrupted'],
];

const block = (language: string, text: string): string => `\`\`\`${language}\n${text.trim()}\n\`\`\`\n`;

const steps = Object.entries(FIRST_STEPS).map(([purpose, command]) => `# ${purpose}\n${command}`);

/** Returns an empty string for a command without a noun. */
const nounOf = ({ name }: CommandRow): string => (name.includes(' ') ? name.replace(/ .*/, '') : '');

async function cliReference(loadDefinitions: LoadDefinitions): Promise<string> {
  const { commands, summaries } = await loadDefinitions();
  const rows = commands.filter(({ hidden }) => !hidden);
  const program = createProgram(async () => {}, rows, { summaries });
  const section = ({ name }: CommandRow) =>
    `### tokenctl ${name}\n\n${block('text', helpOf(name, program).replace(GLOBAL_OPTIONS, ''))}`;
  const nouns = [...new Set(rows.map(nounOf).filter(Boolean)), ''];
  const chapters = nouns.map((noun) => {
    const title = noun === '' ? '## Others\n' : `## ${noun}\n\n${summaries[noun]}.\n`;
    return [title, ...rows.filter((row) => nounOf(row) === noun).map(section)].join('\n');
  });
  return [
    INTRODUCTION,
    '## First steps\n',
    block('sh', steps.join('\n\n')),
    '## Exit codes\n',
    `| exit | meaning |\n| --- | --- |\n${EXITS.map((row) => `| ${row.join(' | ')} |\n`).join('')}`,
    '## Flags of every command\n',
    block('text', withGlobalOptionsHelp(program).helpInformation()),
    ...chapters,
  ].join('\n');
}
