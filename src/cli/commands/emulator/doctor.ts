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
  await output.list(damages, {
    redaction: 'plain',
    columns: [
      { title: 'FILE', field: 'file' },
      { title: 'LINE', field: 'line', importance: 1 },
    ],
    empty: `No damage found in ${dataDir}.`,
  });
  if (damages.length === 0) return;
  if (!repair) {
    throw new CliError(
      'failed',
      `${damages.length} damaged ${damages.length === 1 ? 'place' : 'places'} in ${dataDir}.`,
      {
        hint: 'Keep the rest and move the damaged files to damaged/: tokenctl emulator doctor --repair',
      },
    );
  }
  output.notice(`Kept everything readable. The damaged files are in ${dataDir}/damaged.`);
}
