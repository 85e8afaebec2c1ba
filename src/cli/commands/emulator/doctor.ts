import type { Context } from '../../command.js';
import { resolveDataDir } from '../../config/state-file.js';
import { checkDataDir } from '../../emulator/launch.js';
import { CliError } from '../../lib/errors.js';

export async function run(
  { repair = false }: { repair?: boolean | undefined },
  context: Context,
): Promise<void> {
  const { output, settings } = context;
  const dataDir = resolveDataDir(settings);
  const damages = await checkDataDir(dataDir, { repair });
  await output.result(damages, {
    redaction: 'plain',
    columns: [
      { title: 'FILE', field: 'file' },
      { title: 'LINE', field: 'line' },
    ],
    empty: `Everything in ${dataDir} can be read.`,
  });
  if (damages.length === 0) return;
  if (!repair) {
    throw new CliError('failed', `Of ${dataDir} ${damages.length} places cannot be read.`, {
      hint: '`tokenctl emulator doctor --repair` keeps the rest and puts the damaged files aside.',
    });
  }
  output.notice(`Kept what can be read; the damaged files are in ${dataDir}/damaged.`);
}
