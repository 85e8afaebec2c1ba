import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AdaptiveLimiter } from '../../bulk/adaptive-limiter.js';
import { formatTokens, readTokenPages } from '../../bulk/export-tokens.js';
import { PageReader } from '../../bulk/page-reader.js';
import type { BulkFormat } from '../../bulk/rejects.js';
import type { Context } from '../../command.js';
import type { ExportOptions } from '../../flags/token-flags.js';
import { writeFileAtomically } from '../../lib/atomic-write.js';
import { countOf } from '../../lib/count.js';
import { stdoutFilter } from '../../output/output.js';
import { createProgress, type Progress } from '../../output/progress.js';
import { redact } from '../../output/redact.js';
import { parsePairs } from '../shared/input.js';
import { bulkClient } from './bulk-client.js';

/** Pages in flight. */
const CONCURRENCY = 4;

function formatOf({ format, out }: ExportOptions): BulkFormat {
  if (format !== undefined) return format as BulkFormat;
  return out?.toLowerCase().endsWith('.csv') ? 'csv' : 'ndjson';
}

async function* redactedPages(
  { id, metadata, type, container, out }: ExportOptions,
  context: Context,
  onPage: (rows: number) => void,
): AsyncGenerator<object[], void, void> {
  const { settings, output, signal } = context;
  const query = { id, type, container, metadata: metadata && parsePairs(metadata, '--metadata') };
  const reader = new PageReader({
    createClient: (hooks) => bulkClient(hooks, context),
    limiter: new AdaptiveLimiter(CONCURRENCY, signal),
    fetchPage: (client, page) => client.call('tokens.list', { query: { ...query, ...page } }),
    ahead: CONCURRENCY,
  });
  let progress: Progress | undefined;
  let total = 0;
  // On a terminal, the tokens themselves show the progress.
  const isSeen = out === undefined && settings.terminal.stdout;
  try {
    for await (const tokens of readTokenPages(reader, (count) => (total = count))) {
      if (!isSeen) progress ??= createProgress(output, { unit: 'tokens', total });
      yield tokens.map((token) => redact(token, 'tokens', settings.output.reveal) as object);
      onPage(tokens.length);
      progress?.advance(tokens.length);
    }
  } finally {
    progress?.stop();
  }
}

async function* mapText(texts: AsyncIterable<string>, map: (text: string) => string) {
  for await (const text of texts) yield map(String(text));
}

export async function run(options: ExportOptions, context: Context): Promise<void> {
  const { output, settings, signal } = context;
  let rows = 0;
  const pages = redactedPages(options, context, (more) => {
    rows += more;
  });
  const text = Readable.from(formatTokens(pages, formatOf(options)));
  if (options.out === undefined) {
    const stdout = output.stream();
    const printable = Readable.from(
      mapText(text, stdoutFilter({ isTTY: stdout.isTTY, inWorkflow: settings.output.inWorkflow })),
    );
    await pipeline(printable, stdout, { signal, end: false });
  } else await writeFileAtomically(resolve(settings.cwd, options.out), text, { signal });
  output.notice(
    `Exported ${countOf(rows, 'token')}${options.out === undefined ? '' : ` to ${options.out}`}.`,
  );
  if (!settings.output.reveal)
    output.notice('Data is masked. To export data that can be imported, use --reveal.');
}
