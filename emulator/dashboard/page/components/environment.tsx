import { callControl } from '../api/control-client.js';
import { formatOffset, roundOffset } from '../format.js';
import { useClock } from '../hooks/clock.js';
import { useReloadOn } from '../hooks/events.js';
import { useResource } from '../hooks/resource.js';
import { useWorkbench } from '../hooks/workbench.js';

/** What makes the emulator behave unlike a fresh one: a clock that was moved, and faults. */
export function Environment() {
  const { value: clock } = useClock();
  const { scope } = useWorkbench();
  const { value: faults, reload } = useResource(() => callControl('faults.list', { tenant: scope }), [scope]);
  useReloadOn(({ kind }) => kind === 'faults' || kind === 'reset', reload);
  const offset = clock ? formatOffset(roundOffset(clock.offset_ms)) : '';
  const count = faults?.faults.length ?? 0;
  return (
    <>
      {(offset || clock?.frozen) && (
        <a class="chip" href="#/clock">
          clock {[offset, clock?.frozen && 'frozen'].filter(Boolean).join(', ')}
        </a>
      )}
      {count > 0 && (
        <a class="chip" data-tone="warn" href="#/faults">
          {count === 1 ? '1 fault' : `${count} faults`}
        </a>
      )}
    </>
  );
}
