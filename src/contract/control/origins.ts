import * as z from 'zod';
import { ORIGIN, ORIGIN_RULE } from './origin-rule.js';

export const allowedOrigin = z.strictObject({ origin: z.string().regex(ORIGIN, ORIGIN_RULE) });

/** The origins whose pages may call the operations of the service. */
export const allowedOrigins = z.strictObject({ origins: z.array(z.string()) });
