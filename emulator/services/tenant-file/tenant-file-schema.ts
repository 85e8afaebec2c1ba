import * as z from 'zod';
import { type OperationId, operationOf } from '../../../src/contract/operations.js';
import { type Noun, RESOURCES } from '../../../src/contract/resources.js';
import { operationSchemas } from '../../../src/contract/schemas/index.js';
import { tenantSettings } from '../../../src/contract/schemas/tenants.js';
import { tokenDataSchemas } from '../../../src/contract/schemas/token-data.js';
import { isTokenId, TOKEN_ID_RULE } from '../../../src/contract/schemas/tokens.js';
import { TOKEN_TYPE_NAMES } from '../../../src/contract/token-types.js';
import { fieldErrors } from '../../../src/contract/validation.js';

/** The only format so far. */
export const TENANT_FILE_FORMAT = 1;

const text = z.string('must be a string');
const time = text.refine(
  (value) => !Number.isNaN(Date.parse(value)),
  'must be a timestamp as the API formats it',
);
const listOf = <Item extends z.ZodType>(item: Item) => z.array(item, 'must be an array');

const record = z.looseObject(
  { id: text, created_at: time, created_by: text.optional(), modified_by: text.optional() },
  'must be an object',
);
const owned = record.extend({ tenant_id: text });

/** What the service adds to a tenant. The secret is absent from early files. */
const tenant = record.extend({
  name: text,
  settings: tenantSettings,
  fingerprint_key: text.min(1, 'must not be empty'),
  webhook_secret: text.optional(),
});

/** What the service adds to the records of resources. */
const ADDED: { readonly [N in Noun]?: z.ZodRawShape } = {
  application: {
    keys: listOf(z.looseObject({ id: text, hash: text, expires_at: time.optional() })).optional(),
  },
  proxy: { key: text },
};

/** Early files have no other collections. */
const ALWAYS: readonly Noun[] = ['application', 'reactor'];

const resources = Object.values(RESOURCES).map((row) => {
  const records = listOf(acceptedBy(operationOf(row, 'create'), owned.extend(ADDED[row.noun] ?? {})));
  return [row.collection, ALWAYS.includes(row.noun) ? records : records.optional()];
});

const token = owned.extend({
  id: text.refine(isTokenId, `must be ${TOKEN_ID_RULE}`),
  type: z.enum(TOKEN_TYPE_NAMES, `must be one of ${TOKEN_TYPE_NAMES.join(', ')}`),
  containers: listOf(text),
  search_values: listOf(text).optional(),
  fingerprint: text.optional(),
  modified_at: time.optional(),
  expires_at: time.optional(),
  cvc_expires_at: time.optional(),
  creation_order: z.number().optional(),
});

/** Checks what a record has from the request that created it: the file may hold what the service would have accepted. */
function acceptedBy<Schema extends z.ZodType<object>>(id: OperationId, schema: Schema) {
  const body = operationSchemas(id).body as z.ZodObject;
  const fields = Object.keys(body.shape);
  return schema.superRefine((value: object, context) => {
    const given = Object.entries(value).filter(([name]) => fields.includes(name));
    addErrors(context, body.safeParse(Object.fromEntries(given)));
  });
}

function addErrors(
  context: z.core.$RefinementCtx,
  { error }: z.ZodSafeParseResult<unknown>,
  path = '',
): void {
  const errors = error ? fieldErrors(error) : {};
  for (const [name, messages] of Object.entries(errors))
    for (const message of messages)
      context.addIssue({ code: 'custom', path: [...(path ? [path] : []), ...(name ? [name] : [])], message });
}

/** What the service could not read or change again if it were stored. */
export const tenantFileSchema = z.looseObject(
  {
    tenant_file: z.literal(TENANT_FILE_FORMAT, `must be ${TENANT_FILE_FORMAT}`),
    tenant,
    ...Object.fromEntries(resources),
    tokens: listOf(
      acceptedBy('tokens.create', token).superRefine(({ type, data }, context) =>
        addErrors(context, tokenDataSchemas[type].safeParse(data), 'data'),
      ),
    ),
    settings: listOf(z.looseObject({ id: text }, 'must be an object')).optional(),
  },
  'must be an object',
);
