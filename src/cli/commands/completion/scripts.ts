import { readFile } from 'node:fs/promises';
import { packageFile } from '../../../contract/files.js';
import type { Context } from '../../command.js';

/** Prints the completion script of a shell. All call `tokenctl __complete` with the words typed. */
export async function run({ shell }: { shell: string }, { output }: Context) {
  const extension = shell === 'powershell' ? 'ps1' : shell;
  output.text(await readFile(packageFile(`#completion/tokenctl.${extension}`), 'utf8'));
}
