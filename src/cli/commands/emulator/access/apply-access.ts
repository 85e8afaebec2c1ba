import { resolve } from 'node:path';
import type { Application, OperationInput } from '../../../../contract/schemas/index.js';
import type { Context } from '../../../command.js';
import { createInProcessClient } from '../../../emulator/in-process-client.js';
import type { AccessByName, Emulator } from '../../../emulator/launch.js';
import { CliError } from '../../../lib/errors.js';
import { readApplications } from '../../../lib/lookup.js';

/** Returns what an application may do, by its name. */
export function accessByName(
  applications: readonly Pick<Application, 'name' | 'permissions' | 'rules'>[],
): AccessByName {
  const entries = applications.map(({ name, permissions = [], rules }) => {
    // The label of a rule has no effect.
    const access = rules ? { rules: rules.map(({ description: _, ...rule }) => rule) } : { permissions };
    return [name, access] as const;
  });
  return new Map(entries);
}

/** Reads the permissions and rules that a manifest declares for applications. @throws {CliError} */
export async function readAccess(file: string, { settings }: Context): Promise<AccessByName> {
  // Goal S4: the schema of the manifest would be a tenth of the start of `emulator exec`.
  const { readManifest } = await import('../../../manifest/manifest.js');
  const { content } = await readManifest(
    resolve(settings.cwd, file),
    settings.environment,
    `--access ${file}`,
  );
  const { applications = [] } = content;
  return accessByName(applications.filter(({ permissions, rules }) => permissions ?? rules));
}

/**
 * Gives applications of an emulator the permissions or rules of the same name, the seeded ones included. Those that do not
 * exist yet are left out: their creator decides what they may do.
 * @returns the names of the others
 */
export async function applyAccess(
  access: AccessByName,
  emulator: Emulator,
  context: Context,
): Promise<ReadonlySet<string>> {
  const client = createInProcessClient({ ...emulator, close: async () => {} }, context.signal);
  const applications = await readApplications(client);
  const known = applications.filter(({ name }) => access.has(name));
  if (access.size > 0 && known.length === 0)
    throw new CliError(
      'usage',
      `None of the applications in --access exists: ${[...access.keys()].join(', ')}.`,
      {
        hint: `Applications of the emulator: ${applications.map(({ name }) => name).join(', ')}. More can come from --seed.`,
      },
    );
  // The key that changes the others loses that permission last.
  const isOwn = ({ name, type }: Application) => name === 'management' && type === 'management';
  for (const { id, name } of known.toSorted((a, b) => Number(isOwn(a)) - Number(isOwn(b)))) {
    const body = { name, ...access.get(name) } as OperationInput<'applications.update'>['body'];
    await client.call('applications.update', { path: { id }, body });
  }
  return new Set(known.map(({ name }) => name));
}
