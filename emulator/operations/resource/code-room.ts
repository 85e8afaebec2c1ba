import { LIMITS } from '../../../src/contract/limits.js';
import { estimateBytes } from '../../lib/recent-items.js';
import { problem } from '../../problems/problem.js';
import type { ProxyRecord, ReactorRecord } from '../../store/records.js';
import type { Context } from '../context.js';

type CodeRecord = ReactorRecord | ProxyRecord;

/** The bytes of stored records, which never change. */
const known = new WeakMap<CodeRecord, number>();

/**
 * Bounds the code and configurations of a tenant, all of which are in memory (decisions.md, "Shares and damage").
 * @param record of a reactor or proxy, about to be stored
 * @throws ProblemError 507
 */
export async function assertCodeRoom(record: CodeRecord, { store }: Pick<Context, 'store'>): Promise<void> {
  const { tenant_id: tenantId, id } = record;
  const stored = await Promise.all([
    store.find('reactors', { tenantId }),
    store.find('proxies', { tenantId }),
  ]);
  let bytes = estimateBytes(record);
  for (const one of stored.flatMap(({ records }): CodeRecord[] => records))
    if (one.id !== id) bytes += knownBytes(one);
  if (bytes <= LIMITS.tenantCodeBytes) return;
  const detail = `The code and configurations of a tenant may have ${LIMITS.tenantCodeBytes} bytes together.`;
  throw problem('storageFull', detail);
}

function knownBytes(record: CodeRecord): number {
  const bytes = known.get(record) ?? estimateBytes(record);
  known.set(record, bytes);
  return bytes;
}
