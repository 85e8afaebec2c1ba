/** Ends a program and what it started. It must have been started as `detached`, which makes it the leader of a group. */
export function endProcessGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGKILL');
  } catch {
    // Nothing of it runs any more.
  }
}

/** Programs that may leave processes running, such as an emulator in the background, until `end`. */
export class ProcessGroups {
  readonly #leaders = new Set<number>();
  readonly #end = () => this.end();

  constructor() {
    process.once('exit', this.#end);
  }

  add(leader: number): void {
    this.#leaders.add(leader);
  }

  /** Ends whatever still runs. */
  end(): void {
    for (const leader of this.#leaders) endProcessGroup(leader);
    this.#leaders.clear();
    process.off('exit', this.#end);
  }
}
