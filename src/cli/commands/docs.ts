import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Context } from '../command.js';
import { usageError } from '../lib/errors.js';
import { findNearest } from '../lib/nearest.js';
import { cliReference } from './docs/cli-reference.js';

const DIRECTORY = join(dirname(createRequire(import.meta.url).resolve('tokenctl/package.json')), 'docs');
/** The page that is no file: it is written from the command table. */
const CLI_REFERENCE = 'cli';

/** Prints a page of the documentation, on a terminal in the user's pager; without a topic, the list of the pages. */
export async function run({ topic }: { topic: string | undefined }, context: Context): Promise<void> {
  const files = (await readdir(DIRECTORY)).filter((name) => name.endsWith('.md'));
  const topics = [CLI_REFERENCE, ...files.map((name) => name.slice(0, -'.md'.length))].sort();
  if (topic === undefined) return await listTopics(topics, context);
  if (!topics.includes(topic)) {
    const nearest = findNearest(topic, topics);
    throw usageError(
      `There is no page '${topic}'.`,
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
  await context.output.list(pages, {
    redaction: 'plain',
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

/** Returns false if the pager cannot be started. */
async function page(text: string, command: string): Promise<boolean> {
  const child = spawn(command, { shell: true, stdio: ['pipe', 'inherit', 'inherit'] });
  // A pager that is left before its end reads no more.
  child.stdin.on('error', () => {});
  child.stdin.end(text);
  const [code] = (await once(child, 'close')) as [number | null];
  return code !== SHELL_FOUND_NO_PROGRAM;
}

const SHELL_FOUND_NO_PROGRAM = 127;
