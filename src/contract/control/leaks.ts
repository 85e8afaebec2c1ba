import * as z from 'zod';

/** Token data that appeared outside of the service. It holds no data itself. */
export const leak = z.strictObject({
  /** `stdout`, `metadata of token abc`, `file logs/app.log`. */
  place: z.string(),
  /** From 1; only of output and files. */
  line: z.int().optional(),
  token_id: z.string(),
  /** The name of the token's tenant, which is that of a test; absent for the first tenant of the run. */
  tenant: z.string().optional(),
  /** Property path of the value: `data.number`. */
  path: z.string(),
  form: z.string(),
  /** The text around it, masked. */
  excerpt: z.string(),
});

export type Leak = z.output<typeof leak>;
