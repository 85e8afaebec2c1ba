import pLimit from 'p-limit';
import { problem, validationProblem } from '../problems/problem.js';
import { DamagedError } from '../store/errors.js';
import { type Control, clockOf, tenantNotFound } from './control.js';
import type { ControlHandlers } from './handler.js';
import { restoreSnapshot } from './restore-snapshot.js';

type SnapshotHandlers = Pick<ControlHandlers, 'snapshots.list' | 'snapshots.save' | 'snapshots.restore'>;

function refuseDamaged(error: unknown): never {
  throw error instanceof DamagedError ? validationProblem({ name: [error.message] }) : error;
}

export function snapshotHandlers(control: Control): SnapshotHandlers {
  const { snapshots, store } = control.context;
  // A restore writes the log after the data: the log of one must not follow the data of the next.
  const oneByOne = pLimit(1);
  return {
    'snapshots.list': async ({ tenant }) => ({ snapshots: await snapshots.list(tenant) }),
    async 'snapshots.save'({ tenant, body }) {
      const now = new Date(clockOf(control, tenant).now());
      const info = await snapshots.save(body.name, now, tenant).catch(refuseDamaged);
      if (tenant === undefined || (await store.get('tenants', tenant, tenant))) return info;
      // The tenant was deleted, and its snapshots with it, before this one was stored.
      await snapshots.removeAll(tenant);
      throw tenantNotFound();
    },
    async 'snapshots.restore'({ tenant, path }) {
      if (await oneByOne(() => restoreSnapshot(control, path.name, tenant)).catch(refuseDamaged)) return;
      throw problem('notFound', 'There is no snapshot with this name.');
    },
  };
}
