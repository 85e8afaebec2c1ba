import type { HostServices } from '../host/services.js';
import type { GuestRequest, GuestResult, ReactorSource } from '../protocol.js';

/** One loaded reactor. Implemented by both runtimes, QuickJS and Node.js. */
export interface Guest {
  /** Sets the difference between the machine's clock and what `Date` returns. Milliseconds. */
  setClock(offsetMs: number): void;
  /** Compiles the code and runs its top level. @returns undefined if there is a function to call */
  load(source: ReactorSource, services: HostServices): Promise<GuestResult | undefined>;
  call(request: GuestRequest, services: HostServices): Promise<GuestResult>;
  /** False if the guest may be in a state that the next invocation would notice. */
  readonly isReusable: boolean;
  memoryBytes(): number;
  /** Lets the next guest of the thread have the memory. Called when nothing of this guest runs or can run any more. */
  dispose?(): void;
}
