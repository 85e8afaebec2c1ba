import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Context } from '../../../command.js';
import { usageError } from '../../../lib/errors.js';
import { withControl } from '../../shared/running-emulator.js';

export async function run({ file }: { file: string }, context: Context): Promise<void> {
  const content = await readTenantFile(resolve(context.settings.cwd, file), file);
  await withControl(context, (control) => control.call('PUT', '/tenants/file', content));
  context.output.notice(`The tenant of ${file} is in; \`tokenctl emulator keys\` shows its keys.`);
}

async function readTenantFile(path: string, file: string): Promise<unknown> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw usageError(`${file} cannot be read: ${error.code}.`);
  });
  try {
    return JSON.parse(text);
  } catch {
    throw usageError(`${file} is not JSON.`);
  }
}
