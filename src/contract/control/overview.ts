import * as z from 'zod';
import { timestamp } from '../schemas/common.js';
import { schemas } from '../schemas/index.js';

const named = z.strictObject({ id: z.string(), name: z.string() });

const reactor = named.extend({ created_at: timestamp, modified_at: timestamp.optional() });

/** What the dashboard shows of one tenant. Reading it leaves no trace: no audit entry, no activity. */
export const overview = z.strictObject({
  tenants: z.array(named),
  tenant: named.extend({ settings: schemas['tenants.get'].responses[200].shape.settings }),
  usage: schemas['tenants.usage'].responses[200].shape.token_report,
  /** The newest tokens, masked whatever their application may see. */
  tokens: z.strictObject({
    total: z.int(),
    newest: z.array(schemas['tokens.get'].responses[200]),
  }),
  reactors: z.strictObject({ total: z.int(), newest: z.array(reactor) }),
  applications: z.int(),
  /** The prefix of the names of the service's headers. */
  header_prefix: z.string(),
});

export type Overview = z.output<typeof overview>;
