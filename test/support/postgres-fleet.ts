import { type Answer, type Call, call } from './call.js';
import { type EmulatorOptions, type RunningEmulator, startEmulator } from './emulator.js';
import { DATA_KEY } from './postgres-store.js';

/** Several emulators on one database, each with what it has in memory of its own. */
export class Fleet {
  readonly emulators: RunningEmulator[] = [];
  readonly #errors: string[] = [];
  readonly #options: EmulatorOptions;
  #requests = 0;

  private constructor(options: EmulatorOptions) {
    this.#options = options;
  }

  static async start(storeUrl: string, size = 3, options: EmulatorOptions = {}): Promise<Fleet> {
    const fleet = new Fleet({ storeUrl, rateLimit: false, ...options });
    // At the same time: the first one seeds the database.
    await Promise.all(Array.from({ length: size }, () => fleet.add()));
    return fleet;
  }

  /** The errors that any of the emulators logged. */
  get errors(): readonly string[] {
    return this.#errors;
  }

  async add(): Promise<RunningEmulator> {
    const error = (message: string, cause?: unknown) => this.#errors.push(`${message}: ${String(cause)}`);
    const logger = { info: () => {}, warn: () => {}, error };
    const options = { port: 0, dataKey: async () => DATA_KEY, logger, ...this.#options };
    const emulator = await startEmulator(options, { warmSandbox: false });
    this.emulators.push(emulator);
    return emulator;
  }

  get first(): RunningEmulator {
    return this.on(0);
  }

  on(index: number): RunningEmulator {
    const emulator = this.emulators[index % this.emulators.length];
    if (!emulator) throw new Error('No emulator runs.');
    return emulator;
  }

  /** Sends a request to one emulator after the other. */
  call(method: string, path: string, options?: Call): Promise<Answer> {
    this.#requests += 1;
    return this.callOn(this.#requests, method, path, options);
  }

  callOn(index: number, method: string, path: string, options?: Call): Promise<Answer> {
    return call(this.on(index), method, path, options);
  }

  /** Returns the metrics of one emulator. */
  async scrape(index: number): Promise<string> {
    const { url, controlToken } = this.on(index);
    const headers = { authorization: `Bearer ${controlToken}` };
    return (await fetch(`${url}/_emulator/metrics`, { headers })).text();
  }

  async close(): Promise<void> {
    await Promise.all(this.emulators.map((emulator) => emulator.close()));
  }
}
