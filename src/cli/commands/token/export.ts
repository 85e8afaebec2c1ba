import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { stringify } from 'csv-stringify/sync';
import { EXPORT_COLUMNS, toCells } from '../../bulk/csv-columns.js';
import { type BulkFormat, formatOf } from '../../bulk/rejects.js';
import type { Context } from '../../command.js';
import type { ExportOptions } from '../../flags/token-flags.js';
import { assertWritable, writeFileAtomically } from '../../lib/atomic-write.js';
import { countOf } from '../../lib/text.js';
import { stdoutFilter } from '../../output/output.js';
import { createProgress, type Progress } from '../../output/progress.js';
import { redact } from '../../output/redact.js';
import { parsePairs } from '../shared/input.js';
import { readTokens } from './bulk.js';

type Token = Record<string, unknown>;

async function* redactedTokens(
  { id, metadata, type, container, out }: ExportOptions,
  context: Context,
): AsyncGenerator<Token, void, void> {
  const { settings, output } = context;
  const query = { id, type, container, metadata: metadata && parsePairs(metadata, '--metadata') };
  let total = 0;
  const tokens = readTokens(
    (client, page) => client.call('tokens.list', { query: { ...query, ...page } }),
    (count) => (total = count),
    context,
  );
  let progress: Progress | undefined;
  // On a terminal, the tokens themselves show the progress.
  const isSeen = out === undefined && settings.terminal.stdout;
  try {
    for await (const token of tokens) {
      if (!isSeen) progress ??= createProgress(output, { unit: 'tokens', total });
      yield redact(token, 'tokens', settings.output.reveal) as Token;
      progress?.advance(1);
    }
  } finally {
    progress?.stop();
  }
}

async function* formatTokens(tokens: AsyncIterable<Token>, format: BulkFormat, onToken: () => void) {
  if (format === 'csv') yield stringify([[...EXPORT_COLUMNS]]);
  for await (const token of tokens) {
    yield format === 'csv' ? stringify([toCells(token)]) : `${JSON.stringify(token)}\n`;
    onToken();
  }
}

async function* mapText(texts: AsyncIterable<string>, map: (text: string) => string) {
  for await (const text of texts) yield map(text);
}

export async function run(options: ExportOptions, context: Context): Promise<void> {
  const { output, settings, signal } = context;
  const { out, format } = options;
  let count = 0;
  if (out !== undefined) await assertWritable(resolve(settings.cwd, out), '--out');
  const text = formatTokens(redactedTokens(options, context), formatOf(format, out), () => count++);
  if (out === undefined) {
    const { stdout } = process;
    const toPrintable = stdoutFilter({ isTTY: stdout.isTTY, inWorkflow: settings.output.inWorkflow });
    await pipeline(Readable.from(mapText(text, toPrintable)), stdout, { signal, end: false });
  } else await writeFileAtomically(resolve(settings.cwd, out), Readable.from(text), { signal });
  output.notice(`Exported ${countOf(count, 'token')}${out === undefined ? '' : ` to ${out}`}.`);
  if (!settings.output.reveal)
    output.notice('Data is masked. To export data that can be imported, use --reveal.');
}
