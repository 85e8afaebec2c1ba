import * as z from 'zod';
import { isHttpUrl } from '../emulator-options.js';
import { timestamp } from '../schemas/common.js';

const MAX_REDIRECTS = 100;
/** `api.example.com`, `*.example.com`, `[::1]`, each with or without `:port`, or `*` for all but this machine. */
const HOST = /^(?:\*|(?:\*\.)?[\w.-]+(?::\d{1,5})?|\[[\da-f:.]+\](?::\d{1,5})?)$/i;

/** Origins to connect to in place of hosts: `{ 'api.example.com': 'http://127.0.0.1:4010' }`. The first that matches is used. */
export const redirects = z
  .record(
    z.string().regex(HOST, 'must be a host such as api.example.com, *.example.com, or *'),
    z.string().refine(isHttpUrl, 'must be an http or https URL, such as http://127.0.0.1:4010'),
  )
  .refine((hosts) => Object.keys(hosts).length <= MAX_REDIRECTS, `must be at most ${MAX_REDIRECTS} hosts`);

/** A request that the emulator sent for a tenant, without headers and bodies. */
export const outboundCall = z.strictObject({
  source: z.enum(['reactor', 'proxy', 'callback', 'webhook']),
  time: timestamp,
  /** Of the request that caused it. Absent for deliveries. */
  trace_id: z.string().optional(),
  method: z.string(),
  /** Masked; of a proxy, the destination without the path of the request. */
  url: z.string(),
  status: z.int().optional(),
  error: z.string().optional(),
  duration_ms: z.number().min(0),
});

export type Redirects = Readonly<z.output<typeof redirects>>;
export type OutboundCall = z.output<typeof outboundCall>;
