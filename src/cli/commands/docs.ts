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
    await readFile(packageFile('#docs/introduction.md'), 'utf8'),
    '## First steps\n',
    block('sh', steps.join('\n\n')),
    '## Exit codes\n',
    `| exit | meaning |\n| --- | --- |\n${EXITS.map((row) => `| ${row.join(' | ')} |\n`).join('')}`,
    '## Flags of every command\n',
    block('text', withGlobalOptionsHelp(program).helpInformation()),
    ...chapters,
  ].join('\n');
}
