import * as z from 'zod';
import { stringMap } from '../../src/contract/schemas/common.js';
import type { Document } from '../../src/contract/schemas/index.js';
import { fieldErrors } from '../../src/contract/validation.js';
import { RequestBudget } from '../expressions/index.js';
import { SMALL_BYTES } from '../lib/turns.js';
import { validationProblem } from '../problems/problem.js';
import { COSTS } from '../services/admission.js';
import type { TokenRecord } from '../store/records.js';
import { requirePermissionOnAny } from './authorize.js';
import type { Handlers } from './context.js';
import { createTokens } from './tokens/create.js';
import { deleteWith } from './tokens/delete.js';
import { prepareToken } from './tokens/prepare-token.js';
import { recordTokenAccess } from './tokens/record-access.js';

// Documents are tokens of type `document`: stored, listed, used, counted and erased as others are.

/** @throws ProblemError 400 for a form without a file, or with metadata that are not strings */
async function readForm(body: Response) {
  const form = await body.formData().catch(() => {
    throw validationProblem({ body: ['must be a form, multipart/form-data with its boundary'] });
  });
  const file = form.get('document');
  if (file === null || typeof file === 'string') throw validationProblem({ document: ['must be a file'] });
  const { metadata } = readRequest(form.get('request') ?? '{}');
  const content = Buffer.from(await file.arrayBuffer()).toString('base64');
  return { data: { content_type: file.type || 'application/octet-stream', content }, metadata };
}

const REQUEST = z.strictObject({ metadata: stringMap.nullish() });

function readRequest(text: unknown): z.output<typeof REQUEST> {
  let request: unknown;
  try {
    request = JSON.parse(String(text));
  } catch {
    throw validationProblem({ request: ['must be JSON'] });
  }
  const { data, error } = REQUEST.safeParse(request);
  if (error) throw validationProblem(fieldErrors(error, ['request'], REQUEST));
  return data;
}

const dataOf = ({ data }: TokenRecord) => data as { content_type: string; content: string };

function serialize(record: TokenRecord): Document {
  const { id, tenant_id, metadata, created_by, created_at } = record;
  const { content_type } = dataOf(record);
  return { id, tenant_id, ...(metadata && { metadata }), content_type, ...{ created_by, created_at } };
}

export const documentHandlers = {
  async 'documents.upload'({ body }, call, context) {
    const { data, metadata } = await readForm(body);
    const budget = new RequestBudget(context.clock.now(), call.tenant.id);
    const create = {
      type: 'document' as const,
      data,
      ...(metadata && { metadata }),
      deduplicate_token: false,
    };
    const token = await prepareToken(create, call, context, budget);
    await createTokens([token], call, context, 'documents:create');
    return { status: 201, body: serialize(token.record) };
  },
  async 'documents.get'({ resource }, call, context) {
    requirePermissionOnAny('documents:read', resource, call);
    recordTokenAccess('read', [resource], 'mask', call, context);
    return { status: 200, body: serialize(resource) };
  },
  async 'documents.download'({ resource }, call, context) {
    requirePermissionOnAny('documents:reveal', resource, call);
    recordTokenAccess('read', [resource], 'reveal', call, context);
    const { content_type, content } = dataOf(resource);
    if (content.length > SMALL_BYTES) await call.charge?.raise(content.length * COSTS.response);
    // A page must not run with the origin of the emulator and its dashboard.
    const headers = { 'content-type': content_type, 'content-security-policy': 'sandbox' };
    return { status: 200, body: Buffer.from(content, 'base64'), headers };
  },
  'documents.delete': deleteWith('documents:delete'),
} satisfies Partial<Handlers>;
