import { problem } from '../problems/problem.js';
import { type Control, restoreSnapshot } from './control.js';
import type { ControlHandlers } from './handler.js';

type SnapshotHandlers = Pick<ControlHandlers, 'snapshots.list' | 'snapshots.save' | 'snapshots.restore'>;

export function snapshotHandlers(control: Control): SnapshotHandlers {
  const { snapshots, clock } = control;
  return {
    'snapshots.list': async () => ({ snapshots: await snapshots.list() }),
    'snapshots.save': ({ body }) => snapshots.save(body.name, new Date(clock.now())),
    async 'snapshots.restore'({ path }) {
      if (await restoreSnapshot(control, path.name)) return;
      throw problem('notFound', 'There is no snapshot with this name.');
    },
  };
}
