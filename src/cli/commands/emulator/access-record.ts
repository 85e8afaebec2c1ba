import { resolve } from 'node:path';
import type { Context } from '../../command.js';
import type { RecordedAccess } from '../../emulator/launch.js';
import type { Options } from '../../flags/flag.js';
import { writeFileAtomically } from '../../lib/atomic-write.js';
import { CliError } from '../../lib/errors.js';
import type { ManifestContent } from '../../manifest/schema.js';
import { type CommandOptions, runCommand, withTemporaryEmulator } from './temporary-emulator.js';

type RecordOptions = CommandOptions & Options<'out'>;

const STDERR = 2;
const FILE_MODE = 0o666;

/** Writes the permissions or rules that a command needed, by application; nothing if the command fails. */
export async function run(options: RecordOptions, context: Context): Promise<number> {
  const { command, out } = options;
  const { code, recorded } = await withTemporaryEmulator(
    options,
    { purpose: 'tokenctl emulator access record' },
    context,
    async ({ emulator, env }) => {
      const recording = emulator.recordAccess();
      // Standard output is for the manifest, unless that goes to a file.
      const code = await runCommand(command, env, context, out === undefined ? { stdout: STDERR } : {});
      return { code, recorded: recording() };
    },
  );
  if (code !== 0) {
    context.output.warn(`The command failed, so the access that it needs was not written.`);
    return code;
  }
  if (recorded.length === 0)
    throw new CliError('failed', 'The command sent the emulator no request that needs a permission.', {
      hint: 'The emulator is the target of TOKENCTL_BASE_URL, with the keys TOKENCTL_MANAGEMENT_KEY, TOKENCTL_PRIVATE_KEY and TOKENCTL_PUBLIC_KEY.',
    });
  await write(await formatManifest(recorded), out, context);
  return 0;
}

async function formatManifest(applications: readonly RecordedAccess[]): Promise<string> {
  const { default: yaml } = await import('yaml');
  const content: ManifestContent = { applications: applications.map((application) => ({ ...application })) };
  return `# Written by \`tokenctl emulator access record\`: what the recorded command needed, and no more.\n${yaml.stringify(content, { lineWidth: 0 })}`;
}

async function write(text: string, out: string | undefined, { output, settings }: Context): Promise<void> {
  if (out === undefined) {
    output.text(text);
    return;
  }
  await writeFileAtomically(resolve(settings.cwd, out), text, { mode: FILE_MODE });
  output.notice(`Wrote ${out}.`);
}
