import type { AccessDecision } from '../../src/contract/control/access.js';
import { Access } from '../access/access.js';
import { explainCheck, type ListCheck, type TokenCheck } from '../access/explain-check.js';
import { formatTimestamp } from '../lib/timestamps.js';
import type { CallChecks } from '../services/request-record/call-checks.js';
import { visibilityConditions } from './authorize.js';
import { type Context, contextOf } from './context.js';
import { unexpiredCondition } from './token-expiry.js';

const NAMED_TOKENS = 20;

/** Explains what the requests under a trace id were refused or shown. @returns undefined when none are known */
export async function explainAccess(traceId: string, context: Context, tenantId?: string) {
  const requests = context.records
    .events(tenantId, true)
    .filter((event) => event.kind === 'request')
    .filter((event) => event.trace_id === traceId);
  const recorded = context.records.calls(traceId, tenantId);
  if (requests.length === 0 && recorded.length === 0) return undefined;
  const calls = await Promise.all(
    recorded.map((call) => explainCall(call, contextOf(context, call.application.tenant_id))),
  );
  return { trace_id: traceId, requests, calls };
}

async function explainCall({ application, actor, startedAt, checks, cut }: CallChecks, context: Context) {
  const { id, name, type, permissions, tenant_id } = application;
  const decisions: AccessDecision[] = [];
  for (const check of checks) {
    const decision = explainCheck(check, application);
    decisions.push(decision);
    if (check.scope === 'list' && decision.granted) {
      const { total, decisions: leftOut } = await explainLeftOut(check, application, tenant_id, context);
      decision.left_out = total;
      decisions.push(...leftOut);
    }
  }
  return {
    application: { id, name, type },
    actor,
    time: formatTimestamp(startedAt),
    ...(!application.rules && permissions && { permissions }),
    decisions,
    cut,
  };
}

/** Finds the tokens that match the filters of a list and that no rule of the application covers. */
async function explainLeftOut(
  { filters, permission }: ListCheck,
  controls: CallChecks['application'],
  tenantId: string,
  { store, clock }: Context,
): Promise<{ total: number; decisions: AccessDecision[] }> {
  const [visible] = visibilityConditions(new Access(controls).containers(permission));
  if (visible === undefined) return { total: 0, decisions: [] };
  const { records, total } = await store.find('tokens', {
    tenantId,
    where: { all: [...filters, unexpiredCondition(clock.now()), { not: visible }] },
    limit: NAMED_TOKENS,
  });
  const groups = new Map<string, TokenCheck>();
  for (const { id, containers } of records) {
    const key = containers.join(' ');
    const check = groups.get(key) ?? { scope: 'any_container', permission, containers, tokenIds: [] };
    check.tokenIds.push(id);
    groups.set(key, check);
  }
  const decisions = [...groups.values()].map((check): AccessDecision => {
    return { ...explainCheck(check, controls), scope: 'left_out' };
  });
  return { total, decisions };
}
