import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { type Client, createClient } from '../client/client.js';
import type { Context } from '../context.js';
import { CliError, usageError } from '../failure.js';
import { localTransport, openEmulator } from '../local.js';
import type { Style } from '../output/style.js';
import { keyFor } from '../settings/target.js';
import { type Answered, play } from './verify/play.js';
import { STEPS } from './verify/steps.js';

interface Comparison {
  step: string;
  same: boolean;
  emulator?: Answered;
  remote?: Answered;
}

/** Plays the same steps on an emulator of this process and on the target; exit code 3 when an answer differs. */
export async function run({ remote }: { remote?: boolean | undefined }, context: Context): Promise<void> {
  if (!remote)
    throw usageError(
      '--remote is missing.',
      'It creates a token and a reactor on the target, and deletes them again.',
    );
  const { client, output } = context;
  const id = randomBytes(6).toString('hex');
  const theirs = await play(id, client);
  const ours = await withEmulator(context, (emulator) => play(id, emulator));
  const compared = STEPS.map(({ name }, index) => compare(name, ours[index], theirs[index]));
  await output.result(compared, { holds: 'plain', render });
  const differences = compared.filter(({ same }) => !same).length;
  if (differences > 0)
    throw new CliError(
      'difference',
      `${differences} of ${STEPS.length} answers differ from the emulator's.`,
      {
        hint: 'docs/fidelity.md says what is specified, and what was decided where the specification is silent.',
      },
    );
}

function compare(step: string, emulator: Answered | undefined, remote: Answered | undefined): Comparison {
  const same = isDeepStrictEqual(emulator, remote);
  return same || !emulator || !remote ? { step, same } : { step, same, emulator, remote };
}

async function withEmulator<Result>(
  { signal }: Context,
  act: (client: Client) => Promise<Result>,
): Promise<Result> {
  const emulator = await openEmulator({ memory: true, rateLimit: false });
  const client = createClient({
    connect: async () => ({
      transport: localTransport(emulator, 'the emulator'),
      apiKey: (permission) => keyFor(emulator.keys, permission),
    }),
    signal,
    // A failing reactor is meant to fail.
    retries: 0,
  });
  try {
    return await act(client);
  } finally {
    await client.close();
  }
}

function render(compared: Comparison[], style: Style): string {
  return compared
    .map(({ step, same, emulator, remote }) => {
      if (same) return `${style.green('✓')} ${step}`;
      const lines = [`  emulator: ${JSON.stringify(emulator)}`, `  remote:   ${JSON.stringify(remote)}`];
      return [`${style.red('✗')} ${step}`, ...lines].join('\n');
    })
    .join('\n');
}
