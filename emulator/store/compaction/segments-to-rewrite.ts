import type { Journal } from '../wal/journal.js';
import type { Segment } from '../wal/segment.js';

/** Share of dead bytes above which a segment is rewritten. */
const DEAD_SHARE = { busy: 0.5, idle: 0.15 };
/** This many small segments are merged. */
const SMALL_SEGMENTS = 8;
const SMALL_BYTES = 512 * 1024;
/** Segments with unbound values that are rewritten in a round. */
const UNBOUND_SEGMENTS = 4;

/** How much there is to do besides. A store that is being closed rewrites nothing that could stay. */
export type Activity = 'busy' | 'idle' | 'closing';

/** Chooses the segments that are worth rewriting. */
export function segmentsToRewrite({ segments, activeId }: Journal, activity: Activity): Segment[] {
  const closed = [...segments.values()].filter(({ id, isDamaged }) => id !== activeId && !isDamaged);
  const deadShare = DEAD_SHARE[activity === 'idle' ? 'idle' : 'busy'];
  const small = closed.filter(({ size }) => size < SMALL_BYTES);
  const unbound = closed
    .filter(({ hasUnbound }) => hasUnbound && activity !== 'closing')
    .slice(0, UNBOUND_SEGMENTS);
  return closed.filter(
    (segment) =>
      segment.dead > segment.size * deadShare ||
      (small.length >= SMALL_SEGMENTS && small.includes(segment)) ||
      unbound.includes(segment),
  );
}
