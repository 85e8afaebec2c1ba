import type { Context } from '../../command.js';
import { withControl } from '../shared/running-emulator.js';

export async function allowOrigin({ origin }: { origin: string }, context: Context): Promise<void> {
  await withControl(context, (control) => control.call('origins.add', { body: { origin } }));
  context.output.notice(`Pages of ${origin} may call the service until the emulator stops.`);
}

export async function listOrigins(_options: object, context: Context): Promise<void> {
  const { origins } = await withControl(context, (control) => control.call('origins.list'));
  await context.output.list(
    origins.map((origin) => ({ origin })),
    {
      redaction: 'plain',
      columns: [{ title: 'ORIGIN', field: 'origin' }],
      empty: 'No other origins are allowed.',
    },
  );
}

export async function removeOrigin({ origin }: { origin: string }, context: Context): Promise<void> {
  await withControl(context, (control) => control.call('origins.remove', { query: { origin } }));
  context.output.notice(`Pages of ${origin} may no longer call the service.`);
}
