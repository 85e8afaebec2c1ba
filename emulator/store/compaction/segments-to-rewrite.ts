import type { Journal } from '../wal/journal.js';
import type { Segment } from '../wal/segment.js';

/** Share of dead bytes above which a segment is rewritten. */
const DEAD_SHARE = { busy: 0.5, idle: 0.15 };
/**
 * Dead bytes that a busy store leaves in segments with live lines. Entries of the audit log stop counting in the order in which
 * they were written, so that a segment of many reads is soon without a live line, and costs nothing to remove.
 */
const DEAD_BYTES_WHEN_BUSY = 32 * 1024 * 1024;
/** This many small segments are merged. */
const SMALL_SEGMENTS = 8;
const SMALL_BYTES = 512 * 1024;

/** How much there is to do besides. A store that is being closed rewrites nothing that could stay. */
export type Activity = 'busy' | 'idle' | 'closing';

/** Chooses the segments that are worth rewriting. */
export function segmentsToRewrite({ segments, activeId }: Journal, activity: Activity): Segment[] {
  const closed = [...segments.values()].filter(({ id, isDamaged }) => id !== activeId && !isDamaged);
  const deadShare = DEAD_SHARE[activity === 'idle' ? 'idle' : 'busy'];
  const dead = closed.reduce((sum, segment) => sum + segment.dead, 0);
  const leavesDead = activity === 'busy' && dead <= DEAD_BYTES_WHEN_BUSY;
  const small = closed.filter(({ size }) => size < SMALL_BYTES);
  return closed.filter(
    (segment) =>
      segment.dead >= segment.size ||
      (segment.dead > segment.size * deadShare && !leavesDead) ||
      (small.length >= SMALL_SEGMENTS && small.includes(segment)),
  );
}
