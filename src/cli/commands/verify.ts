import { randomBytes } from 'node:crypto';
import type { Client } from '../../client/index.js';
import type { Context } from '../command.js';
import { openReference } from '../emulator/in-process-client.js';
import { CliError, usageError } from '../lib/errors.js';
import type { Style } from '../output/style.js';
import { STEPS } from '../verify/steps.js';
import type { ObservedResponse } from '../verify/transcript.js';
import { listLeaves, recordTranscript } from '../verify/transcript.js';

export async function run({ remote }: { remote?: boolean | undefined }, { client, output, signal }: Context) {
  if (!remote)
    throw usageError(
      '--remote is missing.',
      'verify creates tokens and a reactor on the service and deletes them again. Confirm with --remote.',
    );
  const mark = `tokenctl-verify-${randomBytes(4).toString('hex')}`;
  const reference = await openReference(signal);
  try {
    const { transport } = await client.connection();
    await copySettings(reference, client);
    const [here, there] = [await recordTranscript(reference, mark), await recordTranscript(client, mark)];
    const steps = compareResponses(here, there);
    const report = { version: 1, target: transport.url, steps };
    await output.plain(report, { render });
    failOnDifference(steps);
  } finally {
    await reference.close();
  }
}

async function copySettings(reference: Client, client: Client): Promise<void> {
  const { name, settings } = await client.call('tenants.get', {});
  await reference.call('tenants.update', { body: { name, settings } });
}

function failOnDifference(steps: readonly StepComparison[]): void {
  const differing = steps.filter(({ differences }) => differences.length > 0);
  if (differing.length === 0) return;
  throw new CliError('difference', `${differing.length} of ${steps.length} steps differ.`);
}

function render({ steps }: { steps: StepComparison[] }, style: Style): string {
  return steps
    .flatMap(({ step, differences }) => [
      `${differences.length === 0 ? style.green('✓') : style.red('✗')} ${step}`,
      ...differences.map(
        ({ path, emulator, remote }) => `    ${style.bold(path)}: emulator ${emulator}, remote ${remote}`,
      ),
    ])
    .join('\n');
}

type StepComparison = ReturnType<typeof compareResponses>[number];

const ABSENT = 'absent';

function findDifferences(emulator: ObservedResponse, remote: ObservedResponse) {
  const [here, there] = [listLeaves(emulator), listLeaves(remote)];
  return [...new Set([...here.keys(), ...there.keys()])]
    .filter((path) => here.get(path) !== there.get(path))
    .map((path) => ({ path, emulator: here.get(path) ?? ABSENT, remote: there.get(path) ?? ABSENT }));
}

export function compareResponses(emulator: readonly ObservedResponse[], remote: readonly ObservedResponse[]) {
  return STEPS.map(({ name, operation }, i) => {
    const [here, there] = [emulator[i], remote[i]];
    return { step: name, operation, differences: here && there ? findDifferences(here, there) : [] };
  });
}
