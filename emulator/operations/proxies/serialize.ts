import type { Proxy as ProxyObject } from '../../../src/contract/schemas/index.js';
import type { ProxyRecord } from '../../store/records.js';

/** Serializes a proxy for a response. */
export function serializeProxy(record: ProxyRecord): ProxyObject {
  const { id, tenant_id, key, name, destination_url, configuration, require_auth, ...rest } = record;
  const { request_transform, response_transform, application, ...authorship } = rest;
  const { created_by, created_at, modified_by, modified_at } = authorship;
  return {
    id,
    tenant_id,
    key,
    name,
    destination_url,
    ...(request_transform && { request_transform }),
    ...(response_transform && { response_transform }),
    configuration,
    ...(application && { application }),
    require_auth,
    ...(created_by !== undefined && { created_by }),
    created_at,
    ...(modified_by !== undefined && { modified_by }),
    ...(modified_at !== undefined && { modified_at }),
  };
}
